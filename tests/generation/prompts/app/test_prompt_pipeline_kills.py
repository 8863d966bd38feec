"""The command from sources to a sample, killed with SIGKILL in the middle of its calls; again and again where the
environment has THOROUGH=1.
"""

import time
from collections import Counter

import pytest
from django.core.management import call_command
from pytest_django import Settings

from annotation.study.models.studies import Study
from generation.calls.models import Attempt, Call, GenerationRun
from generation.prompts.models import Bundle, Candidate, PairVote, PromptSample, QualityVote
from tests.factories import a_study
from tests.forked import forked
from tests.generation.calls.model_runs import a_target
from tests.generation.prompts.candidates import a_source
from tests.thorough import IS_THOROUGH

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack]

SCENARIOS = 4 if IS_THOROUGH else 2
WRITTEN = SCENARIOS * 3  # by each generator
# After so many attempts at calls: of 12 or 6 that write, 180 or 90 that judge and some 300 or 150 that compare.
KILLED_AT = (5, 60, 250) if IS_THOROUGH else (30,)
COMMAND = ("build_prompts", "pool", "--source=bbq", "--by=cora.coordinator@example.org", "--at-most=10")
MAX_SECONDS = 120.0  # seconds, after which something is stuck


@pytest.fixture
def study(settings: Settings) -> Study:
    """Its models take a moment to answer, so that there is always something on its way."""
    settings.LEASE_SECONDS = 3
    a_source("BBQ", scenarios=SCENARIOS)
    study = a_study("pool", prompts=0)
    for family in ("claude", "gemini", "gpt"):
        a_target(study, family, role="prompts", weak_temperature=None, options={"delay_seconds": 0.3})
    return study


def kill_after(attempts: int) -> None:
    """Let the command go on, until so many attempts have been made."""
    process = forked(call_command, *COMMAND)
    until = time.monotonic() + MAX_SECONDS
    while Attempt.objects.count() < attempts:
        assert process.is_alive(), "it ended before it was killed"
        assert time.monotonic() < until
        time.sleep(0.02)
    process.kill()
    process.join()


def test_nothing_is_missing_or_there_twice_after_kills(study: Study) -> None:
    for attempts in KILLED_AT:
        kill_after(attempts)
    open_when_killed = Attempt.objects.filter(ended_at=None).count()

    last = forked(call_command, *COMMAND)
    last.join(MAX_SECONDS)
    assert last.exitcode == 0

    made = Bundle.objects.count(), Candidate.objects.count(), QualityVote.objects.count()
    assert made == (WRITTEN, WRITTEN * 5, WRITTEN * 5 * 3)  # each time 5 prompts, judged by 3
    calls = Call.objects.filter(run__study=study)
    accepted = WRITTEN + WRITTEN * 5 * 3 + PairVote.objects.count()
    assert Counter(calls.values_list("state", flat=True)) == {"accepted": accepted}
    outcomes = Counter(Attempt.objects.values_list("outcome", flat=True))
    assert outcomes["ok"] == calls.count()
    assert outcomes.total() == outcomes["ok"] + outcomes["lost"], "what is not accepted was on its way when killed"
    assert outcomes["lost"] >= open_when_killed > 0
    assert not GenerationRun.objects.exclude(state__in=["finished", "withdrawn"]).exists()
    assert not GenerationRun.objects.exclude(reserved=0).exists()
    assert PromptSample.objects.get().prompts.count() == 10
