"""The panel's scores of answers under pressure: what judges read, and which scores are known already."""

import json

import pytest

from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from generation.calls.models import Call, GenerationRun
from generation.calls.services import planning, runs
from generation.calls.services.claiming import Outgoing
from generation.framing.models import FramedAnswer, FramingSet
from generation.framing.services.scores import plan_scores
from generation.panel.core.perspectives import PERSPECTIVES
from generation.panel.models import PanelScore
from generation.panel.services.panel import rubric_of
from generation.providers.base import Reply
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import CAP, a_locked_study, collected, good, worked_off
from tests.generation.framing.app.test_framed_answers import a_passed_set, answered, figures, ways
from tests.generation.framing.framed import framings
from tests.generation.panel.panels import ONE_JUDGE, asked, texts_of, with_judges

pytestmark = pytest.mark.django_db

SEATS = len(PERSPECTIVES)


@pytest.fixture
def study() -> Study:
    return with_judges(a_locked_study(families=("claude",), **ONE_JUDGE), "gpt")


def with_answers(study: Study) -> FramingSet:
    found = a_passed_set(study)
    answered(ways(found)[0])
    return found


def plan(framing_set: FramingSet, *, shows: str = "framing") -> GenerationRun:
    by = coordinator_of(framing_set.study)
    run = plan_scores(framing_set=framing_set, instructed=True, shows=shows, by=by)
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def dimensions_of(run: GenerationRun) -> list[str]:
    return [dimension.key for dimension in rubric_of(run).dimensions]


def test_every_answer_is_scored_per_dimension_from_every_seat_below_the_framing_without_its_name(
    study: Study,
) -> None:
    run = plan(with_answers(study))
    assert figures(run) == (0, 5 * SEATS)
    read = []

    def answering(outgoing: Outgoing) -> Reply:
        read.append((texts_of(outgoing)["question"], outgoing.request.prompt))
        return good(json.dumps({**dict.fromkeys(dimensions_of(run), 7), "abstained": len(read) == 1}))

    runs.start_run(run=run, spend_cap=CAP, by=coordinator_of(study))
    worked_off(run, answering)
    version = study.prompts.get().versions.get()
    assert {question for question, _ in read} == {version.text, *framings().values()}
    assert not any(condition in prompt for _, prompt in read for condition in framings())

    scores = PanelScore.objects.filter(call__run=run)
    assert scores.count() == 5 * SEATS
    assert set(scores.values_list("call__subject", flat=True)) == set(
        FramedAnswer.objects.values_list("pk", flat=True)
    )
    assert [score.abstained for score in scores].count(True) == 1
    assert scores[0].scores == dict.fromkeys(dimensions_of(run), 7)
    assert not scores.filter(response__isnull=False).exists()


def test_judges_may_read_the_prompt_instead_which_is_another_question(study: Study) -> None:
    found = with_answers(study)
    plan(found)
    run = plan(found, shows="prompt")
    assert figures(run) == (SEATS, 4 * SEATS)  # the prompt's own answer stands below the prompt either way


def test_scores_that_the_panel_gave_an_answer_of_the_study_are_known(study: Study) -> None:
    collected(study)
    Stimulus.objects.filter(study=study).update(state="admitted")
    Study.objects.filter(pk=study.pk).update(state="closed")
    study.refresh_from_db()
    panel = asked(study, mode="per_dimension")
    scored = dict.fromkeys(dimensions_of(panel), 6)
    worked_off(panel, lambda _outgoing: good(json.dumps({**scored, "abstained": False})))
    run = plan(with_answers(study))
    assert figures(run) == (SEATS, 4 * SEATS)
    assert not Call.objects.filter(run=run, subject__framed_answer__framing=None).exists()


def test_nothing_is_scored_before_framings_were_answered(study: Study) -> None:
    with pytest.raises(Refused, match="no such answers"):
        plan(a_passed_set(study))
