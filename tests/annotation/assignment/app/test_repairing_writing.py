"""Somebody leaves, is late or joins while people write: which answers go to whom, and which stay."""

from collections import Counter
from typing import Any

import pytest

from annotation.assignment.core.feasibility import Infeasible
from annotation.assignment.services import designing
from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from annotation.texts.services import intake
from annotation.writing.models import WritingAssignment
from annotation.writing.services import writing_desk
from tests.annotation.assignment.repairs import REASON, held, planned, repaired
from tests.answers import begin, finalise, run_out, save
from tests.factories import a_member, a_study, assignments_of, coordinator_of, locked, members_of, written

pytestmark = pytest.mark.django_db
Writers = list[Participation]


@pytest.fixture(scope="module", autouse=True)
def world(passing_database: None) -> None:
    """Four writers share 4 prompts × 2 answers: two each. A fifth came later. Gone after the last test."""
    a_shared_writing_study("shared")


def a_shared_writing_study(slug: str = "trial", *, writers: int = 4, prompts: int = 4, **parameters: Any) -> Study:
    study = a_study(slug, prompts=prompts, **{"answers_per_prompt": 2, **parameters})
    for _ in range(writers):
        a_member(study, Role.WRITER)
    locked(study)
    designing.assign_writing(study=study, by=coordinator_of(study))
    a_member(study, Role.WRITER)
    study.refresh_from_db()
    return study


@pytest.fixture
def study() -> Study:
    return Study.objects.get(slug="shared")


@pytest.fixture
def writers(study: Study) -> Writers:
    return members_of(study, Role.WRITER)


def state_of(assignment: WritingAssignment) -> str:
    return WritingAssignment.objects.get(pk=assignment.pk).state


def lapsed(assignment: WritingAssignment) -> None:
    """Time ran out, and nothing had been written."""
    begin(assignment)
    run_out(assignment)
    finalise(assignment)
    assert state_of(assignment) == "lapsed"


def answers_by_prompt(study: Study) -> Counter[str]:
    return Counter(prompt for prompts in held(study).values() for prompt in prompts)


class TestAWriterLeaves:
    def test_a_writer_leaves_and_what_they_have_not_begun_is_written_by_others(
        self, study: Study, writers: Writers
    ) -> None:
        own, before = assignments_of(study), held(study)
        plan = repaired(study, leaves=writers[:1])
        assert {move.of for move in plan.moves} == {assignment.pk for assignment in own}
        assert {state_of(assignment) for assignment in own} == {"cancelled"}
        after = held(study)
        assert set(answers_by_prompt(study).values()) == {2}
        assert all(after[writer.pseudonym][:2] == before[writer.pseudonym] for writer in writers[1:4])
        assert sorted(len(prompts) for prompts in after.values()) == [2, 3, 3]

    def test_a_writer_leaves_and_what_is_handed_in_stays(self, study: Study, writers: Writers) -> None:
        first, second = assignments_of(study)
        written(first)
        plan = repaired(study, leaves=writers[:1])
        assert [move.of for move in plan.moves] == [second.pk]
        assert state_of(first) == "submitted"

    def test_an_answer_that_is_being_written_stays_with_the_writer_who_leaves(
        self, study: Study, writers: Writers
    ) -> None:
        first, second = assignments_of(study)
        begin(first)
        assert [move.of for move in repaired(study, leaves=writers[:1]).moves] == [second.pk]
        assert state_of(first) == "writing"

    def test_a_writer_leaves_and_an_answer_that_has_lapsed_goes_to_somebody_else(
        self, study: Study, writers: Writers
    ) -> None:
        first, second = assignments_of(study)
        lapsed(first)
        plan = repaired(study, leaves=writers[:1])
        assert {move.of for move in plan.moves} == {first.pk, second.pk}
        assert state_of(first) == "cancelled"
        assert set(answers_by_prompt(study).values()) == {2}

    def test_a_writer_cannot_leave_where_nobody_is_left_to_write_for_them(self) -> None:
        study = a_shared_writing_study(writers=2)
        with pytest.raises(Infeasible):
            planned(study, leaves=members_of(study, Role.WRITER)[:1])


class TestAWriterStays:
    def test_a_writer_who_stays_keeps_what_has_lapsed_or_was_given_back(
        self, study: Study, writers: Writers
    ) -> None:
        first, second = assignments_of(study)
        lapsed(first)
        written(second)
        writing_desk.reopen(assignment=second, minutes=10, reason=REASON, by=coordinator_of(study))
        assert planned(study).moves == ()
        # Both count as begun, so not even a newcomer's share is taken from them.
        plan = planned(study, joins=writers[4:])
        assert {first.pk, second.pk}.isdisjoint(move.of for move in plan.moves)

    def test_a_writer_who_is_late_gives_up_what_has_lapsed_and_what_was_given_back(
        self, study: Study, writers: Writers
    ) -> None:
        own = assignments_of(study)
        assert {move.of for move in planned(study, late=writers[:1]).moves} == {one.pk for one in own}


class TestANewcomer:
    def test_a_newcomer_takes_an_even_share_of_the_answers(self, study: Study, writers: Writers) -> None:
        plan = repaired(study, joins=writers[4:])
        # 8 answers for five: one each at least.
        assert plan.loads[writers[4].pseudonym] == (0, 1)
        assert set(answers_by_prompt(study).values()) == {2}


class TestAMissingAnswer:
    def test_a_missing_answer_that_was_taken_back_on_the_desk_is_given_to_somebody(self, study: Study) -> None:
        taken = assignments_of(study)[0]
        writing_desk.cancel(assignment=taken, reason=REASON, by=coordinator_of(study))
        [move] = repaired(study).moves
        assert (move.prompt, move.taken_from, move.of) == (taken.prompt.code, "", None)
        assert set(answers_by_prompt(study).values()) == {2}

    def test_an_answer_whose_text_was_rejected_is_asked_of_somebody_else(
        self, study: Study, writers: Writers
    ) -> None:
        handed_in = written(assignments_of(study)[0])
        stimulus = Stimulus.objects.get(pk=handed_in.response_id)
        intake.decide(stimulus=stimulus, verb="reject", reason=REASON, by=coordinator_of(study))
        [move] = planned(study).moves
        assert (move.prompt, move.taken_from) == (handed_in.prompt.code, "")
        assert move.given_to != writers[0].pseudonym


class TestWhereEverybodyAnswersEveryPrompt:
    @pytest.fixture
    def pilot(self) -> Study:
        return a_shared_writing_study(writers=3, prompts=2, every_writer_answers_every_prompt=True)

    def test_where_everybody_answers_every_prompt_nobody_takes_over_from_who_leaves(self, pilot: Study) -> None:
        leaver = members_of(pilot, Role.WRITER)[0]
        plan = repaired(pilot, leaves=[leaver])
        assert [(move.taken_from, move.given_to) for move in plan.moves] == [(leaver.pseudonym, "")] * 2
        assert sorted(len(prompts) for prompts in held(pilot).values()) == [2, 2]

    def test_where_everybody_answers_every_prompt_a_newcomer_does_too(self, pilot: Study) -> None:
        newcomer = members_of(pilot, Role.WRITER)[3]
        repaired(pilot, joins=[newcomer])
        assert len(held(pilot)[newcomer.pseudonym]) == 2
        assert sorted(len(prompts) for prompts in held(pilot).values()) == [2, 2, 2, 2]


def test_who_left_and_came_back_starts_with_nothing(study: Study, writers: Writers) -> None:
    repaired(study, leaves=writers[:1])
    people.come_back(participation=writers[0], reason=REASON, by=coordinator_of(study))
    assert writers[0].pseudonym not in held(study)
    assert planned(study).moves == ()


def test_a_text_saved_by_a_writer_who_left_is_handed_in_by_the_clock(study: Study, writers: Writers) -> None:
    first, _ = assignments_of(study)
    begin(first)
    save(first, 1, "As far as I got.")
    repaired(study, leaves=writers[:1])
    run_out(first)
    finalise(first)
    assert state_of(first) == "submitted"


def test_nothing_changes_hands_before_it_is_assigned() -> None:
    study = a_study()
    writer = a_member(study, Role.WRITER)
    locked(study)
    study.refresh_from_db()
    with pytest.raises(Refused, match="Nothing has been assigned yet"):
        planned(study, joins=[writer])
