"""Where nobody judges, answers under pressure are analysed as soon as they are scored."""

import pytest
from django.urls import reverse

from analysis.framing.sections import FRAMING
from analysis.report.core.results_file import from_json
from analysis.report.models import AnalysisRun
from analysis.report.selectors.runs import file_of
from analysis.unblinded.services.pressure_runs import compute_pressure
from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from generation.calls.models import GenerationRun
from tests.analysis.report.analyses import analysed, asked_for
from tests.analysis.unblinded.app.test_framing_tables import scored
from tests.clients import signed_in
from tests.factories import researchers_of
from tests.generation.calls.model_runs import a_locked_study
from tests.generation.framing.app.test_framed_scores import with_answers
from tests.generation.panel.panels import ONE_JUDGE, with_judges

pytestmark = pytest.mark.django_db


def a_study_of(ratings: int) -> Study:
    parameters = {**ONE_JUDGE, "ratings_per_prompt": ratings}
    return with_judges(a_locked_study(families=("claude",), **parameters), "gpt")


def test_where_nobody_judges_results_are_there_when_the_run_of_scores_is_finished() -> None:
    study = a_study_of(0)
    framing_set = with_answers(study)
    early = analysed(asked_for(study))
    assert "no answers under pressure have been scored yet" in early.problem

    run = scored(framing_set)
    GenerationRun.objects.filter(pk=run.pk).update(state="running")
    assert f"still being scored, in run {run.known_as}" in analysed(asked_for(study, seed=1)).problem
    GenerationRun.objects.filter(pk=run.pk).update(state="finished")

    found = analysed(asked_for(study, seed=2))
    assert (found.kind, found.problem) == (AnalysisRun.Kind.PRESSURE, "")
    report = from_json(file_of(found, "results.json") or b"")
    assert len(report[FRAMING].experiments) == 1
    page = signed_in(researchers_of(study)[0]).get(reverse("results", args=[study.slug])).content.decode()
    assert "Answers under pressure" in page
    assert "replies of the panel" in page
    assert "Not computed by this version" not in page


def test_where_people_judge_nothing_of_them_is_told_before_the_study_is_unblinded() -> None:
    study = a_study_of(2)
    scored(with_answers(study))
    with pytest.raises(Refused, match="once the study is closed"):
        asked_for(study)
    run = AnalysisRun.objects.create(
        study=study, kind="pressure", number=1, parameters={}, asked_by=researchers_of(study)[0]
    )
    compute_pressure(run.pk)
    run.refresh_from_db()
    assert "still blinded" in run.problem
    assert not run.files.exists()
