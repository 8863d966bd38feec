"""The ratings that prompts ask for, and which judgments count for them. Nothing here tells a source."""

from django.db.models import Q, QuerySet

from annotation.judging.core.requested_ratings import RatedItem, RequestedRating, requested_ratings
from annotation.judging.models.judging import JudgingItem
from annotation.study.models.studies import Study


def requested_ratings_of(study: Study) -> list[RequestedRating]:
    """Every rating that the study asks for, by its items."""
    return _requested(JudgingItem.objects.filter(study=study))


def shared_ratings(study: Study) -> list[RequestedRating]:
    """Ratings that more than one judge has had."""
    shared = Q(replaces__isnull=False) | Q(replacement__isnull=False)
    return _requested(JudgingItem.objects.filter(shared, study=study))


def surplus(study: Study) -> frozenset[int]:
    """The ids of submitted items that do not count, because another judge's was submitted before in their place."""
    return frozenset(item.id for rating in shared_ratings(study) for item in rating.surplus)


def _requested(items: QuerySet[JudgingItem]) -> list[RequestedRating]:
    rows = items.order_by().values_list(
        "pk", "prompt__code", "participation__pseudonym", "state", "replaces", "submitted_at"
    )
    return requested_ratings(RatedItem(*row) for row in rows)
