"""Flags: as their coordinator reads them, and as whoever raised them sees them again."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from annotation.study.models.flags import Flag
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class FlagLine:
    """A flag as the coordinator reads it: `words` are None until scanned. Of an answer, its letter.

    `question` is in the words that whoever raised it saw.
    """

    id: int
    participation: int
    pseudonym: str
    role: str
    prompt: int
    prompt_code: str
    question: str
    about: str
    kind: str
    words: str | None
    raised_at: datetime
    settled_at: datetime | None
    settled_by: str
    note: str


@dataclass(frozen=True)
class OwnFlag:
    about: str
    kind: str
    words: str
    raised_at: datetime
    is_settled: bool


def waiting_flags(study: Study) -> tuple[FlagLine, ...]:
    """Flags that nobody has dealt with, the oldest first."""
    return _lines(Flag.objects.filter(study=study, settled_at=None).order_by("raised_at", "id"))


def flags_dealt_with(study: Study) -> tuple[FlagLine, ...]:
    """What was dealt with, the latest first."""
    return _lines(Flag.objects.filter(study=study).exclude(settled_at=None).order_by("-settled_at", "-id"))


def own_flags(participation: Participation, prompt_version: int) -> tuple[OwnFlag, ...]:
    """What this person said about a question and its answers."""
    found = Flag.objects.filter(participation=participation, prompt_version=prompt_version)
    return tuple(
        OwnFlag(_about(flag), flag.get_kind_display(), flag.words, flag.raised_at, flag.settled_at is not None)
        for flag in found
    )


def _lines(flags: QuerySet[Flag]) -> tuple[FlagLine, ...]:
    return tuple(
        FlagLine(
            id=flag.pk,
            participation=flag.participation_id,
            pseudonym=flag.participation.pseudonym,
            role=flag.participation.get_role_display(),
            prompt=flag.prompt_version.prompt_id,
            prompt_code=flag.prompt_version.prompt.code,
            question=flag.prompt_version.text,
            about=_about(flag),
            kind=flag.get_kind_display(),
            words=flag.shown if flag.scanned_at else None,
            raised_at=flag.raised_at,
            settled_at=flag.settled_at,
            settled_by=str(flag.settled_by or ""),
            note=flag.note,
        )
        for flag in flags.select_related("participation", "prompt_version__prompt", "settled_by")
    )


def _about(flag: Flag) -> str:
    return f"Answer {flag.label}" if flag.label else "The question"
