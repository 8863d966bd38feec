"""Flags: as their coordinator reads them, and as whoever raised them sees them again."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from annotation.study.models.flags import Flag
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class FlagLine:
    """A flag as the coordinator reads it: `words` are None until scanned. Of an answer, its letter."""

    id: int
    pseudonym: str
    role: str
    prompt_code: str
    about: str
    kind: str
    words: str | None
    raised_at: datetime
    settled_at: datetime | None
    note: str


@dataclass(frozen=True)
class OwnFlag:
    about: str
    kind: str
    words: str
    raised_at: datetime
    is_settled: bool


def flags_of(study: Study) -> tuple[FlagLine, ...]:
    """All of the study: those that wait first, oldest first; then what was dealt with, the latest first."""
    found = Flag.objects.filter(study=study).select_related("participation", "prompt_version__prompt")
    waiting = found.filter(settled_at=None).order_by("raised_at", "id")
    settled = found.exclude(settled_at=None).order_by("-settled_at", "-id")
    return (*_lines(waiting), *_lines(settled))


def waiting_flags(study: Study) -> tuple[FlagLine, ...]:
    found = Flag.objects.filter(study=study, settled_at=None)
    return tuple(_lines(found.select_related("participation", "prompt_version__prompt")))


def own_flags(participation: Participation, prompt_version: int) -> tuple[OwnFlag, ...]:
    """What this person said about a question and its answers."""
    found = Flag.objects.filter(participation=participation, prompt_version=prompt_version)
    return tuple(
        OwnFlag(_about(flag), flag.get_kind_display(), flag.words, flag.raised_at, flag.settled_at is not None)
        for flag in found
    )


def _lines(flags: Iterable[Flag]) -> Iterable[FlagLine]:
    for flag in flags:
        yield FlagLine(
            id=flag.pk,
            pseudonym=flag.participation.pseudonym,
            role=flag.participation.get_role_display(),
            prompt_code=flag.prompt_version.prompt.code,
            about=_about(flag),
            kind=flag.get_kind_display(),
            words=flag.shown if flag.scanned_at else None,
            raised_at=flag.raised_at,
            settled_at=flag.settled_at,
            note=flag.note,
        )


def _about(flag: Flag) -> str:
    return f"Answer {flag.label}" if flag.label else "The question"
