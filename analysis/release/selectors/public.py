"""What everybody may know of a study: its commitment at once, its protocol and releases when judging has closed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from analysis.release.models import Release
from analysis.release.selectors.releases import archive_of, why_stale
from annotation.design.selectors.design import Fingerprint, fingerprints
from annotation.platform.core.lifecycle import STUDY
from annotation.study.models.studies import Study
from annotation.texts.models.seeds import StudySeed


@dataclass(frozen=True)
class PublicRelease:
    """A published release; `files` are names with their SHA-256."""

    number: int
    published_at: datetime
    files: Sequence[tuple[str, str]]
    is_given_out: bool


@dataclass(frozen=True)
class PublicPage:
    """Times are those of the lock and, of `designs`, of each change since. `seed` is empty until it is revealed."""

    commitment: str
    committed_at: datetime
    seed: str
    designs: tuple[Fingerprint, ...]
    releases: tuple[PublicRelease, ...]


def public_study(slug: str) -> Study | None:
    """The study with a public page of this name; `None` before its design is locked, and where the page is off."""
    return Study.objects.filter(slug=slug, is_public=True).exclude(state=STUDY.initial).first()


def has_closed(study: Study) -> bool:
    """Whether judging has closed: before that the protocol would tell judges which calibration there is."""
    return STUDY.states.index(study.state) >= STUDY.states.index("closed")


def public_page(study: Study) -> PublicPage:
    kept = StudySeed.objects.get(study=study)
    return PublicPage(
        commitment=kept.commitment,
        committed_at=kept.committed_at,
        seed=bytes(kept.seed).hex() if kept.revealed_at else "",
        designs=fingerprints(study),
        releases=_releases(study) if has_closed(study) else (),
    )


def _releases(study: Study) -> tuple[PublicRelease, ...]:
    published = Release.objects.filter(study=study, number__isnull=False).order_by("-number")
    return tuple(
        PublicRelease(
            number=release.number,
            published_at=release.published_at,
            files=sorted(release.manifest.items()),
            is_given_out=not why_stale(release),
        )
        for release in published
        if release.number and release.published_at
    )


def public_archive(study: Study, number: int) -> bytes | None:
    """The ZIP of a published release; `None` where there is none, or it may not be given out any more."""
    release = Release.objects.filter(study=study, number=number).first()
    return archive_of(release) if release else None
