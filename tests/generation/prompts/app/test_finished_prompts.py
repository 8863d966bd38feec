"""A published pool, such as SCRuBEval, as a source: its prompts are candidates, and samples are drawn from them."""

from io import StringIO
from pathlib import Path
from statistics import fmean

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from generation.calls.services.runs import withdraw_plan
from generation.prompts.core.prompt_files import PublishedPrompt, evaluation_dataset
from generation.prompts.core.prompt_map import Drawing
from generation.prompts.models import Candidate, PromptMap
from generation.prompts.selectors.origins import generators
from generation.prompts.selectors.pool import pool_of
from generation.prompts.selectors.prompt_files import evaluation_dataset_csv
from generation.prompts.selectors.prompt_maps import star, unsent
from generation.prompts.services.prompt_maps import ask_for_map, draw_map
from generation.prompts.services.samples import discard_sample, make_sample, take_sample
from generation.sources.models import Scenario, Source
from generation.sources.services.sources import drop_source, use_source
from tests.clients import signed_in
from tests.factories import a_study, coordinator_of
from tests.generation.calls.model_runs import a_target, planned, started
from tests.generation.framing.framed import a_framing_set
from tests.generation.prompts.candidates import prompt_models, reviewed

pytestmark = pytest.mark.django_db


def published(name: str = "scrub-eval") -> bytes:
    """Two prompts by each of three models from each of four scenarios of three strata."""
    return evaluation_dataset(
        PublishedPrompt(
            source=name,
            stratum="ABCC"[scenario],
            scenario=f"s{scenario}",
            generator=family,
            model_id=f"{family}-1",
            position=position,
            sha256="",
            text=f"What does {family} owe to scenario {scenario}, part {position}?",
            label=f"Duties of {family}",
            dimensions="",
            votes={"claude": True},
            review="",
        )
        for scenario in range(4)
        for family in ("claude", "gemini", "gpt")
        for position in (1, 2)
    )


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """It draws on the pool, imported by the command."""
    (tmp_path / "evaluation_dataset.csv").write_bytes(published())
    said = StringIO()
    named = ("--shape", "prompts", "--slug", "scrub-eval", "--code", "EVAL", "--name", "SCRuBEval")
    call_command("import_source", "table", str(tmp_path), *named, stdout=said, no_color=True)
    assert said.getvalue().splitlines() == ["      24  all rows", "Stored 4 scenarios as “scrub-eval”."]
    study = a_study(prompts=0)
    use_source(study=study, source=Source.objects.get(), by=coordinator_of(study))
    return study


def test_a_pools_writers_are_told_from_the_studys_models_of_the_same_family(study: Study) -> None:
    assert sorted(generators(study).values()) == ["claude", "gemini", "gpt"]
    a_target(study, "claude", role="prompts", weak_temperature=None)
    named = sorted(generators(study).values())
    assert len(set(named)) == len(named)
    assert {"claude", "claude, of a pool"} <= set(named)


def test_every_prompt_is_a_candidate_that_passes_and_a_sample_is_spread_over_strata_and_writers(
    study: Study,
) -> None:
    amounts = pool_of(study).amounts
    assert (amounts.scenarios, amounts.asked, amounts.written, amounts.passed, amounts.to_come) == (
        4,
        24,
        24,
        24,
        0,
    )
    by = coordinator_of(study)
    sample = make_sample(study=study, by=by, per_source=3)
    chosen = [each.candidate.bundle for each in sample.prompts.all()]
    assert sorted(bundle.target.family for bundle in chosen) == ["claude", "gemini", "gpt"]
    assert sorted(bundle.scenario.stratum for bundle in chosen) == ["A", "B", "C"]
    take_sample(sample=sample, by=by)
    assert [prompt.code for prompt in Prompt.objects.order_by("code")] == ["EVAL_01", "EVAL_02", "EVAL_03"]


def test_a_prompt_that_a_person_fails_passes_no_more(study: Study) -> None:
    reviewed(Candidate.objects.all()[0], passes=False)
    assert pool_of(study).amounts.passed == 23


def test_what_is_published_again_are_the_same_texts(study: Study) -> None:
    again = evaluation_dataset_csv(study, scheme="all", least_passes=2).decode()
    for line in published().decode().splitlines()[1:]:
        assert line.split(",")[6] in again


def test_pages_show_prompts_that_no_call_brought(study: Study) -> None:
    client: Client = signed_in(coordinator_of(study))
    candidate = Candidate.objects.all()[0]
    page = client.get(reverse("candidate", args=[study.slug, candidate.pk])).content.decode()
    assert "finished when imported" in page
    assert "thought aloud" not in page
    others = Candidate.objects.filter(bundle__scenario=candidate.bundle.scenario).exclude(bundle=candidate.bundle)
    assert not any(other.text in page for other in others)
    for name in ("pool", "candidates", "pool_quality", "study_models", "pool_sources"):
        assert client.get(reverse(name, args=[study.slug])).status_code == 200, name


def test_a_source_goes_with_its_prompts_unless_they_are_in_a_sample(study: Study) -> None:
    source, by = Source.objects.get(), coordinator_of(study)
    sample = make_sample(study=study, by=by, per_source=2)
    with pytest.raises(Refused, match="are in a sample"):
        drop_source(study=study, source=source, by=by)
    discard_sample(sample=sample, by=by)
    drop_source(study=study, source=source, by=by)
    assert not Candidate.objects.exists()
    use_source(study=study, source=source, by=by)
    assert Candidate.objects.count() == 24


def test_a_source_stays_while_a_run_is_to_ask_about_its_prompts_and_goes_once_the_plan_is_withdrawn(
    study: Study,
) -> None:
    prompt_models(study, ["judge", "other"])
    source, by = Source.objects.get(), coordinator_of(study)
    for purpose in ("quality", "pairs"):
        run = planned(study, purpose=purpose, track="")
        with pytest.raises(Refused, match=f"Run {run.number} is to ask models .* Withdraw its plan first"):
            drop_source(study=study, source=source, by=by)
        withdraw_plan(run=run, by=by)
    started(study, purpose="quality", track="")
    with pytest.raises(Refused, match="asks models about prompts of “SCRuBEval”, so that the source stays"):
        drop_source(study=study, source=source, by=by)


def test_a_source_whose_prompts_are_in_a_set_of_framings_stays(study: Study) -> None:
    prompt_models(study, ["judge", "other"])
    a_framing_set(study, origin="pool", number=2)
    with pytest.raises(Refused, match="are in use as framed prompts, so that the source stays"):
        drop_source(study=study, source=Source.objects.get(), by=coordinator_of(study))


def test_a_map_says_nothing_of_what_finished_prompts_were_written_from_and_goes_with_the_source(
    study: Study,
) -> None:
    source, by = Source.objects.get(), coordinator_of(study)
    made = ask_for_map(study=study, source=source, by=by)
    assert unsent(study, source, method="any") == sum(map(len, Candidate.objects.values_list("text", flat=True)))
    draw_map(made.pk)
    made.refresh_from_db()
    drawn = Drawing.of(made.drawing)
    own = [(prompt.x, prompt.y) for prompt in drawn.prompts if prompt.scenario == 0]
    # A scenario is in the middle of its prompts.
    assert drawn.scenarios[0][-2:] == pytest.approx(tuple(fmean(axis) for axis in zip(*own, strict=True)), abs=1e-3)
    assert star(made, Scenario.objects.get(pk=drawn.scenarios[0].id))["texts"] == []
    drop_source(study=study, source=source, by=by)
    assert not PromptMap.objects.exists()
    draw_map(made.pk)  # work that was asked for before
