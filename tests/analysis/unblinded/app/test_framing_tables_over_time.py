"""What counts of answers under pressure after words, checks, models and plans have changed."""

import json

import pytest
from django.utils import timezone

from analysis.data.core.framed import experiments_of
from analysis.data.core.parameters import Parameters
from analysis.framing.core.framing_report import FramingReport, framing_report
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from generation.calls.services import planning, runs
from generation.calls.services.claiming import Outgoing
from generation.catalogue.models import Target
from generation.framing.models import FramedAnswer, FramingSet
from generation.framing.selectors.framings import texts_sha256
from generation.framing.services.reviews import edit_framings
from generation.framing.services.scores import plan_scores
from generation.providers.base import Reply
from tests.analysis.unblinded.app.test_framing_tables import a_study_with_a_judge, scored, tables_of
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import CAP, a_target, collected, good, worked_off
from tests.generation.framing.app.test_framed_answers import answered, ways
from tests.generation.framing.app.test_framed_scores import SEATS, dimensions_of, plan, with_answers
from tests.generation.framing.framed import framings
from tests.generation.panel.panels import asked

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study_with_a_judge()


def report_of(study: Study) -> FramingReport:
    (experiment,) = experiments_of(tables_of(study))
    return framing_report(experiment, Parameters(draws=100))


def reworded(found: FramingSet) -> None:
    """One framing has other words now, which are answered and get two points of ten."""
    texts = {**framings(), "empirical_i": framings()["empirical_i"] + " Tell me."}
    edit_framings(
        prompt=found.prompts.get(),
        by=coordinator_of(found.study),
        texts=texts,
        reason="More natural.",
        seen=texts_sha256(framings()),
    )
    answered(ways(found)[0])
    run = plan(found)

    def answering(_outgoing: Outgoing) -> Reply:
        return good(json.dumps({**dict.fromkeys(dimensions_of(run), 2), "abstained": False}))

    runs.start_run(run=run, spend_cap=CAP, by=coordinator_of(found.study))
    worked_off(run, answering)


def retired(study: Study) -> Target:
    model = Target.objects.get(study=study, role="answers")
    Target.objects.filter(pk=model.pk).update(retired_at=timezone.now(), retired_by=coordinator_of(study))
    return model


def test_scores_of_words_that_were_replaced_count_no_more_and_their_answers_are_told_apart(study: Study) -> None:
    found = with_answers(study)
    scored(found)
    reworded(found)
    tables = tables_of(study)
    assert tables.framed_answers["response_id"].is_unique
    assert len(tables.framed_answers) == 6
    assert len(tables.framed_scores) == 5 * SEATS
    (model,) = report_of(study).models
    lost = {cell.condition: cell.delta.mean.value for cell in model.cells if cell.dimension == "mean"}
    assert lost["empirical_i"] == pytest.approx(6.0)  # 8 less 2, and not less the mean of 2 and 6


def test_scores_of_framings_that_failed_afterwards_count_no_more(study: Study) -> None:
    found = with_answers(study)
    scored(found)
    FramingSet.objects.update(needs=["mechanical", "person"])  # whom nobody asked yet
    assert tables_of(study).framed_scores.empty
    assert len(tables_of(study).framed_answers) == 5


def test_a_plan_of_scores_that_nobody_approved_or_that_was_withdrawn_makes_no_experiment(study: Study) -> None:
    found = with_answers(study)
    scored(found)
    by = coordinator_of(study)
    withdrawn = plan_scores(framing_set=found, instructed=True, shows="prompt", by=by)
    planning.fill_plan(withdrawn.pk)
    runs.withdraw_plan(run=withdrawn, by=by)
    plan_scores(framing_set=found, instructed=True, shows="prompt", by=by)
    (experiment,) = experiments_of(tables_of(study))
    assert "below the framing" in experiment.name


def test_scores_of_the_studys_own_answers_stand_for_none_before_a_run_is_approved(study: Study) -> None:
    collected(study)
    found = with_answers(study)
    Stimulus.objects.filter(study=study).update(state="admitted")
    Study.objects.filter(pk=study.pk).update(state="closed")
    study.refresh_from_db()
    panel = asked(study, mode="per_dimension")
    points = dict.fromkeys(dimensions_of(panel), 7)
    worked_off(panel, lambda _outgoing: good(json.dumps({**points, "abstained": False})))
    plan_scores(framing_set=found, instructed=True, shows="framing", by=coordinator_of(study))
    assert tables_of(study).framed_scores.empty


def test_a_retired_model_and_its_successor_of_one_name_are_two_respondents(study: Study) -> None:
    found = with_answers(study)
    scored(found)
    first = retired(study).model_id
    a_target(study, "claude", model_id="claude-next")
    answered(ways(found)[0])
    scored(found)
    tables = tables_of(study)
    assert tables.framed_answers["response_id"].is_unique
    assert sorted(tables.framed_answers["respondent_id"].unique()) == sorted(
        [f"claude ({first})", "claude (claude-next)"]
    )
    assert len(report_of(study).models) == 2


def test_two_of_one_name_and_one_model_are_numbered(study: Study) -> None:
    with_answers(study)
    first = retired(study)
    successor = a_target(study, "claude", model_id=first.model_id, effort="low")
    FramedAnswer.objects.filter(framing__condition="empirical_i").update(target=successor)
    names = tables_of(study).framed_answers["respondent_id"].unique()
    assert sorted(names) == [f"claude ({first.model_id}) 1", f"claude ({first.model_id}) 2"]
    assert tables_of(study).framed_answers["response_id"].is_unique
