"""Leaving a study and coming back: what ends at once, and who cannot."""

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Participation, Role
from tests.annotation.assignment.repairs import REASON
from tests.answers import begin, save
from tests.clients import signed_in
from tests.factories import a_member, a_writing_study, assignments_of, coordinator_of, members_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def writer() -> Participation:
    return members_of(a_writing_study(), Role.WRITER)[0]


def leave(member: Participation) -> Participation:
    people.leave(participation=member, reason=REASON, by=coordinator_of(member.study))
    member.refresh_from_db()
    return member


def come_back(member: Participation) -> Participation:
    people.come_back(participation=member, reason=REASON, by=coordinator_of(member.study))
    member.refresh_from_db()
    return member


def test_access_ends_at_once_even_in_the_middle_of_an_answer(writer: Participation) -> None:
    answer = begin(assignments_of(writer.study)[0])
    leave(writer)
    with pytest.raises(PermissionDenied):
        save(answer, 1, "One more sentence.")
    answered = signed_in(writer.user).get(reverse("study", args=[writer.study.slug]))
    assert (answered.status_code, answered["Location"]) == (302, reverse("own_data", args=[writer.study.slug]))


def test_coming_back_gives_access_again(writer: Participation) -> None:
    come_back(leave(writer))
    assert writer.left_at is None
    assert signed_in(writer.user).get(reverse("study", args=[writer.study.slug])).status_code == 200


def test_leaving_and_coming_back_are_in_the_audit_trail_once_with_the_reason(writer: Participation) -> None:
    leave(leave(writer))
    come_back(come_back(writer))
    events = AuditEvent.objects.filter(verb__in=("person.left", "person.came_back")).order_by("id")
    assert [(event.verb, event.subject, event.detail) for event in events] == [
        ("person.left", writer.pseudonym, {"reason": REASON}),
        ("person.came_back", writer.pseudonym, {"reason": REASON}),
    ]


def test_the_last_coordinator_stays(writer: Participation) -> None:
    coordinator = members_of(writer.study, Role.COORDINATOR)[0]
    with pytest.raises(Refused, match="last coordinator"):
        leave(coordinator)
    a_member(writer.study, Role.COORDINATOR)
    assert leave(coordinator).left_at


def test_only_a_coordinator_decides_about_leaving_and_says_why(writer: Participation) -> None:
    for verb in (people.leave, people.come_back):
        with pytest.raises(PermissionDenied):
            verb(participation=writer, reason=REASON, by=writer.user)
        with pytest.raises(Refused, match="Say why"):
            verb(participation=writer, reason="", by=coordinator_of(writer.study))
