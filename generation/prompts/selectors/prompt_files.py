"""The files in which a study's prompts are published. The same prompts, votes and sample give the same bytes."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from django.db.models import QuerySet

from annotation.study.models.studies import Study
from generation.prompts.core import prompt_files
from generation.prompts.core.prompt_files import PublishedPrompt, Review
from generation.prompts.core.quality import Scheme
from generation.prompts.models import PromptSample, QualityVote
from generation.prompts.selectors.candidates import passing, tallied


def study_prompts_csv(sample: PromptSample) -> bytes:
    return prompt_files.study_prompts(sampled_prompts(sample).items())


def sampled_prompts(sample: PromptSample) -> dict[str, PublishedPrompt]:
    """The prompts of a sample by code, in their order, as they were written, with the votes they have now."""
    codes = dict(sample.prompts.order_by("position").values_list("candidate_id", "code"))
    published = _published(tallied(sample.study).filter(pk__in=codes))
    return {code: published[candidate] for candidate, code in codes.items()}


def evaluation_dataset_csv(study: Study, *, scheme: Scheme, least_passes: int) -> bytes:
    return prompt_files.evaluation_dataset(passing_prompts(study, scheme=scheme, least_passes=least_passes))


def passing_prompts(study: Study, *, scheme: Scheme, least_passes: int) -> list[PublishedPrompt]:
    """Every prompt that passes the quality filter under this rule."""
    found = passing(tallied(study), scheme=scheme, least_passes=least_passes)
    return list(_published(found).values())


# What a prompt is published with, in the order of `PublishedPrompt`.
_WRITTEN: Final = (
    "bundle__scenario__source__slug",
    "bundle__scenario__stratum",
    "bundle__scenario__key",
    "bundle__target__family",
    "bundle__target__model_id",
    "position",
    "sha256",
    "text",
    "label",
    "dimensions",
)


def _published(candidates: QuerySet[Any]) -> dict[int, PublishedPrompt]:
    """The `tallied` prompts that are published, by id."""
    candidates = candidates.order_by()
    rows: Iterable[tuple[Any, ...]] = candidates.values_list("pk", "review_count", "is_failed_by_people", *_WRITTEN)
    votes = _votes(candidates)
    return {
        pk: PublishedPrompt(*(*written, votes[pk], _review(reviews, is_failed)))
        for pk, reviews, is_failed, *written in rows
    }


def _votes(candidates: QuerySet[Any]) -> defaultdict[int, dict[str, bool]]:
    """Whether each prompt passes, by the family of the model that voted."""
    votes: defaultdict[int, dict[str, bool]] = defaultdict(dict)
    given = QualityVote.objects.filter(candidate__in=candidates.values("pk"), target__isnull=False, stands=True)
    for candidate, family, passes in given.order_by().values_list("candidate_id", "target__family", "passes"):
        votes[candidate][family] = passes
    return votes


def _review(reviews: int, is_failed: bool) -> Review:
    if not reviews:
        return ""
    return "fail" if is_failed else "pass"
