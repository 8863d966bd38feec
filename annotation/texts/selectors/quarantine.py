"""Texts that may give their source away, for a coordinator to decide about; nothing here says whose they are."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from annotation.platform.core.text import count_words, sha256_hex
from annotation.study.models.studies import Study
from annotation.texts.core.comparison import Comparison, compare
from annotation.texts.core.leaks.scan import Finding
from annotation.texts.core.leaks.signs import PERHAPS, PROBABLY, SURELY, Kind, Severity
from annotation.texts.core.reading import Reading
from annotation.texts.models.model_readings import TextReading
from annotation.texts.models.provenance import Stimulus, TextEdit

SEVERITIES: Final[Mapping[Severity, str]] = {
    SURELY: "Surely leaks",
    PROBABLY: "Probably leaks",
    PERHAPS: "Perhaps leaks",
}
IN_WORDS: Final[Mapping[Kind, str]] = {
    "address": "speaks to whoever asked for it",
    "author_name": "the writer’s name",
    "circumstances": "tells how or where it was written",
    "contact": "where its writer can be found",
    "disguise": "a word written so that a search misses it",
    "markup": "left-over markup",
    "model_name": "name of a model or its maker",
    "own_life": "tells of its writer’s life",
    "own_name": "gives a name or signs",
    "own_post": "tells of its writer’s post, place or students",
    "own_words": "words of who speaks of themselves",
    "own_work": "tells of its writer’s publications or research",
    "refusal": "wording of a refusal",
    "musing": "thinks aloud before it answers",
    "self_reference": "speaks of itself as a machine",
    "study": "speaks of the study, or of using machines",
    "task": "speaks of its task: length, time, form",
    "truncated": "stops before its end",
}
"""Of each kind in general, for findings that were kept before they said themselves what is the matter."""


@dataclass(frozen=True)
class Passage:
    """A stretch of the text from character `start` on, and what was found in it in words; empty for nothing."""

    start: int
    text: str
    finding: str


@dataclass(frozen=True)
class Found:
    """One finding: the words it is about, and what is the matter with them. The passage at `start` shows it."""

    start: int
    quote: str
    meaning: str
    severity: Severity

    @property
    def severity_in_words(self) -> str:
        return SEVERITIES[self.severity]


@dataclass(frozen=True)
class Read:
    """What a model that read the text said of it; `severity` is 0 where it found nothing."""

    reader: str
    severity: int
    verdict: str
    quote: str
    reason: str


@dataclass(frozen=True)
class QuarantinedText:
    """A text in passages, which put together are the whole text; its findings, the gravest first.

    It stands as it was sent where a `fault` kept it unread.
    """

    response: UUID
    prompt_code: str
    words: int
    passages: tuple[Passage, ...]
    findings: tuple[Found, ...]
    fault: str
    readings: tuple[Read, ...]


@dataclass(frozen=True)
class Edited:
    """A text that was let in with other words than those it came with."""

    response: UUID
    prompt_code: str
    edited_at: datetime
    edited_by: str
    reason: str


@dataclass(frozen=True)
class Versions:
    """What an edit changes: both texts, their words, and what the scan finds in the new one."""

    comparison: Comparison
    words_before: int
    words_after: int
    findings: tuple[Found, ...]


def waiting_texts(study: Study) -> QuerySet[Stimulus]:
    """Texts waiting for a decision; for `quarantined_text`, a page at a time.

    What surely leaks comes first, and what is as grave in the prompts' order.
    """
    waiting = Stimulus.objects.filter(study=study, state="quarantined")
    return waiting.select_related("study", "prompt", "response").order_by(
        "-leak_severity", "prompt__position", "pk"
    )


def with_readings(stimuli: Iterable[Stimulus]) -> list[QuarantinedText]:
    """The texts as they are shown, each with what models said of it as it is now."""
    stimuli = list(stimuli)
    said: dict[tuple[UUID, str], list[Read]] = defaultdict(list)
    for row in TextReading.objects.filter(response__in=[stimulus.pk for stimulus in stimuli]):
        said[row.response_id, row.text_sha256].append(
            Read(row.reader, row.verdict, row.get_verdict_display(), row.quote, row.reason)
        )
    return [
        quarantined_text(stimulus, said[stimulus.pk, sha256_hex(stimulus.response.text)]) for stimulus in stimuli
    ]


def quarantined_text(stimulus: Stimulus, readings: Sequence[Read] = ()) -> QuarantinedText:
    response = stimulus.response
    return QuarantinedText(
        response=stimulus.pk,
        prompt_code=stimulus.prompt.code,
        words=response.word_count,
        passages=tuple(_passages(response.text, stimulus.flags)),
        findings=found_in(stimulus),
        fault=stimulus.fault,
        readings=tuple(readings),
    )


def found_in(stimulus: Stimulus) -> tuple[Found, ...]:
    """What the scan found when the text was read, the gravest first."""
    return _gravest_first(_found(stimulus.response.text, flag) for flag in stimulus.flags)


def _passages(text: str, flags: Sequence[Mapping[str, Any]]) -> Iterator[Passage]:
    """Cut the text at the findings' ends; what two findings share belongs to both."""
    ends = {0, len(text)} | {end for flag in flags for end in (flag["start"], flag["end"])}
    for start, end in pairwise(sorted(ends)):
        found = [_meaning(flag) for flag in flags if flag["start"] <= start and end <= flag["end"]]
        yield Passage(start, text[start:end], ", ".join(found))


def _found(text: str, flag: Mapping[str, Any]) -> Found:
    quote = text[flag["start"] : flag["end"]]
    return Found(flag["start"], quote, _meaning(flag), flag.get("severity", PERHAPS))


def _meaning(flag: Mapping[str, Any]) -> str:
    meaning: str = flag.get("meaning") or IN_WORDS[flag["kind"]]
    return meaning


def _gravest_first(findings: Iterable[Found]) -> tuple[Found, ...]:
    return tuple(sorted(findings, key=lambda found: (-found.severity, found.start)))


def edited_texts(study: Study) -> list[Edited]:
    """Texts that were edited and are in the study, the last edit first."""
    standing = Stimulus.objects.filter(study=study, state="admitted").values("pk")
    edits = TextEdit.objects.filter(response__in=standing).select_related("response__prompt", "edited_by")
    return [
        Edited(edit.response_id, edit.response.prompt.code, edit.edited_at, edit.edited_by.name, edit.reason)
        for edit in edits.order_by("-edited_at", "-id")
    ]


def versions_of(edit: TextEdit) -> Versions:
    """The text as it came and as it was let in."""
    return _versions(edit.before, edit.after, ())


def proposed(stimulus: Stimulus, reading: Reading) -> Versions:
    """What an edit of a quarantined text would change, given what reading the new words came to."""
    return _versions(stimulus.response.text, reading.text, reading.findings)


def _versions(before: str, after: str, findings: Sequence[Finding]) -> Versions:
    return Versions(
        comparison=compare(before, after),
        words_before=count_words(before),
        words_after=count_words(after),
        findings=_gravest_first(
            Found(finding.start, after[finding.start : finding.end], finding.meaning, finding.severity)
            for finding in findings
        ),
    )
