"""Writing: one start, one deadline, one text handed in, by the writer or by the clock."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.platform.core.errors import Refused
from annotation.platform.models.work import Task
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Role
from annotation.study.models.responses import Response
from annotation.texts.models.provenance import Stimulus
from annotation.writing.core.work_kinds import FINALISE_WRITING
from annotation.writing.models import Draft, DraftRevision, WritingAssignment
from annotation.writing.services import drafts, writing
from annotation.writing.services.drafts import Status
from tests.answers import (
    MINUTE,
    OTHER_WINDOW,
    SECOND,
    begin,
    finalise,
    pass_time,
    save,
    span_of,
    start,
    submit,
    take_pen,
    text_of,
    verbs_of,
)
from tests.factories import (
    a_member,
    a_person,
    a_writing_study,
    an_essay,
    assignments_of,
    coordinator_of,
    members_of,
    written,
)

pytestmark = pytest.mark.django_db


def hand_in(assignment: WritingAssignment, text: str, *, epoch: int | None, confirmed: bool = True) -> Any:
    """Hand in the text that stands on the page of the window which had the pen in `epoch`."""
    by = assignment.participation.user
    return writing.submit(assignment=assignment, confirmed=confirmed, text=text, pen_epoch=epoch, by=by)


def task_of(assignment: WritingAssignment) -> Task:
    return Task.objects.get(kind=FINALISE_WRITING, subject=str(assignment.pk))


# -- starting ------------------------------------------------------------------------------------------------


def test_starting_twenty_times_gives_one_start_and_one_deadline(assignment: WritingAssignment) -> None:
    first = start(assignment)
    for _ in range(19):
        again = start(assignment)
        assert (again.started_at, again.deadline_at) == (first.started_at, first.deadline_at)
    assert verbs_of(assignment) == ["writing.started"]
    assert Draft.objects.filter(assignment=assignment).count() == 1


def test_the_deadline_is_the_limit_plus_the_time_granted_beforehand(assignment: WritingAssignment) -> None:
    assignment.participation.extra_minutes = 7
    assignment.participation.save()
    WritingAssignment.objects.filter(pk=assignment.pk).update(extra_seconds=45)
    started_at, deadline_at = span_of(start(assignment))
    assert deadline_at - started_at == 37 * MINUTE + 45 * SECOND


def test_the_clock_of_the_start_is_the_databases(assignment: WritingAssignment) -> None:
    before = database_now()
    started_at, _ = span_of(start(assignment))
    assert before <= started_at <= database_now()


def test_a_start_asks_for_the_clock_to_hand_in_after_the_grace(assignment: WritingAssignment) -> None:
    started_at, _ = span_of(start(assignment))
    assert task_of(assignment).due_at == started_at + 30 * MINUTE + 10 * SECOND
    assert Draft.objects.get(assignment=assignment).closes_at == task_of(assignment).due_at


def test_an_answer_that_is_handed_in_leaves_nothing_to_finalise(assignment: WritingAssignment) -> None:
    written(assignment)
    assert task_of(assignment).done_at


def test_untimed_writing_has_no_deadline_and_no_clock() -> None:
    assignment = begin(assignments_of(a_writing_study(writing_minutes=None))[0])
    assert assignment.deadline_at is None
    assert not Task.objects.filter(kind=FINALISE_WRITING).exists()
    pass_time(assignment, timedelta(days=30))
    status, _ = save(assignment, 1, "still here")
    assert status == Status.SAVED
    assert finalise(assignment).state == "writing"


def test_nobody_starts_without_the_attestation(assignment: WritingAssignment) -> None:
    with pytest.raises(Refused, match="without AI tools"):
        writing.start(assignment=assignment, attested=False, by=assignment.participation.user)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.started_at) == ("assigned", None)


def test_a_second_answer_waits_for_the_first(assignment: WritingAssignment) -> None:
    start(assignment)
    other = assignments_of(assignment.study)[1]
    with pytest.raises(Refused, match="Finish the answer"):
        start(other)


def test_after_as_many_prompts_as_a_session_has_a_break_is_due() -> None:
    study = a_writing_study(prompts=7, prompts_per_session=5, break_minutes=15)
    *first_five, sixth, seventh = assignments_of(study)
    for assignment in first_five:
        written(assignment)
    with pytest.raises(Refused, match="take a break"):
        start(sixth)
    for assignment in first_five:
        pass_time(assignment, 16 * MINUTE)
    written(sixth)
    assert start(seventh).state == "writing"


def test_consent_and_profile_come_first() -> None:
    study = a_writing_study()
    newcomer = a_member(study, Role.WRITER, a_person("Nina New"), ready=False)
    assignment = assignments_of(study)[0]
    assignment.participation = newcomer
    assignment.save()
    with pytest.raises(Refused, match="consent"):
        start(assignment)


# -- handing in ----------------------------------------------------------------------------------------------


def test_handing_in_twice_gives_one_response(assignment: WritingAssignment) -> None:
    first = written(assignment, "One two three.")
    again = submit(assignment)
    assert (again.response_id, again.submitted_at) == (first.response_id, first.submitted_at)
    assert Response.objects.get().text == "One two three."
    assert verbs_of(assignment).count("writing.submitted") == 1


def test_handing_in_needs_the_confirmation(assignment: WritingAssignment) -> None:
    begin(assignment)
    save(assignment, 1, "text")
    with pytest.raises(Refused, match="confirm"):
        submit(assignment, confirmed=False)
    assert submit(assignment).confirmed_at is not None


def test_an_empty_answer_cannot_be_handed_in(assignment: WritingAssignment) -> None:
    start(assignment)
    with pytest.raises(Refused, match="no text"):
        submit(assignment)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.confirmed_at) == ("writing", None)


@pytest.mark.parametrize("epoch", [1, None], ids=["window with the pen", "page without scripts"])
def test_the_text_on_the_page_is_handed_in_and_is_the_last_revision(
    assignment: WritingAssignment, epoch: int | None
) -> None:
    begin(assignment)
    save(assignment, 1, "One two.")
    assert hand_in(assignment, "One two\r\nthree.", epoch=epoch).state == "submitted"
    assert text_of(assignment) == "One two\nthree."
    revisions = DraftRevision.objects.filter(assignment=assignment).values_list("pen_epoch", "seq", "inserted")
    assert list(revisions) == [(1, 1, "One two."), (1, 2, "\nthree")]


def test_a_window_that_lost_the_pen_cannot_hand_in_its_text(assignment: WritingAssignment) -> None:
    begin(assignment)
    save(assignment, 1, "Written here.")
    take_pen(assignment, OTHER_WINDOW)
    save(assignment, 1, "Written here, then there.", epoch=2)
    with pytest.raises(Refused, match="another window"):
        hand_in(assignment, "Written here again.", epoch=1)
    assignment.refresh_from_db()
    assert (assignment.state, text_of(assignment)) == ("writing", "Written here, then there.")
    assert hand_in(assignment, "Written here, then there.", epoch=1).state == "submitted", "the text is the same"


def test_a_window_that_lost_the_pen_cannot_hand_in_its_text_within_the_grace_either(
    assignment: WritingAssignment,
) -> None:
    begin(assignment)
    save(assignment, 1, "Written here.")
    take_pen(assignment, OTHER_WINDOW)
    pass_time(assignment, 30 * MINUTE + 5 * SECOND)
    with pytest.raises(Refused, match="another window"):
        hand_in(assignment, "Written here again.", epoch=1)
    handed_in = hand_in(assignment, "Written here again.", epoch=1, confirmed=False)
    assert (handed_in.submitted_by_clock, Response.objects.get().text) == (True, "Written here.")


@pytest.mark.parametrize(
    ("after_the_deadline", "confirmed", "by_clock"),
    [
        (0 * SECOND, False, True),  # the page says that time is up, and the server agrees
        (5 * SECOND, True, False),  # pressed in time, on its way during the grace
        (11 * SECOND, True, True),  # pressed too late: the saved text counts, the clock hands it in
    ],
)
def test_around_the_deadline_the_saved_text_is_handed_in(
    assignment: WritingAssignment, after_the_deadline: timedelta, confirmed: bool, by_clock: bool
) -> None:
    begin(assignment)
    save(assignment, 1, "saved in time")
    pass_time(assignment, 30 * MINUTE + after_the_deadline)
    handed_in = submit(assignment, confirmed=confirmed)
    assert (handed_in.state, handed_in.submitted_by_clock) == ("submitted", by_clock)
    assert (handed_in.confirmed_at is not None) == confirmed


def test_saying_too_early_that_time_is_up_changes_nothing(assignment: WritingAssignment) -> None:
    begin(assignment)
    save(assignment, 1, "text")
    pass_time(assignment, 30 * MINUTE - 2 * SECOND)
    with pytest.raises(Refused):
        submit(assignment, confirmed=False)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.response) == ("writing", None)


def test_a_handed_in_answer_carries_the_pseudonym_and_no_name(assignment: WritingAssignment) -> None:
    response = written(assignment, f"By {assignment.participation.user.name} myself.").response
    stimulus = Stimulus.objects.get(response=response)
    assert stimulus.source_code == assignment.participation.pseudonym
    assert stimulus.state == "quarantined", "the writer's own name in the text gives the source away"


# -- the clock's own doing -----------------------------------------------------------------------------------


def test_the_clock_hands_in_the_last_saved_text_and_only_once(assignment: WritingAssignment) -> None:
    begin(assignment)
    save(assignment, 1, an_essay())
    pass_time(assignment, 30 * MINUTE + 11 * SECOND)
    for _ in range(3):
        finalise(assignment)
    assert (assignment.state, assignment.submitted_by_clock) == ("submitted", True)
    assert assignment.submitted_at is not None
    assert assignment.submitted_at >= span_of(assignment)[1] + 10 * SECOND
    assert assignment.confirmed_at is None
    assert Response.objects.get().text == an_essay()


def test_the_clock_does_nothing_before_the_grace_is_over(assignment: WritingAssignment) -> None:
    begin(assignment)
    save(assignment, 1, "text")
    pass_time(assignment, 30 * MINUTE + 8 * SECOND)
    assert finalise(assignment).state == "writing"


@pytest.mark.parametrize("text", ["", " \n ", "– *** …"])
def test_an_answer_without_a_word_lapses(assignment: WritingAssignment, text: str) -> None:
    begin(assignment)
    save(assignment, 1, text)
    pass_time(assignment, 31 * MINUTE)
    finalise(assignment)
    assert (assignment.state, assignment.response) == ("lapsed", None)
    assert not Response.objects.exists()
    assert verbs_of(assignment) == ["writing.started", "writing.lapsed"]


def test_a_deadline_that_was_put_off_calls_the_clock_again_when_it_is_due(assignment: WritingAssignment) -> None:
    started = begin(assignment)
    save(assignment, 1, "text")
    _, deadline_at = span_of(started)
    writing.set_deadline(started, deadline_at + 5 * MINUTE)
    assert task_of(assignment).due_at == deadline_at + 10 * SECOND, "as it was asked for"
    pass_time(assignment, 31 * MINUTE)
    Task.objects.all().update(due_at=timezone.now() + timedelta(days=1))  # as while the clock is at it
    assert finalise(assignment).state == "writing"
    assert task_of(assignment).due_at == Draft.objects.get(assignment=assignment).closes_at
    assert task_of(assignment).due_at == span_of(assignment)[1] + 10 * SECOND
    pass_time(assignment, 5 * MINUTE)
    assert finalise(assignment).state == "submitted"


class TestPaused:
    """While the clock stands still, long after the deadline would have been."""

    @pytest.fixture
    def paused(self, assignment: WritingAssignment) -> WritingAssignment:
        begin(assignment)
        save(assignment, 1, "One two.")
        assignment.refresh_from_db()
        assignment.paused_at = database_now()
        assignment.save(update_fields=["paused_at"])
        writing.set_deadline(assignment, assignment.deadline_at)
        pass_time(assignment, 60 * MINUTE)
        assignment.refresh_from_db()
        return assignment

    def test_a_text_is_not_handed_in_by_the_clock_while_it_is_paused(self, paused: WritingAssignment) -> None:
        assert finalise(paused).state == "writing"

    def test_nobody_can_say_that_time_is_up_while_it_is_paused(self, paused: WritingAssignment) -> None:
        with pytest.raises(Refused, match="confirm"):
            submit(paused, confirmed=False)

    def test_saves_count_while_the_clock_is_paused(self, paused: WritingAssignment) -> None:
        assert save(paused, 2, "One two three.")[0] == Status.SAVED

    def test_the_writer_may_hand_in_while_the_clock_is_paused(self, paused: WritingAssignment) -> None:
        handed_in = submit(paused)
        assert (handed_in.state, handed_in.submitted_by_clock, handed_in.paused_at) == ("submitted", False, None)


# -- whose answer it is --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "act",
    [
        lambda assignment, by: writing.start(assignment=assignment, attested=True, by=by),
        lambda assignment, by: drafts.take_pen(assignment=assignment, holder="theirs", take_over=True, by=by),
        lambda assignment, by: drafts.save(assignment_id=assignment.pk, sent=drafts.Save(0, 1, "mine"), by=by),
        lambda assignment, by: drafts.keep(assignment=assignment, text="mine", by=by),
        lambda assignment, by: writing.submit(assignment=assignment, confirmed=True, text="mine", by=by),
    ],
    ids=["start", "take the pen", "save", "keep", "submit"],
)
def test_nobody_touches_another_persons_answer(act: Callable[..., Any]) -> None:
    study = a_writing_study(writers=2)
    assignment = assignments_of(study, writer=0)[0]
    start(assignment)
    for other in (members_of(study, Role.WRITER)[1].user, coordinator_of(study)):
        with pytest.raises(PermissionDenied):
            act(assignment, other)
    held = Draft.objects.get(assignment=assignment)
    assert (held.text, held.pen_epoch) == ("", 0)


@pytest.mark.parametrize("claimed_role", [Role.WRITER, Role.JUDGE])
def test_the_database_gives_no_writing_to_a_judge(assignment: WritingAssignment, claimed_role: Role) -> None:
    judge = a_member(assignment.study, Role.JUDGE)
    with pytest.raises(IntegrityError), transaction.atomic():
        WritingAssignment.objects.create(
            study=assignment.study,
            participation=judge,
            role=claimed_role,
            prompt=assignment.prompt,
            prompt_version=assignment.prompt_version,
            position=1,
        )


def test_the_database_lets_nobody_be_writer_and_judge(assignment: WritingAssignment) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        a_member(assignment.study, Role.JUDGE, assignment.participation.user, pseudonym="J-TWIN")
