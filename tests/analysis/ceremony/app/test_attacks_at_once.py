"""One person who would like to be two, at the same moment as somebody else: two real connections, in some order."""

import pytest
from django.core.exceptions import PermissionDenied

from analysis.ceremony.models import UnblindingRequest
from annotation.assignment.services import designing
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.unblinders.models import Unblinder
from annotation.unblinders.services import offices
from tests.analysis.ceremony.app.test_attacks import approve
from tests.analysis.ceremony.app.test_ceremony_races import in_turn
from tests.ceremony import asked
from tests.factories import (
    a_closed_study,
    a_judged_study,
    a_member,
    a_person,
    a_study,
    closed,
    coordinator_of,
    in_office,
    researchers_of,
)
from tests.unblinders import a_puppet, accepted, change_of, come_into_office, gone, proposed

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_who_approve_at_once_unblind_once() -> None:
    study = a_judged_study(1, 1, 1)
    third = a_person("Third Researcher")
    a_member(study, Role.RESEARCHER, third)
    come_into_office(study, third)
    closed(study)
    request = asked(study)
    with pytest.raises(Refused, match="has been decided"):
        in_turn(
            lambda: approve(request, by=researchers_of(study)[1]),
            lambda: approve(UnblindingRequest.objects.get(pk=request.pk), by=third),
        )


def test_who_is_sent_away_while_they_approve_has_not_approved() -> None:
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    second = researchers_of(study)[1]
    with pytest.raises(PermissionDenied):
        in_turn(
            lambda: gone(study, second),
            lambda: approve(UnblindingRequest.objects.get(pk=request.pk), by=second),
        )
    assert Study.objects.get().state == "closed"


def test_two_consents_at_once_are_one() -> None:
    study = a_judged_study(1, 1, 1)
    change = change_of(accepted(proposed(study, a_puppet(study))), "appoint")
    first, second = researchers_of(study)
    with pytest.raises(Refused, match="decided or withdrawn"):
        in_turn(
            lambda: offices.consent(change=change, by=first),
            lambda: offices.consent(change=change_of(change.unblinder, "appoint"), by=second),
        )


def test_nobody_accepts_while_the_design_is_being_locked() -> None:
    study = a_study()
    for person in researchers_of(study):
        in_office(study, person)
    late = proposed(study, a_puppet(study))
    with pytest.raises(Refused, match="does not wait"):
        in_turn(
            lambda: designing.lock_design(study=study, by=coordinator_of(study)),
            lambda: accepted(Unblinder.objects.select_related("study", "user").get(pk=late.pk)),
        )
    assert Participation.objects.filter(study=study, role=Role.RESEARCHER).count() == 3
