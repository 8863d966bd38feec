"""From sources to a sample in one command: all of it, once, within the limit, and on from wherever it was left."""

from collections import Counter
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models.studies import Study
from generation import jobs
from generation.models.candidates import Bundle, Candidate, PairVote, PromptMap, PromptSample, QualityVote
from generation.models.runs import Attempt, Call, GenerationRun
from generation.models.sources import StudySource
from generation.selectors.candidates import passing, tallied
from generation.services import planning
from tests.candidates import a_source
from tests.factories import a_study, coordinator_of
from tests.model_runs import a_target

pytestmark = pytest.mark.django_db

GENERATORS = ("claude", "gemini", "gpt")
PRICE = {"input": "2", "output": "10"}


@pytest.fixture
def study() -> Study:
    """Three models that write and judge; two scenarios in the source `bbq`, which it does not draw on yet."""
    a_source("BBQ", scenarios=2)
    return with_models(a_study("pool", prompts=0))


def with_models(study: Study) -> Study:
    for family in GENERATORS:
        a_target(study, family, role="prompts", weak_temperature=None, price=PRICE)
    return study


def build(*arguments: str, study: str = "pool", at_most: object = 100) -> str:
    said = StringIO()
    call_command("build_prompts", study, "--source=bbq", f"--at-most={at_most}", *arguments, stdout=said)
    return said.getvalue()


def by_scenario(candidates: Any) -> dict[int, Counter[int]]:
    """How many of the prompts each generator has, by scenario."""
    found: dict[int, Counter[int]] = {}
    for scenario, generator in candidates.values_list("bundle__scenario_id", "bundle__target_id"):
        found.setdefault(scenario, Counter())[generator] += 1
    return found


def votes_wanted(prompts: Counter[int]) -> int:
    """Within a bundle each pair is compared by the two others; of two generators by the third.

    So 5, 4 and 3 prompts make 2 · (10 + 6 + 3) + 20 + 15 + 12 = 85 votes.
    """
    within = sum(2 * number * (number - 1) // 2 for number in prompts.values())
    return within + sum(first * second for first, second in combinations(prompts.values(), 2))


def test_counts_votes_as_described() -> None:
    assert votes_wanted(Counter({1: 5, 2: 4, 3: 3})) == 85


def test_one_command_leads_from_a_source_to_files(study: Study, tmp_path: Path) -> None:
    said = build("--seed=7", "--per-source=4", f"--out={tmp_path}")

    # 2 scenarios × 3 generators × 5 prompts, each judged by 3 models
    assert StudySource.objects.filter(study=study).count() == 1
    assert (Bundle.objects.count(), Candidate.objects.count(), QualityVote.objects.count()) == (6, 30, 90)
    passed = by_scenario(passing(tallied(study), scheme="all").order_by())
    assert PairVote.objects.count() == sum(map(votes_wanted, passed.values())) > 0
    assert PromptMap.objects.get().drawn_at
    sample = PromptSample.objects.get()
    assert (sample.seed, sample.per_source, sample.prompts.count()) == (7, 4, 4)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["evaluation_dataset.csv", "study_prompts.csv"]
    number = sum(prompts.total() for prompts in passed.values())
    for line in (
        "       2  scenarios",
        "      30  prompts asked for",
        "      30  written  (declined 0, unusable 0)",
        f"{number:>8}  passed",
        "       4  in the sample",
    ):
        assert line in said.splitlines()


def test_given_again_it_asks_for_nothing_and_makes_nothing(study: Study) -> None:
    build()
    attempts, sample, drawn = Attempt.objects.count(), PromptSample.objects.get(), PromptMap.objects.get()

    build()

    assert Attempt.objects.count() == attempts == Call.objects.count()
    assert (PromptSample.objects.get(), PromptMap.objects.get()) == (sample, drawn)


@pytest.mark.parametrize("turns", [0, 1, 2], ids=["writing", "judging", "comparing"])
def test_goes_on_where_it_was_broken_off(study: Study, monkeypatch: pytest.MonkeyPatch, turns: int) -> None:
    work_run, left = jobs.work_run, turns

    def until_broken_off(subject: str, **options: Any) -> None:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        work_run(subject, **options)
        left -= 1

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "work_run", until_broken_off)
        with pytest.raises(KeyboardInterrupt):
            build()
    broken_off = GenerationRun.objects.get(state="stopped")
    assert broken_off.stopped_because == "The command was broken off."

    build()

    broken_off.refresh_from_db()
    assert broken_off.state == "finished"
    assert QualityVote.objects.count() == 90
    assert Attempt.objects.count() == Call.objects.count()


def test_a_plan_that_waits_for_approval_is_taken_up(study: Study) -> None:
    build()
    later = a_source("HLE", scenarios=1, shape="question")
    StudySource.objects.create(study=study, source=later, added_by=coordinator_of(study))
    waiting = planning.plan_run(study=study, by=coordinator_of(study), purpose="prompts")

    build()

    waiting.refresh_from_db()
    assert waiting.state == "finished"
    assert Bundle.objects.filter(scenario__source=later).count() == 3


def test_never_costs_more_than_the_limit(study: Study) -> None:
    with pytest.raises(CommandError, match="Set a limit of"):
        build(at_most="0.000001")
    assert not Attempt.objects.exists()


def test_a_limit_that_is_used_up_ends_it_and_a_further_one_leads_on(study: Study) -> None:
    build()
    whole = sum(run.spent for run in GenerationRun.objects.all())
    second = with_models(a_study("second", prompts=0))
    at_most = whole / 2

    with pytest.raises(CommandError, match=r"give the command again|Set a limit of"):
        build(study="second", at_most=at_most)

    spent = sum(run.spent + run.reserved for run in GenerationRun.objects.filter(study=second))
    assert 0 < spent <= at_most
    build(study="second")
    assert QualityVote.objects.filter(candidate__bundle__study=second).count() == 90


def test_what_it_does_not_know_is_named() -> None:
    with pytest.raises(CommandError, match="no study “pool”"):
        build()
    a_study("pool", prompts=0)
    with pytest.raises(CommandError, match="no source “bbq”"):
        build()
    a_source("BBQ")
    with pytest.raises(CommandError, match="No model is configured"):
        build()
