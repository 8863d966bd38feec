"""Studies as their people find them."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Prefetch

from annotation.platform.models.users import User
from annotation.platform.services.rows import columns, instances
from annotation.study.models.participation import Consent, Participation, Profile, Role
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class SiteStudy:
    """A study as administrators see it: how far it is and who coordinates it, nothing from inside."""

    slug: str
    title: str
    preset: str
    state: str
    state_changed_at: datetime
    is_audit: bool
    is_trial: bool
    is_scored: bool
    is_synthetic: bool
    is_archived: bool
    coordinators: tuple[str, ...]
    people: int


# Written out: every page of a study asks it, and building it anew costs more than its answer.
_MEMBERSHIP = f"""
    SELECT {columns(Participation, "own")}, {columns(Study, "study")}, {columns(Consent, "consent")},
        {columns(Profile, "profile")}
    FROM annotation_participation own JOIN annotation_study study ON study.id = own.study_id
    LEFT JOIN annotation_consent consent ON consent.participation_id = own.id
    LEFT JOIN annotation_profile profile ON profile.participation_id = own.id
    WHERE own.user_id = %s AND study.slug = %s
"""  # noqa: S608 - nothing in it comes from outside


def membership(user: User, slug: str) -> Participation | None:
    """What `user` is in the study or was: whoever has left it may still read their consent, and withdraw it."""
    with connection.cursor() as cursor:
        cursor.execute(_MEMBERSHIP, [user.pk, slug])
        row = cursor.fetchone()
    if row is None:
        return None
    own: Participation
    own, study, consent, profile = instances((Participation, Study, Consent, Profile), row)
    own.user, own.study = user, study
    own._state.fields_cache |= {"consent": consent, "profile": profile}
    return own


def participation_in(user: User, slug: str) -> Participation | None:
    """What `user` is in the study, or `None`: then the study does not exist for them."""
    own = membership(user, slug)
    return own if own and own.left_at is None else None


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
        is_audit=study.audits_benchmarks,
        is_trial=study.is_trial,
        is_scored=study.is_trial and not study.has_judging,
        is_synthetic=study.is_synthetic,
        is_archived=study.archived_at is not None,
        coordinators=tuple(member.user.name for member in members if member.role == Role.COORDINATOR),
        people=len(members),
    )
