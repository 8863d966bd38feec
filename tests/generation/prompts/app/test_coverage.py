"""Scenarios by how many of their prompts pass, and concepts of which too many are about technology."""

import pytest
from django.urls import reverse

from annotation.study.models.studies import Study
from generation.prompts.models import Candidate
from generation.prompts.selectors.coverage import coverage_of, too_technical
from generation.sources.models import Source
from tests.clients import signed_in
from tests.factories import a_study, coordinator_of
from tests.generation.prompts.candidates import a_pool, reviewed, voted
from tests.pages import in_words

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return a_study()


def test_scenarios_are_counted_by_how_many_of_their_prompts_pass(study: Study) -> None:
    """Two scenarios and three generators make six bundles of five prompts.

    All models pass what claude wrote; of gemini's first scenario a person fails one; gpt's prompts pass nowhere.
    """
    prompts = a_pool(study)
    by = {
        family: [p for p in prompts if p.bundle.target.family == family] for family in ("claude", "gemini", "gpt")
    }
    voted(by["claude"] + by["gemini"])
    voted(by["gpt"], fails=("claude", "gemini", "gpt"))
    reviewed(by["gemini"][0], passes=False)
    assert [
        (row.generator, row.written, row.all_pass, row.some_pass, row.none_passes) for row in coverage_of(study)
    ] == [
        ("claude", 2, 2, 0, 0),
        ("gemini", 2, 1, 1, 0),
        ("gpt", 2, 0, 0, 2),
    ]
    page = signed_in(coordinator_of(study)).get(reverse("pool_quality", args=[study.slug]))
    assert "gemini 2 1 1 0" in in_words(page)


@pytest.mark.parametrize(
    ("shape", "number", "flagged"), [("concept", 2, [2]), ("concept", 1, []), ("question", 2, [])]
)
def test_more_than_one_prompt_of_a_concept_about_technology_is_pointed_out(
    study: Study, shape: str, number: int, flagged: list[int]
) -> None:
    prompts = a_pool(study, scenarios=1, generators=("claude",))
    Source.objects.update(shape=shape)
    for prompt in prompts[:number]:
        Candidate.objects.filter(pk=prompt.pk).update(text="May an algorithm decide who gets a flat? Why?")
    assert [found.number for found in too_technical(study)] == flagged
    voted(prompts)
    page = signed_in(coordinator_of(study)).get(reverse("pool_quality", args=[study.slug])).content.decode()
    assert ("about technology" in page) == bool(flagged)
    assert (reverse("candidate", args=[study.slug, prompts[0].pk]) in page) == bool(flagged)
