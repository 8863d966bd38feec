"""An answer whose text was rejected: told in every place that counts answers, with what can be done about it."""

import re

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.assignment.core.repair_plan import Change
from annotation.assignment.services import designing, repairing
from annotation.coordination.core.outlook import Outlook
from annotation.coordination.selectors.coordination import overview
from annotation.coordination.selectors.heat_map import heat_map
from annotation.coordination.selectors.pace import course
from annotation.coordination.selectors.progress import Phase, work_of
from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from annotation.texts.services import intake
from annotation.writing.models import WaivedAnswer, WritingAssignment
from annotation.writing.selectors.rejected_answers import (
    rejected_answer,
    rejected_answers,
    shortfall_without,
    standing_of,
)
from annotation.writing.services import writing_desk
from annotation.writing.views.writing_actions import actions_for
from tests.annotation.writing.desk import WHY, act, reopen
from tests.clients import signed_in
from tests.factories import (
    a_member,
    a_writing_study,
    agree,
    assignments_of,
    coordinator_of,
    members_of,
    written,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    """Three writers, all of whom have the one prompt; items show two answers of people, one set for all judges."""
    return a_writing_study(writers=3, prompts=1, human_answers_per_item=2, human_sets="fixed", ratings_per_prompt=2)


def rejected(study: Study, *, writer: int = 0) -> WritingAssignment:
    """The writer's answer, handed in and rejected."""
    answer = written(assignments_of(study, writer=writer)[0])
    stimulus = Stimulus.objects.get(pk=answer.response_id)
    intake.decide(stimulus=stimulus, verb="reject", reason="It is about something else.", by=coordinator_of(study))
    return answer


def writing_is_closed(study: Study) -> None:
    designing.close_writing(study=study, by=coordinator_of(study))
    study.refresh_from_db()


def words(study: Study, name: str, *args: object, **query: str) -> str:
    page = signed_in(coordinator_of(study)).get(reverse(name, args=args or [study.slug]), query).content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page.split("<main", 1)[-1]).split())


def test_the_desk_lists_a_rejected_answer_with_all_that_can_be_done(study: Study) -> None:
    answer = rejected(study)
    page = words(study, "writing_desk")
    assert "Rejected: to be decided" in page
    for way in ("Give it back to its writer", "give the prompt to another writer", "do without it"):
        assert way in page
    assert "Text rejected (1)" in page
    found = words(study, "writing_desk", state="rejected")
    assert f"{answer.participation.pseudonym} {answer.participation.user.name} {answer.prompt.code}" in found


def test_the_page_of_a_rejected_answer_says_so_and_that_every_writer_has_its_prompt(study: Study) -> None:
    answer = rejected(study)
    page = words(study, "writing_answer", answer.pk)
    assert "Text rejected" in page
    assert "Every writer has this prompt already" in page
    a_member(study, Role.WRITER)
    assert "Every writer has this prompt already" not in words(study, "writing_answer", answer.pk)


def test_progress_desk_and_overview_count_a_rejected_answer_alike(study: Study) -> None:
    """One of three is in, one rejected, one to be written."""
    rejected(study)
    written(assignments_of(study, writer=1)[0])
    work = work_of(study)[Phase.WRITING]
    writing = overview(study).writing
    assert (len(work.done), len(work.wanted)) == (writing.done, writing.total) == (1, 3)
    assert len(work.blocked) == len(rejected_answers(study)) == 1
    assert course(work, study, now=database_now()).outlook == Outlook.BLOCKED
    page = words(study, "progress")
    assert "Nothing waits for your decision" not in page
    assert "its text was rejected and is missing" in page
    assert "Prompts short of answers" not in page
    assert "1 answer by a person was rejected and is missing." in words(study, "study")


def test_a_rejected_answer_is_missed_too_where_every_writer_answers_every_prompt() -> None:
    study = a_writing_study(writers=2, prompts=1, every_writer_answers_every_prompt=True)
    answer = rejected(study)
    work = work_of(study)[Phase.WRITING]
    assert ([piece.id for piece in work.blocked], len(work.wanted)) == ([answer.pk], 2)


def test_a_study_does_without_a_rejected_answer_where_enough_are_left(study: Study) -> None:
    answer = rejected(study)
    act(writing_desk.waive, answer)
    assert (WaivedAnswer.objects.get().reason, rejected_answers(study)) == (WHY, [])
    work = work_of(study)[Phase.WRITING]
    assert (len(work.blocked), len(work.wanted)) == (0, 2)
    page = words(study, "progress")
    assert "Nothing waits for your decision" in page
    assert "Nothing is falling behind" in page
    assert "Done without (1)" in words(study, "writing_desk")


def test_what_a_study_does_without_is_asked_of_no_other_writer(study: Study) -> None:
    answer = rejected(study)
    newcomer = a_member(study, Role.WRITER)
    agree(newcomer)
    joining = Change("writing", joins=frozenset({newcomer.pseudonym}))
    assert [move.taken_from for move in repairing.plan(study=study, change=joining).moves]
    act(writing_desk.waive, answer)
    moves = repairing.plan(study=study, change=joining).moves
    assert all(move.taken_from for move in moves)  # nothing new, at most a share of what others have


def test_nobody_does_without_an_answer_that_judging_needs(study: Study) -> None:
    rejected(study)
    second = rejected(study, writer=1)
    assert "waive" not in words(study, "writing_answer", second.pk)
    with pytest.raises(Refused, match="Judging cannot open without it"):
        act(writing_desk.waive, second)


def test_nobody_does_without_an_answer_that_stands(study: Study) -> None:
    with pytest.raises(Refused, match="does not miss"):
        act(writing_desk.waive, written(assignments_of(study)[0]))


def test_only_coordinators_decide_to_do_without_an_answer(study: Study) -> None:
    answer = rejected(study)
    with pytest.raises(PermissionDenied):
        writing_desk.waive(assignment=answer, reason=WHY, by=members_of(study, Role.WRITER)[0].user)


def test_an_answer_that_is_given_back_is_done_without_no_more(study: Study) -> None:
    answer = rejected(study)
    act(writing_desk.waive, answer)
    reopen(answer)
    assert not WaivedAnswer.objects.exists()
    assert rejected_answer(answer) is None
    assert len(work_of(study)[Phase.WRITING].wanted) == 3


def told_of(study: Study, answer: WritingAssignment) -> tuple[str, list[int], list[int], list[str]]:
    """Its standing on the desk, and whose rejected texts the desk, Progress and the heat map name."""
    work = work_of(study)[Phase.WRITING]
    stages = [piece.person for row in heat_map(work).rows for piece in row.pieces.values() if piece.stage == "out"]
    return (
        standing_of(answer),
        [each.id for each in rejected_answers(study)],
        [each.id for each in work.blocked],
        stages,
    )


@pytest.mark.parametrize("waiting", ["received", "quarantined"])
def test_once_writing_is_closed_no_rejected_answer_is_named_while_a_text_of_its_prompt_waits(
    study: Study, waiting: str
) -> None:
    """Else the one that waits would be known by elimination."""
    answer = rejected(study)
    for writer in (1, 2):
        last = written(assignments_of(study, writer=writer)[0])
    writing_is_closed(study)
    kept = Stimulus.objects.filter(pk=last.response_id)
    kept.update(state=waiting, is_read=waiting != "received")
    assert told_of(study, answer) == ("submitted", [], [], [])
    with pytest.raises(Refused, match="does not miss"):
        act(writing_desk.waive, answer)
    kept.update(state="admitted", is_read=True)
    pseudonym = answer.participation.pseudonym
    assert told_of(study, answer) == ("rejected", [answer.pk], [answer.pk], [pseudonym])


def test_what_a_study_does_without_is_not_named_either_while_a_text_of_its_prompt_waits(study: Study) -> None:
    answer = rejected(study)
    act(writing_desk.waive, answer)
    for writer in (1, 2):
        last = written(assignments_of(study, writer=writer)[0])
    writing_is_closed(study)
    assert WHY in words(study, "writing_answer", answer.pk)
    Stimulus.objects.filter(pk=last.response_id).update(state="quarantined")
    assert WHY not in words(study, "writing_answer", answer.pk)
    assert told_of(study, answer) == ("submitted", [], [], [])


def test_no_answer_is_done_without_for_one_that_lapsed(study: Study) -> None:
    answer = rejected(study)
    written(assignments_of(study, writer=1)[0])
    assert not shortfall_without(answer)
    WritingAssignment.objects.filter(participation=members_of(study, Role.WRITER)[2]).update(state="lapsed")
    assert shortfall_without(answer) == "1 human answer"


def test_no_answer_is_done_without_for_one_that_a_writer_who_is_gone_never_started(study: Study) -> None:
    answer = rejected(study)
    written(assignments_of(study, writer=1)[0])
    assert not shortfall_without(answer)
    people.leave(participation=members_of(study, Role.WRITER)[2], reason=WHY, by=coordinator_of(study))
    assert shortfall_without(answer) == "1 human answer"


def test_once_writing_is_closed_an_answer_that_was_never_started_fills_no_place(study: Study) -> None:
    answer = rejected(study)
    written(assignments_of(study, writer=1)[0])
    assert not shortfall_without(answer)
    answer.study.state = "assembling"
    assert shortfall_without(answer) == "1 human answer"


def test_a_rejected_answer_of_a_writer_who_is_gone_is_told_alike_and_not_given_back(study: Study) -> None:
    answer = rejected(study)
    assert "reopen" in actions_for(answer)
    people.leave(participation=answer.participation, reason=WHY, by=coordinator_of(study))
    answer.refresh_from_db()
    assert [each.id for each in rejected_answers(study)] == [answer.pk]
    assert "its text was rejected and is missing" in words(study, "progress")
    assert "reopen" not in actions_for(answer)
    page = words(study, "writing_answer", answer.pk)
    assert "Its writer is gone" in page
    assert "Give it back" not in page


def test_nothing_is_done_about_the_clock_of_an_answer_once_writing_is_closed(study: Study) -> None:
    answer = assignments_of(study)[0]
    answer.state = "writing"
    assert "pause" in actions_for(answer)
    answer.study.state = "judging"
    assert not actions_for(answer)


def test_many_rejected_answers_are_listed_in_as_many_queries_as_one() -> None:
    study = a_writing_study(
        writers=3, prompts=3, human_answers_per_item=2, human_sets="fixed", ratings_per_prompt=2
    )
    needed = []
    for writer in range(3):
        rejected(study, writer=writer)
        with CaptureQueriesContext(connection) as queries:
            assert len(rejected_answers(study)) == writer + 1
        needed.append(len(queries))
    assert needed[0] == needed[2]


def test_who_else_can_take_a_prompt_is_who_takes_part_and_was_not_given_it(study: Study) -> None:
    rejected(study)
    assert [line.others for line in rejected_answers(study)] == [0]
    newcomer = a_member(study, Role.WRITER)
    agree(newcomer)
    assert [line.others for line in rejected_answers(study)] == [1]
    people.leave(participation=newcomer, reason=WHY, by=coordinator_of(study))
    assert [line.others for line in rejected_answers(study)] == [0]
