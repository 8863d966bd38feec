"""Answers to framings: both ways to ask with what each costs, what is known already, and no road to a judge."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.unblinded.selectors.framing_tables import framing_tables
from annotation.platform.core.errors import Refused
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.services import intake
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import planning, runs
from generation.framing.models import FramedAnswer, FramingSet
from generation.framing.selectors.runs import runs_of_set
from generation.framing.selectors.strays import framed_answers_among_responses
from generation.framing.services.answers import plan_answers
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import CAP, ESSAY, a_locked_study, collected, good, worked_off
from tests.generation.framing.framed import a_framing_set, rewritten
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


def a_passed_set(study: Study) -> FramingSet:
    made = a_framing_set(study, needs=["mechanical"])
    rewritten(made)
    return made


@remembered
def a_passed_set_of_one_prompt() -> FramingSet:
    """Of a study with one model, which has not answered yet."""
    return a_passed_set(a_locked_study(prompts=1, families=("claude",)))


def ways(framing_set: FramingSet, *, again: bool = False) -> list[GenerationRun]:
    """Both plans, with their calls listed: with the instruction, and alone."""
    planned = plan_answers(framing_set=framing_set, by=coordinator_of(framing_set.study), again=again)
    for run in planned:
        planning.fill_plan(run.pk)
        run.refresh_from_db()
    return planned


def figures(run: GenerationRun) -> tuple[int, int]:
    """How many answers are known, and how many would be asked for."""
    shares = run.shares.all()
    return sum(share.known for share in shares), sum(share.planned for share in shares)


def answered(run: GenerationRun) -> GenerationRun:
    runs.start_run(run=run, spend_cap=CAP, by=run.planned_by)
    return worked_off(run, lambda _outgoing: good())


def test_thirty_prompts_and_three_models_are_450_answers_of_which_90_are_known_with_the_instruction() -> None:
    study = a_locked_study(prompts=30, families=("claude", "gemini", "gpt"))
    collected(study, lambda _outgoing: good())
    instructed, alone = ways(a_passed_set(study))
    assert figures(instructed) == (90, 360)
    assert figures(alone) == (0, 450)
    for run in (instructed, alone):
        assert all(share.cost is not None and share.worst_cost is not None for share in run.shares.all())
    assert Attempt.objects.filter(call__run__in=[instructed, alone]).count() == 0


class TestOneModel:
    @pytest.fixture
    def study(self) -> Study:
        return a_locked_study(prompts=1, families=("claude",))

    @pytest.fixture
    def found(self) -> FramingSet:
        return a_passed_set_of_one_prompt()

    def test_an_answer_that_the_study_has_serves_as_it_is_shown(self, study: Study) -> None:
        collected(study)
        found = a_passed_set(study)
        instructed, _ = ways(found)
        assert figures(instructed) == (1, 4)
        assert [each.id for each in runs_of_set(found)[:2]] == [instructed.pk + 1, instructed.pk]
        baseline = FramedAnswer.objects.get()
        assert baseline.framing_id is None
        assert baseline.text == Stimulus.objects.get(study=study, arm=Arm.MODEL).response.text

    def test_an_answer_asked_for_in_other_words_or_at_another_effort_does_not_serve(self, study: Study) -> None:
        collected(study, lambda _outgoing: good())
        Study.objects.filter(pk=study.pk).update(output_token_cap=study.output_token_cap + 1)
        study.refresh_from_db()
        assert figures(ways(a_passed_set(study))[0]) == (0, 5)

    def test_a_framing_is_asked_as_one_user_turn_alone_or_with_the_instruction(self, found: FramingSet) -> None:
        for run, is_instructed in zip(ways(found), (True, False), strict=True):
            answered(run)
            request = Attempt.objects.filter(call__run=run).order_by("pk")[1].request
            assert ("Write your answer as continuous prose" in request) == is_instructed
            assert "system" not in request

    def test_answers_are_kept_by_framing_and_never_asked_for_twice(self, found: FramingSet) -> None:
        run = answered(ways(found)[0])
        assert run.state == "finished"
        kept = FramedAnswer.objects.filter(is_instructed=True)
        assert sorted(kept.values_list("framing__condition", flat=True), key=str) == sorted(
            [None, "emotion_agree", "emotion_disagree", "empirical_friend", "empirical_i"], key=str
        )
        assert figures(ways(found)[0]) == (5, 0)

    def test_a_second_answer_to_the_prompt_is_asked_for_and_the_first_serves_as_it_did(self, study: Study) -> None:
        collected(study)
        found = a_passed_set(study)
        answered(ways(found)[0])
        run = ways(found, again=True)[0]
        assert figures(run) == (5, 1)
        answered(run)
        assert list(FramedAnswer.objects.filter(framing=None).values_list("replicate", flat=True)) == [1, 2]
        told = framing_tables(study)["framed_answers"]
        assert told.loc[told["condition"] == "baseline", "replicate"].tolist() == [1, 2]
        assert figures(ways(found, again=True)[0]) == (6, 0)

    def test_answers_that_would_not_compare_are_not_planned(self, found: FramingSet) -> None:
        answered(ways(found)[0])
        study = found.study
        Study.objects.filter(pk=study.pk).update(output_token_cap=study.output_token_cap + 1)
        found.refresh_from_db()
        with pytest.raises(Refused, match="draw a new set"):
            plan_answers(framing_set=found, by=coordinator_of(study))

    def test_nothing_is_asked_before_framings_have_passed(self, study: Study) -> None:
        with pytest.raises(Refused, match="have passed"):
            plan_answers(framing_set=a_framing_set(study), by=coordinator_of(study))

    def test_an_answer_under_pressure_is_no_response(self, found: FramingSet) -> None:
        answered(ways(found)[0])
        assert FramedAnswer.objects.count() == 5
        assert not Response.objects.exists()
        assert not Stimulus.objects.exists()
        assert not Call.objects.filter(subject__isnull=False).exclude(arm="").exists()

    def test_an_answer_to_the_prompt_itself_that_was_asked_for_here_is_found_where_somebody_plants_it(
        self, found: FramingSet
    ) -> None:
        study = found.study
        answered(ways(found)[1])
        planted = intake.admit(
            study=study,
            prompt=study.prompts.get(),
            text=FramedAnswer.objects.get(framing=None).text,
            arm=Arm.MODEL,
            source_code="claude",
            names=[],
            by=None,
        )
        FramedAnswer.objects.exclude(framing=None).update(text="Something else.")
        assert framed_answers_among_responses(study) == [str(planted.pk)]

    def test_plans_of_one_moment_take_the_studys_answers_one_after_the_other(self, study: Study) -> None:
        """Who plans waits for the study before looking at what was taken."""
        collected(study)
        found = a_passed_set(study)
        with CaptureQueriesContext(connection) as queries:
            plan_answers(framing_set=found, by=coordinator_of(study))
        said = [query["sql"] for query in queries]
        locked = next(place for place, sql in enumerate(said) if "FOR NO KEY UPDATE" in sql or "FOR UPDATE" in sql)
        looked = next(place for place, sql in enumerate(said) if "generation_framedanswer" in sql)
        assert locked < looked

    def test_a_plan_in_another_manner_withdraws_the_one_that_nobody_approved(self, found: FramingSet) -> None:
        earlier = ways(found)
        for run in ways(found, again=True):
            assert figures(run) == (0, 6)
        for run in earlier:
            run.refresh_from_db()
            assert run.state == "withdrawn"

    def test_one_that_somebody_plants_is_found_and_an_own_answer_in_the_same_words_is_none(
        self, study: Study
    ) -> None:
        collected(study, lambda _outgoing: good())
        answered(ways(a_passed_set(study))[0])
        assert len(set(FramedAnswer.objects.values_list("text", flat=True))) == 1
        call_command("verify_blinding", study.slug, stdout=StringIO())
        planted = intake.admit(
            study=study,
            prompt=study.prompts.get(),
            text=ESSAY,
            arm=Arm.MODEL,
            source_code="claude",
            names=[],
            by=None,
        )
        with pytest.raises(
            CommandError, match=f"Answer {planted.pk}: it has the words of an answer under pressure"
        ):
            call_command("verify_blinding", study.slug, stdout=StringIO())
