"""The files in which prompts are published: those of a study's sample, and all that pass the quality filter."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from annotation.platform.core.csv_cells import Number, csv_line

STUDY_PROMPTS: Final = "study_prompts.csv"
EVALUATION_DATASET: Final = "evaluation_dataset.csv"

COLUMNS: Final = (
    "source",
    "scenario_key",
    "stratum",
    "generator",
    "model_id",
    "position",
    "prompt",
    "underlying_issue",
    "diversity_dimensions",
    "pass_count",
    "votes",
    "review",
    "prompt_sha256",
)

Review = Literal["", "pass", "fail"]


@dataclass(frozen=True)
class PublishedPrompt:
    """A prompt as it is published. `generator` is the family of the model that wrote it and `position` its place
    among those written in one call. `votes` are models' by family; `review` is "fail" where any person fails it.
    """

    source: str
    stratum: str
    scenario: str
    generator: str
    model_id: str
    position: int
    sha256: str
    text: str
    label: str
    dimensions: str
    votes: Mapping[str, bool]
    review: Review

    @property
    def place(self) -> tuple[str | int, ...]:
        """What rows are sorted by."""
        return (
            self.source,
            self.stratum,
            self.scenario,
            self.generator,
            self.model_id,
            self.position,
            self.sha256,
        )

    @property
    def cells(self) -> tuple[str, ...]:
        """One for each of `COLUMNS`."""
        return (
            self.source,
            self.scenario,
            self.stratum,
            self.generator,
            self.model_id,
            Number(self.position),
            self.text,
            self.label,
            self.dimensions,
            Number(sum(self.votes.values())),
            json.dumps(self.votes, sort_keys=True, ensure_ascii=False),
            self.review,
            self.sha256,
        )


def study_prompts(prompts: Iterable[tuple[str, PublishedPrompt]]) -> bytes:
    """The file of a sample's prompts, each with its code, in their order."""
    lines = [csv_line(("prompt_id", *COLUMNS))]
    lines += [csv_line((code, *prompt.cells)) for code, prompt in prompts]
    return "".join(lines).encode()


def evaluation_dataset(prompts: Iterable[PublishedPrompt]) -> bytes:
    """The file of prompts that pass, whatever order they are given in."""
    in_order = sorted(prompts, key=lambda prompt: prompt.place)
    return "".join([csv_line(COLUMNS), *(csv_line(prompt.cells) for prompt in in_order)]).encode()
