"""The ratings that prompts ask for, and which judgments count for them. Nothing here tells a source."""

from django.db.models import Q, QuerySet

from annotation.judging.core.inclusion import Place, Rating, places
from annotation.judging.models.judging import JudgingItem
from annotation.study.models.studies import Study


def places_of(study: Study) -> list[Place]:
    """Every place of the study, by its items."""
    return _places(JudgingItem.objects.filter(study=study))


def shared_places(study: Study) -> list[Place]:
    """Those that more than one judge has had."""
    shared = Q(replaces__isnull=False) | Q(replacement__isnull=False)
    return _places(JudgingItem.objects.filter(shared, study=study))


def surplus(study: Study) -> frozenset[int]:
    """The ids of submitted items that do not count, because another judge's was submitted before in their place."""
    return frozenset(item.id for place in shared_places(study) for item in place.surplus)


def _places(items: QuerySet[JudgingItem]) -> list[Place]:
    rows = items.order_by().values_list(
        "pk", "prompt__code", "participation__pseudonym", "state", "replaces", "submitted_at"
    )
    return places(Rating(*row) for row in rows)
