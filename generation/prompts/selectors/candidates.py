"""A study's prompts, with what models and people make of each.

A model's votes stand when it is retired, one by one until the model that took its place, of the same name in the
study, has voted on the same prompt.
"""

from collections import Counter, defaultdict
from typing import Any, TypedDict, cast

from django.contrib.postgres.aggregates import BoolOr
from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, QuerySet
from django.db.models.lookups import GreaterThan

from annotation.study.models.studies import Study
from generation.catalogue.models import Target
from generation.prompts.core.quality import MIN_PASSES, Assessment, Scheme
from generation.prompts.models import Candidate, QualityVote

_MODELS = Q(votes__target__isnull=False, votes__stands=True)
_WRITER = _MODELS & Q(votes__target=F("bundle__target"))
_OTHERS = _MODELS & ~Q(votes__target=F("bundle__target"))
_PEOPLE = Q(votes__reviewer__isnull=False)
_PASSES = Q(votes__passes=True)


class Rule(TypedDict):
    """When a prompt passes the quality filter, as `passing` and `judged` take it."""

    scheme: Scheme
    least_passes: int


def rule_of(study: Study) -> Rule:
    """The one that the study's design sets."""
    return Rule(scheme=cast(Scheme, study.quality_voting), least_passes=study.quality_passes_needed)


def standing_models(study: Study) -> QuerySet[Target]:
    """The models that write prompts and judge them, without those retired from it."""
    return Target.objects.filter(study=study, role=Target.Role.PROMPTS, retired_at__isnull=True)


def names_in_use(study: Study) -> list[str]:
    """What the study calls these models. Nobody waits for a vote that one of the same name has given before."""
    return list(standing_models(study).order_by().values_list("family", flat=True))


def tallied(study: Study) -> QuerySet[Any]:
    """The prompts, in the order they came in, with their votes counted.

    `pass_count` of `vote_count` models pass it, among those that did not write it `other_pass_count` of
    `other_vote_count`; `own_passes` is the vote of the one that did (None without). `names_voted` and
    `other_names_voted` count votes given in the name of a model in use. `review_count` people have looked at it;
    `is_failed_by_people` where one of them fails it.
    """
    in_use = Q(votes__target__family__in=names_in_use(study))
    return (
        Candidate.objects.filter(bundle__study=study)
        .annotate(
            vote_count=Count("votes", filter=_MODELS),
            pass_count=Count("votes", filter=_MODELS & _PASSES),
            other_vote_count=Count("votes", filter=_OTHERS),
            other_pass_count=Count("votes", filter=_OTHERS & _PASSES),
            own_passes=BoolOr("votes__passes", filter=_WRITER),
            names_voted=Count("votes", filter=_MODELS & in_use),
            other_names_voted=Count("votes", filter=_OTHERS & in_use),
            review_count=Count("votes", filter=_PEOPLE),
            is_failed_by_people=GreaterThan(Count("votes", filter=_PEOPLE & ~_PASSES), 0),
        )
        .order_by("pk")
    )


def passing(candidates: QuerySet[Any], *, scheme: Scheme, least_passes: int = MIN_PASSES) -> QuerySet[Any]:
    """The `tallied` prompts that pass the quality filter.

    Under “all” at least so many models pass it; under “others” at least so many of those that did not write it, and
    none of them fails it. In either case no person fails it. What came finished passed elsewhere, and does here
    until a model judges it.
    """
    return candidates.filter(_passing(scheme, least_passes))


def passing_in(study: Study) -> QuerySet[Any]:
    """The study's prompts that pass the quality filter by its own rule."""
    return passing(tallied(study), **rule_of(study))


def judged(candidates: QuerySet[Any], *, scheme: Scheme, least_passes: int = MIN_PASSES) -> QuerySet[Any]:
    """The `tallied` prompts, each with `is_passing`: whether it passes the quality filter, as `passing` says."""
    found: QuerySet[Any] = candidates.annotate(is_passing=_truth(_passing(scheme, least_passes)))
    return found


def _passing(scheme: Scheme, least_passes: int) -> Q:
    came_finished = Q(bundle__call=None, vote_count=0)
    return (came_finished | _passed_by_models(scheme, least_passes)) & Q(is_failed_by_people=False)


def _passed_by_models(scheme: Scheme, least_passes: int) -> Q:
    if scheme == "all":
        return Q(pass_count__gte=least_passes)
    return Q(other_pass_count__gte=least_passes, other_pass_count=F("other_vote_count"))


def _truth(condition: Q) -> "ExpressionWrapper[Q]":
    return ExpressionWrapper(condition, BooleanField())


def verdicts(study: Study) -> dict[int, dict[int, bool]]:
    """Whether each prompt passes with each model."""
    found: defaultdict[int, dict[int, bool]] = defaultdict(dict)
    votes = _votes_of_models(study).order_by().values_list("candidate_id", "target_id", "passes")
    for candidate, target, passes in votes:
        found[candidate][target] = passes
    return found


def people_and_models(study: Study, *, scheme: Scheme, least_passes: int = MIN_PASSES) -> list[tuple[bool, bool]]:
    """Whether each prompt that both people and models have judged passes with the former, and with the latter."""
    reviewed = QualityVote.objects.filter(candidate__bundle__study=study, reviewer__isnull=False)
    both = tallied(study).filter(pk__in=reviewed.values("candidate"), vote_count__gt=0)
    by_models = both.annotate(passes_models=_truth(_passed_by_models(scheme, least_passes)))
    rows = by_models.values_list("is_failed_by_people", "passes_models")
    return [(not failed, passes) for failed, passes in rows]


def reasons_by_generator(study: Study) -> dict[int, Counter[str]]:
    """How many votes on each model's prompts there are (“votes”), and how many name each of `REASONS`."""
    found: defaultdict[int, Counter[str]] = defaultdict(Counter)
    votes = (
        _votes_of_models(study)
        .order_by()
        .values_list("candidate__bundle__target_id", "depth", "open_endedness", "generalisation", "rejections")
    )
    for writer, depth, open_ended, general, rejections, number in votes.annotate(number=Count("pk")):
        found[writer]["votes"] += number
        for code in Assessment(depth, open_ended, general, tuple(rejections)).against:
            found[writer][code] += number
    return found


def _votes_of_models(study: Study) -> QuerySet[QualityVote]:
    return QualityVote.objects.filter(candidate__bundle__study=study, target__isnull=False, stands=True)
