"""Studies as their people find them."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch

from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class SiteStudy:
    """A study as administrators see it: how far it is and who coordinates it, nothing from inside."""

    slug: str
    title: str
    preset: str
    state: str
    state_changed_at: datetime
    is_synthetic: bool
    is_archived: bool
    coordinators: tuple[str, ...]
    people: int


def participation_in(user: User, slug: str) -> Participation | None:
    """What `user` is in the study, or `None`: then the study does not exist for them."""
    return (
        Participation.objects.filter(user=user, study__slug=slug, left_at__isnull=True)
        .select_related("study", "user", "consent", "profile")
        .first()
    )


def all_studies() -> list[SiteStudy]:
    """Every study that was not removed, newest first; for administrators."""
    here = Participation.objects.filter(left_at__isnull=True).select_related("user")
    studies = Study.objects.prefetch_related(Prefetch("participations", queryset=here))
    return [_site_study(study) for study in studies.filter(removed_at__isnull=True).order_by("-created_at", "-id")]


def _site_study(study: Study) -> SiteStudy:
    members = list(study.participations.all())
    return SiteStudy(
        slug=study.slug,
        title=study.title,
        preset=study.get_preset_display(),
        state=study.state,
        state_changed_at=study.state_changed_at,
        is_synthetic=study.is_synthetic,
        is_archived=study.archived_at is not None,
        coordinators=tuple(member.user.name for member in members if member.role == Role.COORDINATOR),
        people=len(members),
    )
