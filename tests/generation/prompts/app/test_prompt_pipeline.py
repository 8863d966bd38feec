"""From sources to a sample in one command: all of it, once, within the limit, and on from wherever it was left."""

from collections import Counter
from decimal import Decimal
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.calls import jobs
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import planning, runs
from generation.catalogue.core.prompt_templates import SHIPPED
from generation.catalogue.services import templates
from generation.prompts.models import Bundle, Candidate, PairVote, PromptMap, PromptSample, QualityVote
from generation.prompts.selectors.candidates import passing, tallied
from generation.prompts.services import samples
from generation.sources.models import Source, StudySource
from generation.sources.services.sources import use_source
from tests.factories import a_member, a_person, a_study, coordinator_of
from tests.generation.calls.model_runs import a_target
from tests.generation.prompts.candidates import a_source
from tests.remembered import remembered

pytestmark = pytest.mark.django_db

GENERATORS = ("claude", "gemini", "gpt")
PRICE = {"input": "2", "output": "10"}


@remembered
def a_study_to_be_built(scenarios: int) -> Study:
    """Three models that write and judge; scenarios in the source `bbq`, which it does not draw on yet."""
    study = with_models(a_study("pool", prompts=0))
    a_source("BBQ", scenarios=scenarios)
    return study


@pytest.fixture
def study() -> Study:
    return a_study_to_be_built(scenarios=1)


def with_models(study: Study) -> Study:
    for family in GENERATORS:
        a_target(study, family, role="prompts", weak_temperature=None, price=PRICE)
    return study


def build(
    *arguments: str, study: str = "pool", at_most: object = 100, by: str = "cora.coordinator@example.org"
) -> str:
    said = StringIO()
    given = [study, "--source=bbq", f"--at-most={at_most}", f"--by={by}"]
    call_command("build_prompts", *given, *arguments, stdout=said)
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


def test_the_pipeline_counts_votes_as_described() -> None:
    assert votes_wanted(Counter({1: 5, 2: 4, 3: 3})) == 85


def test_one_command_leads_from_a_source_to_files(tmp_path: Path) -> None:
    study = a_study_to_be_built(scenarios=2)
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


def test_the_pipeline_given_again_asks_for_nothing_and_makes_nothing(study: Study) -> None:
    build()
    attempts, sample, drawn = Attempt.objects.count(), PromptSample.objects.get(), PromptMap.objects.get()

    build()

    assert Attempt.objects.count() == attempts == Call.objects.count()
    assert (PromptSample.objects.get(), PromptMap.objects.get()) == (sample, drawn)


@pytest.mark.parametrize("turns", [0, 1, 2], ids=["writing", "judging", "comparing"])
def test_the_pipeline_goes_on_where_it_was_broken_off(
    study: Study, monkeypatch: pytest.MonkeyPatch, turns: int
) -> None:
    work_run, left = jobs.work_run, turns

    def until_broken_off(subject: str, **options: Any) -> None:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        work_run(subject, **options)
        left -= 1

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "work_run", until_broken_off)
        with pytest.raises(CommandError, match="Whatever came back is kept") as caught:
            build()
    assert caught.value.returncode == 130  # as shells have it after Ctrl-C
    broken_off = GenerationRun.objects.get(state="stopped")
    assert broken_off.stopped_because == "The command was broken off."

    build()

    broken_off.refresh_from_db()
    assert broken_off.state == "finished"
    assert QualityVote.objects.count() == 45  # of 3 generators 5 prompts each, judged by 3 models
    assert Attempt.objects.count() == Call.objects.count()


def a_plan(study: Study, source: Source) -> GenerationRun:
    """To write prompts from this source, listed and not yet approved."""
    coordinator = coordinator_of(study)
    use_source(study=study, source=source, by=coordinator)
    run = planning.plan_run(study=study, by=coordinator, purpose="prompts", only={"sources": [source.pk]})
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    return run


def test_a_plan_for_the_same_sources_that_waits_for_approval_is_taken_up(study: Study) -> None:
    waiting = a_plan(study, Source.objects.get())
    build()
    waiting.refresh_from_db()
    assert (waiting.state, waiting.approved_by) == ("finished", coordinator_of(study))


def reworded(study: Study) -> None:
    name = "prompts_scenario"
    templates.save_template(
        study=study, name=name, text=f"Again: {SHIPPED[name].text}", origin="A test", by=coordinator_of(study)
    )


@pytest.mark.parametrize("why", ["another source", "another wording"])
def test_a_plan_that_nobody_asked_the_pipeline_for_is_neither_approved_nor_paid(study: Study, why: str) -> None:
    of_hle = why == "another source"
    waiting = a_plan(study, a_source("HLE", shape="question") if of_hle else Source.objects.get())
    if not of_hle:
        reworded(study)
    said = build()
    waiting.refresh_from_db()
    assert (waiting.state, waiting.spent, waiting.approved_by) == ("planned", Decimal(0), None)
    assert f"Run {waiting.known_as} was planned for other sources or scenarios" in said
    assert Bundle.objects.count() == 3  # by 3 generators, by the command's own run


def test_a_run_at_work_keeps_the_limit_that_another_person_approved(study: Study) -> None:
    a_member(study, Role.COORDINATOR, a_person("Otto Other"))
    running = a_plan(study, Source.objects.get())
    runs.start_run(run=running, spend_cap=Decimal(7), by=a_person("Otto Other"))
    with pytest.raises(CommandError, match=rf"Run {running.known_as} is at work on this, approved by Otto Other\."):
        build()
    running.refresh_from_db()
    assert (running.state, running.spend_cap) == ("running", Decimal(7))
    build(by="Otto.Other@example.org")
    running.refresh_from_db()
    assert (running.state, running.spend_cap, running.approved_by) == (
        "finished",
        Decimal(100),
        a_person("Otto Other"),
    )


def test_a_trial_writes_from_a_few_scenarios_and_later_ones_add_to_it() -> None:
    a_study_to_be_built(scenarios=2)
    a_source("MIX", scenarios=4, strata=2)

    def written(*options: str) -> Counter[str]:
        build("--source=mix", *options)
        return Counter(Bundle.objects.values_list("scenario__source__code", flat=True))

    assert written("--scenarios=1") == {"BBQ": 3, "MIX": 3}  # by 3 generators each
    first = Bundle.objects.filter(scenario__source__code="MIX").values_list("scenario__stratum", flat=True)[0]
    assert written("--scenarios=2") == {"BBQ": 6, "MIX": 6}
    strata = Bundle.objects.filter(scenario__source__code="MIX").values_list("scenario__stratum", flat=True)
    assert Counter(strata) == {first: 3, ({"Stratum 1", "Stratum 2"} - {first}).pop(): 3}
    assert written() == {"BBQ": 6, "MIX": 12}


def test_the_pipeline_says_who_approves_and_only_a_coordinator_may(study: Study) -> None:
    assert "Cora Coordinator (cora.coordinator@example.org) approves the runs, for 100.00 US dollars" in build()
    judge = a_member(study, Role.JUDGE).user
    for email in (judge.email, "nobody@example.org"):
        with pytest.raises(CommandError, match=f"{email} is no coordinator of “The pool study”"):
            build(by=email)


def test_the_files_and_the_figures_are_those_of_the_sample_that_was_drawn(study: Study, tmp_path: Path) -> None:
    def prompts(*options: str) -> bytes:
        build(*options, f"--out={tmp_path}")
        return (tmp_path / "study_prompts.csv").read_bytes()

    first = prompts("--seed=1", "--per-source=3")
    second = prompts("--seed=2", "--per-source=4")
    samples.take_sample(sample=PromptSample.objects.get(seed=2), by=coordinator_of(study))
    assert prompts("--seed=1", "--per-source=3") == first != second
    assert "       3  in the sample" in build("--seed=1", "--per-source=3").splitlines()


@pytest.mark.parametrize("option", ["--seed=-1", "--seed=half", "--per-source=0", "--per-source=501"])
def test_a_number_that_no_sample_can_have_is_refused_before_anything_is_asked(study: Study, option: str) -> None:
    with pytest.raises(CommandError, match="is no whole number from"):
        build(option)
    assert not Call.objects.exists()


def test_the_pipeline_never_costs_more_than_the_limit(study: Study) -> None:
    with pytest.raises(CommandError, match="Set a limit of"):
        build(at_most="0.000001")
    assert not Attempt.objects.exists()


def test_a_limit_that_is_used_up_ends_the_pipeline_and_a_further_one_leads_on() -> None:
    a_study_to_be_built(scenarios=2)
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


def test_what_the_pipeline_does_not_know_is_named() -> None:
    with pytest.raises(CommandError, match="no study “pool”"):
        build()
    a_study("pool", prompts=0)
    with pytest.raises(CommandError, match="no source “bbq”"):
        build()
    a_source("BBQ")
    with pytest.raises(CommandError, match="No model is configured"):
        build()
