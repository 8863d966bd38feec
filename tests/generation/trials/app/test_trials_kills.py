"""The command from cases to coded conclusions, killed with SIGKILL in the middle of each kind of its runs."""

import time
from collections import Counter

import pytest
from django.core.management import call_command
from pytest_django import Settings

from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call, GenerationRun
from generation.catalogue.models import Target
from generation.panel.models import PanelScore
from generation.trials.models import CaseAnswer, ModelConclusion, TrialScenario
from generation.trials.services import coding
from tests.factories import coordinator_of, ready_to_lock
from tests.forked import forked
from tests.generation.trials.trials import a_trial_study

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack]

# 2 cases under 6 conditions and 2 controls; 2 evaluators score each, once for each dimension and once for both.
ANSWERS, SCORES, CODES = 16, 16 * 2 * (2 + 1), 12 * 2
MAX_SECONDS = 120.0  # seconds, after which something is stuck


@pytest.fixture
def study(settings: Settings) -> Study:
    """Its models take a moment to answer, so that there is always something on its way."""
    settings.LEASE_SECONDS = 3
    study = a_trial_study(scenarios=1)
    Target.objects.filter(study=study).update(options={"delay_seconds": 0.4})
    ready_to_lock(study)
    return study


def command(study: Study, *more: str) -> list[str]:
    by = coordinator_of(study).email
    return ["trials", study.slug, f"--by={by}", "--at-most=100", "--approaches", "C", "D", *more]


def killed_within(words: list[str], purpose: str, attempts: int) -> None:
    """Let the command go on until so many attempts of this purpose have been made."""
    process = forked(call_command, *words)
    until = time.monotonic() + MAX_SECONDS
    while Attempt.objects.filter(call__run__purpose=purpose).count() < attempts:
        assert process.is_alive(), "it ended before it was killed"
        assert time.monotonic() < until
        time.sleep(0.02)
    process.kill()
    process.join()


def test_nothing_is_missing_or_there_twice_after_kills_in_every_kind_of_run(study: Study) -> None:
    killed_within(command(study), "trial_answer", 5)
    killed_within(command(study), "trial_score", 30)
    for scenario in TrialScenario.objects.filter(study=study):
        coding.set_categories(scenario=scenario, names=["It should be done", "Not"], by=coordinator_of(study))
    killed_within(command(study, "--code"), "trial_code", 6)

    last = forked(call_command, *command(study, "--code"))
    last.join(MAX_SECONDS)
    assert last.exitcode == 0

    assert CaseAnswer.objects.filter(call__isnull=False).count() == CaseAnswer.objects.count() == ANSWERS
    assert PanelScore.objects.filter(call__run__study=study).count() == SCORES
    assert ModelConclusion.objects.count() == CODES
    calls = Call.objects.filter(run__study=study)
    assert Counter(calls.values_list("state", flat=True)) == {"accepted": ANSWERS + SCORES + CODES}
    outcomes = Counter(Attempt.objects.values_list("outcome", flat=True))
    assert outcomes["ok"] == ANSWERS + SCORES + CODES
    assert outcomes.total() == outcomes["ok"] + outcomes["lost"], "what is not accepted was on its way when killed"
    assert outcomes["lost"] > 0
    assert not GenerationRun.objects.exclude(state__in=["finished", "withdrawn"]).exists()
    assert not GenerationRun.objects.exclude(reserved=0).exists()
