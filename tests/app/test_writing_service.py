"""Task 1: one start, saves in order, nothing lost, one text handed in."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from annotation.core import deltas
from annotation.core.errors import Refused
from annotation.core.text import sha256_hex
from annotation.models.allocation import Stimulus
from annotation.models.audit import AuditEvent
from annotation.models.participation import Role
from annotation.models.responses import Response
from annotation.models.work import Task
from annotation.models.writing import Draft, DraftRevision, LateText, WritingAssignment
from annotation.services import writing
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

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


class Clock:
    """The database's clock, moved by hand."""

    def __init__(self) -> None:
        self.now = timezone.now() - timedelta(hours=2)

    def pass_(self, span: timedelta) -> datetime:
        self.now += span
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(writing, "database_now", lambda: clock.now)
    return clock


@pytest.fixture
def assignment() -> WritingAssignment:
    """The first assignment of a writer with 30 minutes and a grace of 10 seconds for each answer."""
    return assignments_of(a_writing_study(writing_minutes=30, transport_grace_seconds=10))[0]


def start(assignment: WritingAssignment) -> WritingAssignment:
    return writing.start(assignment=assignment, attested=True, by=assignment.participation.user)


def save(assignment: WritingAssignment, seq: int, text: str, *, epoch: int = 1) -> writing.Saved:
    return writing.save(
        assignment=assignment, pen_epoch=epoch, seq=seq, text=text, by=assignment.participation.user
    )


def submit(assignment: WritingAssignment, *, confirmed: bool = True) -> WritingAssignment:
    return writing.submit(assignment=assignment, confirmed=confirmed, by=assignment.participation.user)


def verbs(assignment: WritingAssignment) -> list[str]:
    events = AuditEvent.objects.filter(subject=str(assignment.pk), verb__startswith="writing.")
    return list(events.values_list("verb", flat=True))


# -- starting ------------------------------------------------------------------------------------------------


def test_starting_twenty_times_gives_one_start_and_one_deadline(assignment, clock):
    first = start(assignment)
    for _ in range(19):
        clock.pass_(SECOND)
        again = start(assignment)
        assert (again.started_at, again.deadline_at) == (first.started_at, first.deadline_at)
    assert verbs(assignment) == ["writing.started"]
    assert Draft.objects.filter(assignment=assignment).count() == 1


def test_the_deadline_is_the_limit_plus_the_time_granted_beforehand(assignment, clock):
    assignment.participation.extra_minutes = 7
    assignment.participation.save()
    assert start(assignment).deadline_at == clock.now + 37 * MINUTE


def test_a_start_asks_for_the_clock_to_hand_in_after_the_grace(assignment, clock):
    start(assignment)
    task = Task.objects.get(kind=writing.FINALISE, subject=str(assignment.pk))
    assert task.due_at == clock.now + 30 * MINUTE + 10 * SECOND


def test_an_answer_that_is_handed_in_leaves_nothing_to_finalise(assignment):
    written(assignment)
    assert Task.objects.get(kind=writing.FINALISE).done_at


def test_untimed_writing_has_no_deadline_and_no_clock(clock):
    assignment = start(assignments_of(a_writing_study(writing_minutes=None))[0])
    assert assignment.deadline_at is None
    assert not Task.objects.filter(kind=writing.FINALISE).exists()
    clock.pass_(timedelta(days=30))
    assert save(assignment, 1, "still here").seq == 1


def test_nobody_starts_without_the_attestation(assignment):
    with pytest.raises(Refused, match="without AI tools"):
        writing.start(assignment=assignment, attested=False, by=assignment.participation.user)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.started_at) == ("assigned", None)


def test_a_second_answer_waits_for_the_first(assignment):
    start(assignment)
    other = assignments_of(assignment.study)[1]
    with pytest.raises(Refused, match="Finish the answer"):
        start(other)


def test_after_as_many_prompts_as_a_session_has_a_break_is_due(clock):
    study = a_writing_study(prompts=7, prompts_per_session=5, break_minutes=15)
    *first_five, sixth, seventh = assignments_of(study)
    clock.now = timezone.now()
    for assignment in first_five:
        written(assignment)
    with pytest.raises(Refused, match="take a break"):
        start(sixth)
    WritingAssignment.objects.filter(pk__in=[a.pk for a in first_five]).update(
        submitted_at=timezone.now() - 16 * MINUTE
    )
    written(sixth)
    assert start(seventh).state == "writing"


def test_consent_and_profile_come_first():
    study = a_writing_study()
    newcomer = a_member(study, Role.WRITER, a_person("Nina New"), ready=False)
    assignment = assignments_of(study)[0]
    assignment.participation = newcomer
    assignment.save()
    with pytest.raises(Refused, match="consent"):
        start(assignment)


# -- saving --------------------------------------------------------------------------------------------------


def test_a_save_is_acknowledged_with_the_hash_of_the_text(assignment):
    start(assignment)
    saved = save(assignment, 1, "one two three")
    assert (saved.seq, saved.word_count) == (1, 3)
    assert saved.sha256 == sha256_hex("one two three")
    assert saved.now == saved.saved_at
    assert saved.deadline_at == WritingAssignment.objects.get(pk=assignment.pk).deadline_at


def test_a_stale_save_changes_nothing_and_is_told_what_is_held(assignment):
    start(assignment)
    save(assignment, 3, "newer")
    for stale in (1, 2, 3):
        held = save(assignment, stale, f"older {stale}")
        assert (held.seq, held.sha256) == (3, sha256_hex("newer"))
    assert Draft.objects.get(assignment=assignment).text == "newer"


def test_the_same_save_twice_is_acknowledged_twice_and_kept_once(assignment):
    start(assignment)
    first, again = save(assignment, 1, "text"), save(assignment, 1, "text")
    assert (first.seq, first.sha256, first.saved_at) == (again.seq, again.sha256, again.saved_at)
    assert DraftRevision.objects.filter(assignment=assignment).count() == 1


def test_a_later_pen_wins_over_any_number_of_an_earlier_one(assignment):
    start(assignment)
    save(assignment, 900, "first window", epoch=1)
    save(assignment, 1, "second window", epoch=2)
    assert save(assignment, 901, "first window again", epoch=1).sha256 == sha256_hex("second window")


def test_revisions_replay_to_every_text_that_was_acknowledged(assignment):
    start(assignment)
    texts = ["", "Ein", "Ein Haus", "Kein Haus", "Kein Haus 👩‍👧 am See", "Kein\n\nSee", "See", ""]
    for seq, text in enumerate(texts, start=1):
        save(assignment, seq, text)
    replayed, held = [], ""
    for revision in DraftRevision.objects.filter(assignment=assignment).order_by("pen_epoch", "seq"):
        held = deltas.apply(held, deltas.Delta(revision.at, revision.removed, revision.inserted))
        replayed.append(held)
    assert replayed == texts


def test_saves_write_no_audit_rows(assignment):
    start(assignment)
    for seq in range(1, 6):
        save(assignment, seq, "word " * seq)
    assert verbs(assignment) == ["writing.started"]


def test_an_answer_that_has_not_been_started_takes_no_text(assignment):
    with pytest.raises(Refused):
        save(assignment, 1, "too early")
    assert not LateText.objects.exists()


# -- the deadline --------------------------------------------------------------------------------------------


def test_a_save_within_the_grace_counts_and_one_after_it_is_kept_as_late(assignment, clock):
    start(assignment)
    save(assignment, 1, "in time")
    clock.pass_(30 * MINUTE + 10 * SECOND)
    save(assignment, 2, "within the grace")
    clock.pass_(SECOND)
    with pytest.raises(writing.TooLate):
        save(assignment, 3, "eleven seconds after")
    assert Draft.objects.get(assignment=assignment).text == "within the grace"
    assert [late.text for late in LateText.objects.all()] == ["eleven seconds after"]


def test_a_late_text_is_kept_once_however_often_it_is_sent_and_never_becomes_the_answer(assignment, clock):
    start(assignment)
    save(assignment, 1, "in time")
    clock.pass_(31 * MINUTE)
    for _ in range(2):
        with pytest.raises(writing.TooLate):
            save(assignment, 2, "in time and a bit more")
        writing.finalise(assignment_id=assignment.pk)
    assignment.refresh_from_db()
    assert LateText.objects.count() == 1
    assert assignment.response.text == "in time"
    assert verbs(assignment) == ["writing.started", "writing.late_text_kept", "writing.submitted"]


def test_sending_the_answer_again_after_the_end_is_not_a_late_text(assignment, clock):
    start(assignment)
    save(assignment, 1, "in time")
    clock.pass_(31 * MINUTE)
    with pytest.raises(Refused) as refusal:
        save(assignment, 1, "in time")
    assert not isinstance(refusal.value, writing.TooLate)
    assert not LateText.objects.exists()


def test_late_texts_are_taken_for_fifteen_minutes(assignment, clock):
    start(assignment)
    clock.pass_(45 * MINUTE)
    with pytest.raises(writing.TooLate):
        save(assignment, 1, "just in time to be late")
    clock.pass_(SECOND)
    with pytest.raises(Refused):
        save(assignment, 2, "not any more")
    assert LateText.objects.count() == 1


def test_what_is_sent_after_the_writer_handed_in_is_refused_and_not_kept(assignment, clock):
    written(assignment, "the answer")
    with pytest.raises(Refused):
        save(assignment, 2, "an afterthought")
    clock.pass_(31 * MINUTE)
    with pytest.raises(Refused):
        save(assignment, 3, "another")
    assert not LateText.objects.exists()


def test_the_clock_hands_in_the_last_saved_text_and_only_once(assignment, clock):
    start(assignment)
    save(assignment, 1, an_essay())
    clock.pass_(30 * MINUTE + 11 * SECOND)
    for _ in range(3):
        writing.finalise(assignment_id=assignment.pk)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.submitted_by_clock) == ("submitted", True)
    assert assignment.submitted_at == clock.now
    assert assignment.confirmed_at is None
    assert Response.objects.count() == 1


def test_the_clock_does_nothing_before_the_grace_is_over(assignment, clock):
    start(assignment)
    save(assignment, 1, "text")
    clock.pass_(30 * MINUTE + 10 * SECOND)
    writing.finalise(assignment_id=assignment.pk)
    assignment.refresh_from_db()
    assert assignment.state == "writing"


@pytest.mark.parametrize("text", ["", " \n ", "– *** …"])
def test_an_answer_without_a_word_lapses(assignment, clock, text):
    start(assignment)
    save(assignment, 1, text)
    clock.pass_(31 * MINUTE)
    writing.finalise(assignment_id=assignment.pk)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.response) == ("lapsed", None)
    assert not Response.objects.exists()


def test_a_text_that_arrives_after_a_lapse_is_kept_as_late(assignment, clock):
    start(assignment)
    clock.pass_(31 * MINUTE)
    writing.finalise(assignment_id=assignment.pk)
    with pytest.raises(writing.TooLate):
        save(assignment, 1, "written offline")
    assert LateText.objects.get().text == "written offline"


# -- handing in ----------------------------------------------------------------------------------------------


def test_handing_in_twice_gives_one_response(assignment, clock):
    first = written(assignment, "One two three.")
    clock.pass_(MINUTE)
    again = submit(assignment)
    assert (again.response_id, again.submitted_at) == (first.response_id, first.submitted_at)
    assert Response.objects.get().text == "One two three."
    assert verbs(assignment).count("writing.submitted") == 1


def test_handing_in_needs_the_confirmation(assignment):
    start(assignment)
    save(assignment, 1, "text")
    with pytest.raises(Refused, match="confirm"):
        submit(assignment, confirmed=False)
    assert submit(assignment).confirmed_at is not None


def test_an_empty_answer_cannot_be_handed_in(assignment):
    start(assignment)
    with pytest.raises(Refused, match="no text"):
        submit(assignment)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.confirmed_at) == ("writing", None)


@pytest.mark.parametrize(
    ("after_the_deadline", "confirmed", "by_clock"),
    [
        (0 * SECOND, False, True),  # the page says that time is up, and the server agrees
        (5 * SECOND, True, False),  # pressed in time, on its way during the grace
        (11 * SECOND, True, True),  # pressed too late: the saved text counts, the clock hands it in
    ],
)
def test_around_the_deadline_the_saved_text_is_handed_in(
    assignment, clock, after_the_deadline, confirmed, by_clock
):
    start(assignment)
    save(assignment, 1, "saved in time")
    clock.pass_(30 * MINUTE + after_the_deadline)
    handed_in = submit(assignment, confirmed=confirmed)
    assert (handed_in.state, handed_in.submitted_by_clock) == ("submitted", by_clock)
    assert (handed_in.confirmed_at is not None) == confirmed


def test_saying_too_early_that_time_is_up_changes_nothing(assignment, clock):
    start(assignment)
    save(assignment, 1, "text")
    clock.pass_(30 * MINUTE - SECOND)
    with pytest.raises(Refused):
        submit(assignment, confirmed=False)
    assignment.refresh_from_db()
    assert assignment.state == "writing"


def test_a_handed_in_answer_carries_the_pseudonym_and_no_name(assignment):
    response = written(assignment, f"By {assignment.participation.user.name} myself.").response
    stimulus = Stimulus.objects.get(response=response)
    assert stimulus.source_code == assignment.participation.pseudonym
    assert stimulus.state == "quarantined", "the writer's own name in the text gives the source away"


# -- whose answer it is --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "act",
    [
        lambda assignment, by: writing.start(assignment=assignment, attested=True, by=by),
        lambda assignment, by: writing.save(assignment=assignment, pen_epoch=1, seq=1, text="mine", by=by),
        lambda assignment, by: writing.submit(assignment=assignment, confirmed=True, by=by),
    ],
    ids=["start", "save", "submit"],
)
def test_nobody_touches_another_persons_answer(act: Callable[..., Any]):
    study = a_writing_study(writers=2)
    assignment = assignments_of(study, writer=0)[0]
    start(assignment)
    for other in (members_of(study, Role.WRITER)[1].user, coordinator_of(study)):
        with pytest.raises(PermissionDenied):
            act(assignment, other)
    assert Draft.objects.get(assignment=assignment).text == ""


@pytest.mark.parametrize("claimed_role", [Role.WRITER, Role.JUDGE])
def test_the_database_gives_no_writing_to_a_judge(assignment, claimed_role):
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


def test_the_database_lets_nobody_be_writer_and_judge(assignment):
    with pytest.raises(IntegrityError), transaction.atomic():
        a_member(assignment.study, Role.JUDGE, assignment.participation.user, pseudonym="J-TWIN")


# -- many at once --------------------------------------------------------------------------------------------


@pytest.fixture
def crowd() -> Iterator[Callable[..., list[Any]]]:
    """Runs calls in eight threads, each with a database connection of its own."""

    def call(act: Callable[[], Any]) -> Any:
        try:
            return act()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        yield lambda acts: list(pool.map(call, acts))


@pytest.mark.django_db(transaction=True)
def test_shuffled_and_parallel_requests_give_one_start_the_newest_text_and_one_response(crowd):
    assignment = assignments_of(a_writing_study())[0]
    starts = crowd([lambda: start(assignment)] * 20)
    assert len({started.deadline_at for started in starts}) == 1

    numbers = sorted(range(1, 41), key=lambda number: number * 17 % 41)
    crowd([lambda seq=seq: save(assignment, seq, f"text number {seq}") for seq in numbers])
    assert Draft.objects.get(assignment=assignment).text == "text number 40"

    submissions = crowd([lambda: submit(assignment)] * 50)
    assert len({handed_in.response_id for handed_in in submissions}) == 1
    assert Response.objects.get().text == "text number 40"


@pytest.mark.django_db(transaction=True)
def test_two_answers_never_start_at_the_same_moment(crowd):
    assignments = assignments_of(a_writing_study(prompts=6))

    def attempt(assignment: WritingAssignment) -> bool:
        try:
            start(assignment)
        except Refused:
            return False
        return True

    started = crowd([lambda assignment=assignment: attempt(assignment) for assignment in assignments])
    assert started.count(True) == 1
