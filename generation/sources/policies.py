"""Who may bring sources along, and change the concepts of one. A source belongs to no single study."""

from typing import Final

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from generation.calls.models import Call
from generation.sources.models import Source, StudySource

_OTHERS_CONCEPTS: Final = (
    "Only whoever imported this source, or coordinates every study that draws on it, changes its concepts and "
    "documents. Import a copy of your own under another short name, and change that."
)


def can_import_sources(user: User) -> bool:
    """Coordinators of any study."""
    return _coordinates(user).exists()


def check_may_import_sources(user: User) -> None:
    if not can_import_sources(user):
        raise PermissionDenied("Only coordinators of studies may do this.")


def check_may_change_concepts(user: User, source: Source) -> None:
    if not _can_change_concepts(user, source):
        raise PermissionDenied(_OTHERS_CONCEPTS)


def why_concepts_stay(source: Source) -> str:
    """Why its concepts and documents are changed by nobody any more; empty where they may be."""
    if not Call.objects.filter(scenario__source=source).exists():
        return ""
    return (
        f"A run has prompts written from “{source.name}”, so its concepts and documents stay as they are. Where "
        "nothing was sent yet, withdraw the plan first; otherwise import a copy under another short name, and "
        "change that."
    )


def why_not_change_concepts(user: User, source: Source) -> str:
    """Why this person changes no concept or document of the source; empty where they may."""
    return why_concepts_stay(source) if _can_change_concepts(user, source) else _OTHERS_CONCEPTS


def _can_change_concepts(user: User, source: Source) -> bool:
    """Whoever brought the source along, and those who coordinate every study that draws on it."""
    drawing = set(StudySource.objects.filter(source=source).values_list("study", flat=True))
    coordinated = set(_coordinates(user).values_list("study", flat=True))
    return source.imported_by_id == user.pk or (bool(drawing) and drawing <= coordinated)


def _coordinates(user: User) -> QuerySet[Participation]:
    return Participation.objects.filter(user=user, role=Role.COORDINATOR, left_at__isnull=True)
