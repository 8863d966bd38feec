"""A step of the ceremony that is turned away is told so, with the reason, and leaves a row in the audit trail."""

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.release.models import Release
from annotation.people.services.people import leave
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from tests.ceremony import asked, labels_swapped, state_of
from tests.clients import signed_in
from tests.factories import (
    a_closed_study,
    a_judged_study,
    a_judging_study,
    a_member,
    a_study,
    an_unblinded_study,
    coordinator_of,
    members_of,
    researchers_of,
)

pytestmark = pytest.mark.django_db


def reasons(study: Study, verb: str) -> list[tuple[str, str]]:
    events = AuditEvent.objects.filter(study=study, verb=f"{verb}.refused")
    return list(events.values_list("actor__name", "detail__reason"))


@pytest.mark.parametrize("reason", ["I cannot wait.", ""])
def test_unblinding_too_early_is_refused_and_recorded(reason: str) -> None:
    study = a_judged_study(1, 1, 1)
    before = state_of(study)
    client = signed_in(researchers_of(study)[0])
    answer = client.post(reverse("request_unblinding", args=[study.slug]), {"reason": reason})
    assert answer.status_code == 403
    told = "Unblinding can be asked for once the study is closed."
    assert told in answer.content.decode()
    assert reasons(study, "request_unblinding") == [("Rosa Researcher", told)]
    assert state_of(study) == before


@pytest.mark.parametrize("who", ["writer", "judge", "coordinator"])
@pytest.mark.parametrize(
    "step", ["close_study", "request_unblinding", "decide_unblinding", "prepare_release", "publish_release"]
)
def test_a_step_by_the_wrong_role_is_refused_and_recorded(who: str, step: str) -> None:
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    smuggled = Release.objects.create(study=study, asked_by=request.requested_by, prepared_at=timezone.now())
    subject = {"decide_unblinding": request.pk, "publish_release": smuggled.pk}.get(step, study.slug)
    before = state_of(study)
    person = members_of(study, Role(who))[0].user
    answer = signed_in(person).post(
        reverse(step, args=[subject]), {"decision": "approve", "reason": "Now.", "k": "5"}
    )
    assert answer.status_code == 403
    told = "Only a researcher of this study may do this."
    assert told in answer.content.decode()
    assert reasons(study, step) == [(person.name, told)]
    assert state_of(study) == before


@pytest.mark.parametrize("decision", ["approve", "decline"])
def test_unblinding_by_one_person_is_refused_and_recorded(decision: str) -> None:
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    before = state_of(study)
    client = signed_in(researchers_of(study)[0])
    answer = client.post(reverse("decide_unblinding", args=[request.pk]), {"decision": decision})
    assert answer.status_code == 403
    told = "You asked for this yourself; another researcher must decide."
    assert told in answer.content.decode()
    assert reasons(study, "decide_unblinding") == [("Rosa Researcher", told)]
    assert state_of(study) == before


@pytest.mark.parametrize("gone", ["left", "inactive"])
def test_what_somebody_asked_who_is_no_researcher_any_more_can_be_declined_alone(gone: str) -> None:
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    asking, other = researchers_of(study)[:2]
    if gone == "left":
        leave(participation=Participation.objects.get(user=asking), reason="Elsewhere.", by=coordinator_of(study))
    else:
        User.objects.filter(pk=asking.pk).update(is_active=False)
    address = reverse("decide_unblinding", args=[request.pk])
    answer = signed_in(other).post(address, {"decision": "approve"}, follow=True)
    assert "is no researcher of the study any more" in answer.content.decode()
    assert Study.objects.get().state == "closed"
    signed_in(other).post(address, {"decision": "decline", "reason": "They have left."})
    request.refresh_from_db()
    assert request.decision == "declined"


@pytest.mark.parametrize("step", ["prepare_release", "publish_release"])
def test_releasing_before_unblinding_is_refused_and_recorded(step: str) -> None:
    """Even a release that somebody has smuggled into the database is not published."""
    study = a_closed_study(1, 1, 1)
    request = asked(study)
    smuggled = Release.objects.create(study=study, asked_by=request.requested_by, prepared_at=timezone.now())
    before = state_of(study)
    subject = smuggled.pk if step == "publish_release" else study.slug
    answer = signed_in(researchers_of(study)[1]).post(reverse(step, args=[subject]), {"k": "5"})
    assert answer.status_code == 403
    [(name, reason)] = reasons(study, step)
    assert name == "Remo Researcher"
    assert "still blinded" in reason
    assert state_of(study) == before


@pytest.mark.parametrize("state", ["design", "judging"])
def test_releasing_long_before_unblinding_is_refused_as_too_early_and_recorded(state: str) -> None:
    """Whatever the study lacks or has wrong by then: it is told that it is too early, and nothing else."""
    study = a_study() if state == "design" else a_judging_study(2, 2, 1, prompts=2)
    if state == "judging":
        labels_swapped(study)
    researcher = a_member(study, Role.RESEARCHER).user
    answer = signed_in(researcher).post(reverse("prepare_release", args=[study.slug]), {"k": "5"})
    assert answer.status_code == 403
    told = "This study is still blinded: sources are known only after two researchers have unblinded it."
    assert told in answer.content.decode()
    assert reasons(study, "prepare_release") == [(researcher.name, told)]
    assert Study.objects.get(pk=study.pk).state == state
    assert not Release.objects.exists()


def test_asking_twice_is_a_slip_and_no_offence() -> None:
    study = an_unblinded_study(1, 1, 1)
    client = signed_in(researchers_of(study)[0])
    answer = client.post(reverse("request_unblinding", args=[study.slug]), {"reason": "Again."}, follow=True)
    assert answer.status_code == 200
    assert "Unblinding has been asked for already." in answer.content.decode()


def test_sources_are_not_downloaded_before_unblinding() -> None:
    study = a_closed_study(1, 1, 1)
    answer = signed_in(researchers_of(study)[0]).get(reverse("judgments_csv", args=[study.slug]))
    assert answer.status_code == 403
    assert "This study is still blinded" in answer.content.decode()
    [(name, reason)] = reasons(study, "judgments_csv")
    assert name == "Rosa Researcher"
    assert "still blinded" in reason


def test_judgments_with_their_sources_are_kept_by_no_browser() -> None:
    study = an_unblinded_study(1, 1, 1)
    answer = signed_in(researchers_of(study)[0]).get(reverse("judgments_csv", args=[study.slug]))
    assert "no-store" in answer["Cache-Control"]


def test_looking_writes_nothing() -> None:
    study = a_closed_study(1, 1, 1)
    before = AuditEvent.objects.count()
    answer = signed_in(coordinator_of(study)).get(reverse("results", args=[study.slug]))
    assert answer.status_code == 403
    assert AuditEvent.objects.count() == before
