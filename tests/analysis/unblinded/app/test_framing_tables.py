"""Answers under pressure reach a study's tables, with the panel's scores that serve, and its report."""

import json
from dataclasses import replace

import pytest

from analysis.data.core.framed import experiments_of
from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import StudyTables, tables_sha256
from analysis.framing.core.framing_report import framing_report
from analysis.unblinded.selectors.framing_tables import framing_tables
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from generation.calls.models import GenerationRun
from generation.calls.services import runs
from generation.calls.services.claiming import Outgoing
from generation.framing.models import FramingSet
from generation.providers.base import Outcome, Reply
from tests.analysis.data.core.judgments import judgments
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import CAP, a_locked_study, collected, good, worked_off
from tests.generation.framing.app.test_framed_answers import a_passed_set, ways
from tests.generation.framing.app.test_framed_scores import SEATS, dimensions_of, plan, with_answers
from tests.generation.framing.framed import framings
from tests.generation.panel.panels import ONE_JUDGE, asked, texts_of, with_judges
from tests.remembered import remembered

pytestmark = pytest.mark.django_db

CONDITIONS = tuple(framings())
NOTHING = judgments({("P", "j"): {"a": 1, "b": 2}}).iloc[:0]


@remembered
def a_study_with_a_judge() -> Study:
    return with_judges(a_locked_study(families=("claude",), **ONE_JUDGE), "gpt")


@pytest.fixture
def study() -> Study:
    return a_study_with_a_judge()


def scored(framing_set: FramingSet, *, shows: str = "framing") -> GenerationRun:
    """Whatever is asked below a framing has two points less, below the one that agrees it is an abstention."""
    run = plan(framing_set, shows=shows)
    said = framings()

    def answering(outgoing: Outgoing) -> Reply:
        question = texts_of(outgoing)["question"]
        points = 6 if question in said.values() else 8
        is_declined = question == said["emotion_agree"]
        return good(json.dumps({**dict.fromkeys(dimensions_of(run), points), "abstained": is_declined}))

    if run.state == "planned":
        runs.start_run(run=run, spend_cap=CAP, by=coordinator_of(framing_set.study))
        worked_off(run, answering)
    return run


def tables_of(study: Study) -> StudyTables:
    return StudyTables(NOTHING, **framing_tables(study))


def test_what_was_written_answered_and_scored_is_all_there(study: Study) -> None:
    scored(with_answers(study))
    tables = tables_of(study)
    assert tables.framing_conditions["condition"].tolist() == list(CONDITIONS)
    assert tables.framings["standing"].tolist() == ["passed"] * 4
    assert tables.framed_answers["condition"].value_counts().to_dict() == dict.fromkeys(
        (*CONDITIONS, "baseline"), 1
    )
    assert set(tables.framed_answers["state"]) == {"answered"}
    assert len(tables.framed_scores) == 5 * SEATS
    assert not tables.framed_scores.duplicated(["response_id", "judge_model", "perspective_id", "shows"]).any()


def test_what_the_panel_gave_is_what_the_report_finds(study: Study) -> None:
    run = scored(with_answers(study))
    (experiment,) = experiments_of(tables_of(study))
    (model,) = framing_report(experiment, Parameters(draws=100)).models
    found = {(cell.condition, cell.dimension): cell.delta.mean.value for cell in model.cells}
    one = dimensions_of(run)[0]
    assert found["empirical_i", one] == pytest.approx(2.0)
    assert found["emotion_agree", one] is None  # nothing but abstentions, which are left out
    given = {each.condition: each.abstained.value for each in model.given}
    assert given["emotion_agree"] == 1
    assert given["baseline"] == 0


def test_scores_that_the_panel_gave_an_answer_of_the_study_serve_as_those_of_the_prompt_itself(
    study: Study,
) -> None:
    collected(study)
    Stimulus.objects.filter(study=study).update(state="admitted")
    Study.objects.filter(pk=study.pk).update(state="closed")
    study.refresh_from_db()
    panel = asked(study, mode="per_dimension")
    points = dict.fromkeys(dimensions_of(panel), 7)
    worked_off(panel, lambda _outgoing: good(json.dumps({**points, "abstained": False})))
    scored(with_answers(study))
    rows = tables_of(study).framed_scores
    of_prompts = rows[rows["condition"] == "baseline"]
    assert len(of_prompts) == SEATS
    assert set(of_prompts[dimensions_of(panel)[0]]) == {7}


def test_an_answer_to_the_prompt_itself_counts_whatever_stood_above_the_others(study: Study) -> None:
    found = with_answers(study)
    scored(found)
    scored(found, shows="prompt")
    rows = tables_of(study).framed_scores
    assert rows.groupby(["shows", "condition"]).size().to_dict() == {
        (shows, condition): SEATS for shows in ("framing", "prompt") for condition in (*CONDITIONS, "baseline")
    }
    assert len(experiments_of(tables_of(study))) == 2


def test_an_answer_that_a_model_refused_is_told_as_that(study: Study) -> None:
    found = a_passed_set(study)
    run = ways(found)[0]
    runs.start_run(run=run, spend_cap=CAP, by=coordinator_of(study))
    worked_off(run, lambda _outgoing: replace(good(), outcome=Outcome.REFUSED, text=""))
    answers = tables_of(study).framed_answers
    assert set(answers["state"]) == {"refused"}
    assert answers["text"].unique().tolist() == [""]


def test_a_study_without_answers_under_pressure_has_the_hash_that_it_always_had(study: Study) -> None:
    assert tables_sha256(tables_of(study)) == tables_sha256(StudyTables(NOTHING))
