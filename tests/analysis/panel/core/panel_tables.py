"""Builds the tables of a study whose panel has given scores, for tests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from analysis.data.core.study_tables import (
    ANSWERS,
    PANEL_EXPECTED,
    PANEL_LEADING,
    PANEL_TRAILING,
    PROMPTS,
    StudyTables,
    table,
)
from tests.analysis.data.core.judgments import judgments


@dataclass(frozen=True)
class Answer:
    """An answer to the prompt that its id begins with, `P1` in `P1-a`; its domain is the prompt's letter."""

    id: str
    source: str = "human"
    arm: str = ""
    words: int = 400
    family: str = ""
    item_type: str = "standard"

    @property
    def prompt(self) -> str:
        return self.id.partition("-")[0]


@dataclass(frozen=True)
class Reply:
    """What a judge model said of an answer: an overall score, or scores by dimension."""

    answer: str
    given: float | Mapping[str, float] | None
    judge: str = "gpt"
    perspective: str = "historian"
    abstained: bool = False
    mode: str = "holistic"
    read: str = ""
    mentioned: Sequence[str] = field(default=())


def panel_tables(
    answers: Iterable[Answer],
    replies: Iterable[Reply],
    *,
    dimensions: Sequence[str] = (),
    expected: int = 1,
    ranks: Mapping[tuple[str, str], Mapping[str, int]] | None = None,
) -> StudyTables:
    """Wanted are `expected` replies about every answer in each mode. `ranks` are people's, as for `judgments`."""
    answers, replies = list(answers), list(replies)
    kinds = {answer.prompt: answer.item_type for answer in answers}
    modes = {reply.mode for reply in replies}
    return StudyTables(
        judgments=_judgments(ranks or {}, answers),
        prompts=table([(prompt, prompt[0], kind, 1, "", "") for prompt, kind in kinds.items()], PROMPTS),
        answers=table(map(_answer_row, answers), ANSWERS),
        panel=table(
            (_reply_row(reply, dimensions) for reply in replies), (*PANEL_LEADING, *dimensions, *PANEL_TRAILING)
        ),
        panel_expected=table(
            [(mode, "alone", answer.id, expected) for mode in modes for answer in answers], PANEL_EXPECTED
        ),
    )


def _judgments(ranks: Mapping[tuple[str, str], Mapping[str, int]], answers: Sequence[Answer]) -> pd.DataFrame:
    """The better the rank, the higher the score, so that ranks made anew of scores are the same."""
    frame = judgments(ranks)
    models = {answer.id: "" if answer.source == "human" else answer.source for answer in answers}
    model = frame["true_id"].map(models)
    kinds = model.map(lambda name: "model" if name else "human")
    return frame.assign(model=model, true_source=kinds, score=10.0 - frame["rank"])


def _answer_row(answer: Answer) -> tuple[object, ...]:
    is_human = answer.source == "human"
    arm = answer.arm or ("human" if is_human else "model")
    source, family = ("W-1", "") if is_human else (answer.source, answer.family or answer.source)
    return answer.id, answer.prompt, arm, source, "", family, answer.words, "", ""


def _reply_row(reply: Reply, dimensions: Sequence[str]) -> tuple[object, ...]:
    by_dimension = reply.given if isinstance(reply.given, Mapping) else {}
    overall = None if isinstance(reply.given, Mapping) else reply.given
    return (
        *(reply.answer, "", reply.judge, reply.perspective),
        *(by_dimension.get(dimension) for dimension in dimensions),
        *(float(reply.abstained), overall, reply.mode, "alone"),
        *(reply.judge.split()[0], reply.read, ",".join(reply.mentioned)),
    )
