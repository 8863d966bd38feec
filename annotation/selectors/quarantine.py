"""Texts that may give their source away, for a coordinator to decide about; nothing here says whose they are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from uuid import UUID

from annotation.models.allocation import Stimulus
from annotation.models.responses import Response
from annotation.models.studies import Study

IN_WORDS = {
    "author_name": "the writer’s name",
    "markup": "left-over markup",
    "model_name": "name of a model or its maker",
    "refusal": "wording of a refusal",
    "self_reference": "speaks of itself as a machine",
    "truncated": "stops before its end",
}


@dataclass(frozen=True)
class Passage:
    """A stretch of the text, and what was found in it in words; empty where nothing was."""

    text: str
    finding: str


@dataclass(frozen=True)
class QuarantinedText:
    """A text in passages, which put together are the whole text."""

    response: UUID
    prompt_code: str
    words: int
    passages: tuple[Passage, ...]

    @property
    def findings(self) -> list[str]:
        """What was found, each thing once."""
        return sorted({passage.finding for passage in self.passages if passage.finding})


def quarantined_texts(study: Study) -> list[QuarantinedText]:
    """Texts waiting for a decision, in the prompts' order."""
    waiting = Stimulus.objects.filter(study=study, state="quarantined")
    stimuli = list(waiting.select_related("prompt").order_by("prompt__position", "pk"))
    responses = Response.objects.in_bulk([stimulus.pk for stimulus in stimuli])
    return [
        QuarantinedText(
            response=stimulus.pk,
            prompt_code=stimulus.prompt.code,
            words=responses[stimulus.pk].word_count,
            passages=tuple(_passages(responses[stimulus.pk].text, stimulus.flags)),
        )
        for stimulus in stimuli
    ]


def _passages(text: str, flags: Sequence[Mapping[str, Any]]) -> Iterator[Passage]:
    """Cut the text at the findings' ends; what two findings share belongs to both."""
    ends = {0, len(text)} | {end for flag in flags for end in (flag["start"], flag["end"])}
    for start, end in pairwise(sorted(ends)):
        found = [flag["kind"] for flag in flags if flag["start"] <= start and end <= flag["end"]]
        yield Passage(text[start:end], ", ".join(IN_WORDS.get(kind, kind) for kind in found))
