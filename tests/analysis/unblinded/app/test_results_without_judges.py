"""Where nobody judges nobody is blinded: what models answered under pressure is analysed as it comes in."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from analysis.report.models import AnalysisRun
from analysis.report.policies import kind_of
from analysis.report.selectors.runs import findings
from analysis.unblinded.selectors.study_tables import tables_before_unblinding
from annotation.platform.core.errors import Refused
from tests.analysis.report.analyses import analysed, asked_for
from tests.analysis.unblinded.app.test_framing_tables import scored
from tests.clients import signed_in
from tests.factories import a_study, researchers_of
from tests.generation.calls.model_runs import a_locked_study
from tests.generation.framing.app.test_framed_scores import with_answers
from tests.generation.panel.panels import ONE_JUDGE, with_judges

pytestmark = pytest.mark.django_db

NOBODY_JUDGES: dict[str, Any] = {
    "answers_per_prompt": 0,
    "human_answers_per_item": 0,
    "ratings_per_prompt": 0,
    "guess_items": 0,
}


def test_answers_under_pressure_are_read_once_they_are_scored() -> None:
    study = with_judges(a_locked_study(families=("claude",), **ONE_JUDGE, **NOBODY_JUDGES), "gpt")
    scored(with_answers(study))
    run = analysed(asked_for(study))
    assert run.problem == ""
    assert run.kind == AnalysisRun.Kind.FULL
    client = signed_in(researchers_of(study)[0])
    page = client.get(reverse("results", args=[study.slug])).content.decode()
    assert "Answers under pressure" in page
    assert findings(run) is not None


def test_before_the_design_is_locked_there_is_nothing_to_analyse() -> None:
    with pytest.raises(Refused, match="once the design is locked"):
        kind_of(a_study(**NOBODY_JUDGES))


def test_where_somebody_judges_nothing_is_told_before_the_study_is_unblinded() -> None:
    with pytest.raises(PermissionDenied):
        tables_before_unblinding(a_study())
