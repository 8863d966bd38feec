"""Data that were altered, or are still blinded, of which a run computes nothing."""

from collections.abc import Callable

import pytest

from analysis.report.models import AnalysisRun, RunFile
from analysis.unblinded.services import full_runs
from annotation.judging.models.judging import JudgingItem
from annotation.study.models.studies import Study
from tests.analysis.blinding.tampering import (
    a_guess_changed,
    a_score_changed,
    a_text_changed,
    another_kind_for_one_judge,
    two_arms_exchanged,
    two_labels_exchanged,
    two_models_exchanged,
)
from tests.analysis.report.analyses import asked_for
from tests.analysis.report.app.test_analysis_runs import done
from tests.factories import a_judged_study
from tests.factories import closed as closed_after
from tests.factories import unblinded as unblinded_after
from tests.judging import all_guessed
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


# Those that a masked analysis can notice, which knows neither sources nor plans, and all of them.
SEEN_MASKED = (a_score_changed, two_labels_exchanged, a_text_changed, a_guess_changed)

SEEN = (*SEEN_MASKED, two_models_exchanged, two_arms_exchanged, another_kind_for_one_judge)


def done_after(fault: Callable[[JudgingItem], None], study: Study) -> AnalysisRun:
    """A run of the study, asked for after an item of it was altered."""
    fault(JudgingItem.objects.filter(study=study, asks_guess=fault is a_guess_changed)[0])
    return done(asked_for(study))


@pytest.fixture
@remembered
def guessed() -> Study:
    study = a_judged_study(2, 2, 2, prompts=2, guess_items=1)
    all_guessed(study)
    return closed_after(study)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("fault", SEEN_MASKED, ids=lambda fault: fault.__name__)
def test_a_masked_run_computes_nothing_of_data_that_were_altered(
    fault: Callable[[JudgingItem], None], guessed: Study
) -> None:
    run = done_after(fault, guessed)
    assert "frozen when collection was closed" in run.problem
    assert not RunFile.objects.exists()


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("fault", SEEN, ids=lambda fault: fault.__name__)
def test_a_full_run_computes_nothing_of_a_study_that_was_altered(
    fault: Callable[[JudgingItem], None], guessed: Study
) -> None:
    run = done_after(fault, unblinded_after(guessed))
    assert "not as it was closed" in run.problem
    assert not RunFile.objects.exists()


@pytest.mark.usefixtures("undrawn")
def test_a_full_run_computes_nothing_of_a_study_that_is_still_blinded(closed: Study) -> None:
    run = asked_for(closed)
    full_runs.compute_full(run.pk)
    run.refresh_from_db()
    assert run.finished_at is None
    assert "blinded" in run.problem
