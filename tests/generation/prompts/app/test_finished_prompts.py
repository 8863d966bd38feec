"""A published pool, such as SCRuBEval, as a source: its prompts are candidates, and samples are drawn from them."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.platform.core.errors import Refused
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from generation.prompts.core.prompt_files import PublishedPrompt, evaluation_dataset
from generation.prompts.models import Candidate
from generation.prompts.selectors.pool import pool_of
from generation.prompts.selectors.prompt_files import evaluation_dataset_csv
from generation.prompts.services.samples import discard_sample, make_sample, take_sample
from generation.sources.models import Source
from generation.sources.services.sources import drop_source, use_source
from tests.clients import signed_in
from tests.factories import a_study, coordinator_of
from tests.generation.prompts.candidates import reviewed

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


def test_what_a_person_fails_passes_no_more(study: Study) -> None:
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
