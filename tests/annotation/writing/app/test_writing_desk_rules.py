"""What holds for every verb of the writing desk: who may, until when, and with which reason."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from annotation.study.services import studies
from annotation.writing.models import WritingAssignment
from annotation.writing.services import writing_desk
from tests.annotation.writing.desk import WHY, cancel, pause, reopen
from tests.answers import put, verbs_of
from tests.factories import a_member, a_person, a_study, coordinator_of, members_of

pytestmark = pytest.mark.django_db


VERBS: dict[str, tuple[str, Callable[[WritingAssignment, User, str], object]]] = {
    "pause": ("writing", lambda a, by, why: writing_desk.pause(assignment=a, reason=why, by=by)),
    "resume": ("writing", lambda a, by, why: writing_desk.resume(assignment=a, reason=why, by=by)),
    "grant_time": (
        "writing",
        lambda a, by, why: writing_desk.grant_time(assignment=a, seconds=60, reason=why, by=by),
    ),
    "grant_minutes": (
        "assigned",
        lambda a, by, why: writing_desk.grant_minutes(participation=a.participation, minutes=5, reason=why, by=by),
    ),
    "reopen": ("submitted", lambda a, by, why: writing_desk.reopen(assignment=a, minutes=5, reason=why, by=by)),
    "cancel": ("assigned", lambda a, by, why: writing_desk.cancel(assignment=a, reason=why, by=by)),
    "decide_outage": (
        "writing",
        lambda a, by, why: writing_desk.decide_outage(
            study=a.study, began_at=timezone.now(), assignments=[a], approve=True, reason=why, by=by
        ),
    ),
}

every_verb = pytest.mark.parametrize(("state", "verb"), VERBS.values(), ids=VERBS.keys())


@every_verb
def test_only_coordinators_of_the_study_may_use_the_desk(
    assignment: WritingAssignment, state: str, verb: Any
) -> None:
    put(assignment, state)
    before = verbs_of(assignment)
    for person in (
        assignment.participation.user,
        a_member(assignment.study, Role.JUDGE).user,
        a_member(assignment.study, Role.RESEARCHER).user,
        a_member(a_study("elsewhere"), Role.COORDINATOR, a_person("Other Coordinator")).user,
    ):
        with pytest.raises(PermissionDenied):
            verb(assignment, person, WHY)
    assert verbs_of(assignment) == before


@every_verb
def test_nothing_is_done_on_the_desk_without_a_reason(assignment: WritingAssignment, state: str, verb: Any) -> None:
    put(assignment, state)
    for reason in ("", "  \n", "\u200b"):
        with pytest.raises(Refused, match="Say why"):
            verb(assignment, coordinator_of(assignment.study), reason)


@every_verb
def test_nothing_is_done_on_the_desk_once_writing_is_closed(
    assignment: WritingAssignment, state: str, verb: Any
) -> None:
    put(assignment, state)
    by = coordinator_of(assignment.study)
    studies.move(assignment.study, "close_writing", by=by)
    with pytest.raises(Refused, match="Writing is closed"):
        verb(assignment, by, WHY)


@pytest.mark.parametrize(
    ("state", "verb", "event"),
    [
        ("writing", pause, "writing.paused"),
        ("submitted", reopen, "writing.reopened"),
        ("lapsed", cancel, "writing.cancelled"),
    ],
)
def test_the_reason_of_what_is_done_on_the_desk_is_in_the_audit_trail(
    assignment: WritingAssignment, state: str, verb: Any, event: str
) -> None:
    put(assignment, state)
    verb(assignment)
    recorded = AuditEvent.objects.get(verb=event)
    assert recorded.actor == coordinator_of(assignment.study)
    assert recorded.detail["reason"] == WHY


def test_a_writer_who_left_cannot_be_granted_minutes(assignment: WritingAssignment) -> None:
    Participation.objects.filter(pk=assignment.participation_id).update(left_at=timezone.now())
    [writer] = members_of(assignment.study, Role.WRITER)
    with pytest.raises(Refused, match="does not write"):
        writing_desk.grant_minutes(participation=writer, minutes=5, reason=WHY, by=coordinator_of(assignment.study))
