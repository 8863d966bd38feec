"""Who may bring sources along, and change the concepts of one. A source belongs to no single study."""

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from annotation.models.participation import Participation, Role
from annotation.models.people import User
from generation.models.sources import Source, StudySource


def can_import_sources(user: User) -> bool:
    """Coordinators of any study."""
    return _coordinates(user).exists()


def check_may_import_sources(user: User) -> None:
    if not can_import_sources(user):
        raise PermissionDenied("Only coordinators of studies may do this.")


def can_change_concepts(user: User, source: Source) -> bool:
    """Whoever brought the source along, and coordinators of studies that draw on it."""
    drawing = StudySource.objects.filter(source=source).values("study")
    return source.imported_by_id == user.pk or _coordinates(user).filter(study__in=drawing).exists()


def check_may_change_concepts(user: User, source: Source) -> None:
    if not can_change_concepts(user, source):
        raise PermissionDenied("Only coordinators of studies that draw on this source may do this.")


def _coordinates(user: User) -> QuerySet[Participation]:
    return Participation.objects.filter(user=user, role=Role.COORDINATOR, left_at__isnull=True)
