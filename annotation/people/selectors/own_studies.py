"""A person's studies, each with what they still have to do in it."""

from dataclasses import dataclass
from datetime import datetime

from annotation.people.selectors.pending_work import pending_work
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation
from annotation.study.policies.participation import is_studied


@dataclass(frozen=True)
class StudyLine:
    """A study in a person's list: what they are in it and what they still have to do."""

    slug: str
    title: str
    description: str
    state: str
    is_audit: bool
    is_trial: bool
    is_scored: bool
    role: str
    is_synthetic: bool
    is_archived: bool
    pending_work: str


@dataclass(frozen=True)
class FormerStudy:
    """A study that a person took part in and has left; writers and judges still find their data there."""

    slug: str
    title: str
    role: str
    left_at: datetime
    has_data: bool


def former_studies_of(user: User) -> list[FormerStudy]:
    """The last one left first."""
    left = Participation.objects.filter(user=user, left_at__isnull=False).select_related("study")
    return [
        FormerStudy(p.study.slug, p.study.title, p.get_role_display(), p.left_at, is_studied(p))
        for p in left.order_by("-left_at", "-pk")
        if p.left_at
    ]


def studies_of(user: User) -> list[StudyLine]:
    """The studies a person takes part in, newest first."""
    participations = list(
        Participation.objects.filter(user=user, left_at__isnull=True)
        .select_related("study", "consent", "profile")
        .order_by("-study__created_at", "-study__id")
    )
    pending = pending_work(participations)
    return [
        StudyLine(
            slug=p.study.slug,
            title=p.study.title,
            description=p.study.description,
            state=p.study.state,
            is_audit=p.study.audits_benchmarks,
            is_trial=p.study.is_trial,
            is_scored=p.study.is_trial and not p.study.has_judging,
            role=p.get_role_display(),
            is_synthetic=p.study.is_synthetic,
            is_archived=p.study.archived_at is not None,
            pending_work=pending[p.pk],
        )
        for p in participations
    ]
