"""A study's releases as its researchers see them, and whether one may still be given out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Length

from analysis.release.models import Release, ReleaseArchive
from annotation.platform.core.phrases import counted
from annotation.study.models.participation import Consent
from annotation.study.models.protocol import ProfileQuestion
from annotation.study.models.studies import Study
from annotation.texts.selectors.clearances import withheld_since

# Since it was prepared, somebody whose data may be in a release has withdrawn them, or a text is withheld.
WITHDRAWN_SINCE = Exists(
    Consent.objects.filter(participation__study=OuterRef("study"), withdrawn_at__gt=OuterRef("prepared_at"))
) | withheld_since("prepared_at")
# It was not published, and another release has taken its number since.
OVERTAKEN = Q(number=None) & Exists(
    Release.objects.filter(study=OuterRef("study"), published_at__gt=OuterRef("prepared_at"))
)


@dataclass(frozen=True)
class PublishedFile:
    name: str
    sha256: str


@dataclass(frozen=True)
class PublishedRole:
    """How exactly each question is published for a role's people, and of how many nothing is published since what
    they said is too
    rare, and the people of the rarest combination. `is_withheld`: of nobody is, since they are too few.
    """

    role: str
    people: int
    smallest_group: int
    withheld: int
    is_withheld: bool
    answers: Mapping[str, str]


@dataclass(frozen=True)
class ReleasePage:
    """A release with its files. `stale` says why they are not given out any more, `size` is their ZIP's in bytes.

    `generalised` and `withdrawn` are in words what `BuiltRelease.report` has.
    """

    release: Release
    files: tuple[PublishedFile, ...]
    generalised: tuple[PublishedRole, ...]
    withdrawn: tuple[str, ...]
    stale: str
    size: int | None


def releases_of(study: Study) -> QuerySet[Release]:
    """The newest first, those not published before all others; each with `is_outdated`."""
    releases = Release.objects.filter(study=study).select_related("asked_by", "published_by")
    outdated = releases.annotate(is_outdated=WITHDRAWN_SINCE | OVERTAKEN)
    return outdated.order_by("-published_at", "-asked_at", "-id")


def last_licence(study: Study) -> str:
    """The licence of the release that was asked for last; "" for none."""
    return Release.objects.filter(study=study).values_list("licence", flat=True).first() or ""


def next_number(study: Study) -> int:
    return Release.objects.filter(study=study, number__isnull=False).count() + 1


def release_page(release: Release) -> ReleasePage:
    report = release.report
    archive = ReleaseArchive.objects.filter(release=release).annotate(size=Length("content"))
    return ReleasePage(
        release=release,
        files=tuple(PublishedFile(*file) for file in sorted(release.manifest.items())),
        generalised=tuple(map(_published, report.get("generalised", ()))),
        withdrawn=tuple(counted(number, kind) for kind, number in sorted(report.get("withdrawn", {}).items())),
        stale=why_stale(release),
        size=archive.values_list("size", flat=True).first(),
    )


def _published(group: Mapping[str, Any]) -> PublishedRole:
    answers = {ProfileQuestion(column).label: words for column, words in group["columns"].items()}
    return PublishedRole(
        role=f"{group['role'].capitalize()}s",
        people=group["people"],
        smallest_group=group["smallest_group"],
        withheld=group["withheld"],
        is_withheld=group["is_withheld"],
        answers=answers,
    )


def why_stale(release: Release) -> str:
    """Why, in words, its files may be given to nobody any more; empty where they may."""
    this = Release.objects.filter(pk=release.pk)
    if this.filter(WITHDRAWN_SINCE).exists():
        return (
            "Since it was prepared, somebody has withdrawn their consent or a text was withheld, and it may be in "
            "its files. A new release leaves those data out and names what is gone."
        )
    if this.filter(OVERTAKEN).exists():
        return "Another release was published since it was prepared, so it has the wrong number."
    return ""


def stale_since_published(study: Study) -> Release | None:
    """The study's newest published release where its files are given to nobody any more."""
    newest = Release.objects.filter(study=study).exclude(number=None).order_by("-number").first()
    return newest if newest and why_stale(newest) else None


def archive_of(release: Release) -> bytes | None:
    """The ZIP of a release's files; `None` where there is none, or where it may not be given out any more."""
    if why_stale(release):
        return None
    content = ReleaseArchive.objects.filter(release=release).values_list("content", flat=True).first()
    return None if content is None else bytes(content)
