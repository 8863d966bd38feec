"""Many at once: what meets waits for each other, and nothing is half done or done twice."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import zip_longest
from typing import Any, TypeVar

import pytest
from django.db import connection, transaction

from analysis.blinding.services.verification import check_blinding
from analysis.ceremony.services import ceremony
from analysis.frozen.models import Freeze
from annotation.assignment.services import designing
from annotation.design.services import protocol
from annotation.judging.models.judging import JudgingItem, RankedSlot
from annotation.judging.services import guessing, judging
from annotation.judging.services.guessing import Guessed
from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.services import prompts
from annotation.writing.models import WritingAssignment
from annotation.writing.services import writing
from annotation.writing.services.drafts import Status
from tests.answers import OTHER_WINDOW, begin, save, start, submit, take_pen, text_of
from tests.factories import (
    a_judging_study,
    a_member,
    a_study,
    a_writing_study,
    assignments_of,
    coordinator_of,
    in_office,
    judging_items_of,
    researchers_of,
    scored,
    slots_of,
)
from tests.judging import submit as submit_item
from tests.judging import submitted

pytestmark = pytest.mark.django_db(transaction=True)
Result = TypeVar("Result")
Crowd = Callable[[Sequence[Callable[[], Any]]], list[Any]]


def elsewhere(pool: ThreadPoolExecutor, verb: Callable[[], Result]) -> Future[Result]:
    """`verb` on a connection of its own, while this one goes on."""

    def run() -> Result:
        try:
            return verb()
        finally:
            connection.close()

    return pool.submit(run)


def still_waits(work: Future[Result]) -> bool:
    try:
        work.result(timeout=0.5)
    except TimeoutError:
        return True
    return False


@pytest.fixture
def crowd() -> Iterator[Crowd]:
    """Runs calls in eight threads, each with a database connection of its own."""
    with ThreadPoolExecutor(8) as pool:
        yield lambda verbs: [work.result() for work in [elsewhere(pool, verb) for verb in verbs]]


# -- work that meets a step of the study ---------------------------------------------------------------------


def test_a_submission_waits_for_the_closing_and_is_then_refused() -> None:
    study = a_judging_study(judges=2, prompts=1)
    researcher = a_member(study, Role.RESEARCHER).user
    done, late = (judging_items_of(study, judge=number)[0] for number in (0, 1))
    levels = {"A": 9, "B": 8, "C": 7, "D": 6, "E": 5, "F": 4}
    submit_item(scored(done, **levels))
    scored(late, **levels)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            ceremony.close_study(study=study, by=researcher, despite_missing=True)
            submission = elsewhere(pool, lambda: submit_item(late))
            assert still_waits(submission)
        with pytest.raises(Refused, match="Judging is closed"):
            submission.result(timeout=10)
    assert Freeze.objects.get(study=study).rows == RankedSlot.objects.filter(slot__item__study=study).count()
    assert check_blinding(study).passed


def test_a_guess_waits_for_an_item_that_is_being_taken_back_and_is_then_refused() -> None:
    first, last = map(submitted, judging_items_of(a_judging_study(1, 1, judges=1, prompts=2, guess_items=2)))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            judging.reopen(item_id=last.pk, by=last.participation.user)
            guess = elsewhere(pool, lambda: guessed(first))
            assert still_waits(guess)
        with pytest.raises(Refused, match="1 item left to judge"):
            guess.result(timeout=10)


def test_taking_an_item_back_waits_for_a_guess_about_another_and_is_then_refused() -> None:
    first, last = map(submitted, judging_items_of(a_judging_study(1, 1, judges=1, prompts=2, guess_items=2)))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            guessed(first)
            taken_back = elsewhere(pool, lambda: judging.reopen(item_id=last.pk, by=last.participation.user))
            assert still_waits(taken_back)
        with pytest.raises(Refused, match="begun to guess"):
            taken_back.result(timeout=10)


def guessed(item: JudgingItem) -> None:
    unknown = {slot: Guessed("unknown") for slot in slots_of(item).values()}
    guessing.guess(item_id=item.pk, guesses=unknown, by=item.participation.user)


def test_who_agrees_while_the_text_is_being_replaced_has_to_read_the_new_one() -> None:
    study = a_study()
    member = Participation.objects.get(pk=a_member(study, Role.WRITER, ready=False).pk)
    read = sha256_hex(member.study.consent_text)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            protocol.change_parameters(study=study, changes={"consent_text": "New."}, by=coordinator_of(study))
            agreement = elsewhere(
                pool, lambda: people.give_consent(participation=member, text_sha256=read, by=member.user)
            )
            assert still_waits(agreement)
        with pytest.raises(Refused, match="The text has changed"):
            agreement.result(timeout=10)
    assert not Consent.objects.filter(participation=member).exists()


def test_an_answer_is_not_begun_while_writing_is_being_closed() -> None:
    study = a_writing_study()
    assignment = assignments_of(study)[0]
    writer = assignment.participation.user
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            designing.close_writing(study=study, by=coordinator_of(study))
            begun = elsewhere(pool, lambda: writing.start(assignment=assignment, attested=True, by=writer))
            assert still_waits(begun)
        with pytest.raises(Refused, match="Writing is closed"):
            begun.result(timeout=10)
    assert not WritingAssignment.objects.filter(study=study, state="writing").exists()


def test_no_prompt_slips_in_while_the_design_is_being_locked() -> None:
    study = a_study()
    by = coordinator_of(study)
    for person in researchers_of(study):
        in_office(study, person)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            designing.lock_design(study=study, by=by)
            added = elsewhere(
                pool, lambda: prompts.add_prompt_in_domain(study=study, domain="BBQ", text="Late?", by=by)
            )
            assert still_waits(added)
        with pytest.raises(Refused, match="while the study is being designed"):
            added.result(timeout=10)
    assert Prompt.objects.filter(study=study).count() == 2


# -- one answer, from many sides -----------------------------------------------------------------------------


def test_shuffled_and_parallel_requests_give_one_start_the_newest_text_and_one_response(crowd: Crowd) -> None:
    assignment = assignments_of(a_writing_study())[0]
    starts = crowd([lambda: start(assignment)] * 20)
    assert len({started.deadline_at for started in starts}) == 1

    take_pen(assignment)
    numbers = sorted(range(1, 41), key=lambda number: number * 17 % 41)
    crowd([partial(save, assignment, seq, f"text number {seq}") for seq in numbers])
    assert text_of(assignment) == "text number 40"

    submissions = crowd([lambda: submit(assignment)] * 50)
    assert len({handed_in.response_id for handed_in in submissions}) == 1
    assert Response.objects.get().text == "text number 40"


def test_of_saves_that_meet_fifty_submissions_the_last_acknowledged_one_is_handed_in(crowd: Crowd) -> None:
    """Two windows save in any order, and only the second one has the pen."""
    assignment = begin(assignments_of(a_writing_study())[0])
    take_pen(assignment, OTHER_WINDOW)
    acknowledged: list[tuple[int, int]] = []

    def save_text(epoch: int, seq: int) -> None:
        status, held = save(assignment, seq, f"text number {epoch}.{seq}", epoch=epoch)
        if status == Status.SAVED and (held.pen_epoch, held.seq) == (epoch, seq):
            acknowledged.append((epoch, seq))

    places = [(1 + number % 2, 1 + number * 17 % 50) for number in range(50)]
    saves = [partial(save_text, *place) for place in places]
    submissions = [lambda: submit(assignment).response_id] * 50
    meeting = [act for pair in zip_longest(submissions, saves[20:]) for act in pair if act]
    responses = set(crowd([*saves[:20], *meeting])) - {None}

    assert responses == {Response.objects.get().pk}
    epoch, seq = max(acknowledged)
    assert epoch == 2
    assert Response.objects.get().text == f"text number {epoch}.{seq}"


def test_two_answers_never_start_at_the_same_moment(crowd: Crowd) -> None:
    assignments = assignments_of(a_writing_study(prompts=6))

    def attempt(assignment: WritingAssignment) -> bool:
        try:
            start(assignment)
        except Refused:
            return False
        return True

    started = crowd([partial(attempt, assignment) for assignment in assignments])
    assert started.count(True) == 1
