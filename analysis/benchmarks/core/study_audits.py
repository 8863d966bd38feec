"""The audits of a study's tables, as the analysis takes them: questions, flags, rulings, answers and marks."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, cast

import pandas as pd

from analysis.benchmarks.core.audit_files import EXCLUDED, Flag, Prediction, Ruling, Verdict, beside_each_other
from analysis.data.core.audits import MODEL, PERSON
from analysis.data.core.study_tables import StudyTables
from annotation.benchmarks.core.items import Question, Story

ANSWERED: Final = "answered"
REPHRASED: Final = "rephrased"
_EVALUATION: Final = re.compile(r"(\w{1,60}) \((\w{1,20})\)")


@dataclass(frozen=True)
class Mark:
    """Marks of a prediction, by its key: what people said, and each judge model by its name. Where several people
    marked it, the first by pseudonym counts, as of a rephrasing.
    """

    person: Verdict = ""
    models: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True)
class EvaluationFlag:
    """What an annotator said, at a question, of how the benchmark evaluates: of the question (“item”), its story or
    the whole benchmark.
    """

    category: str
    scope: str
    annotator: str
    question: int


PredictionKey = tuple[str, str, int]
"""A model, a mode and a question, of what was asked as published or corrected."""


@dataclass(frozen=True)
class Rephrased:
    """What a model answered to a question's rephrasing of this number; `holds` is what a person said of it, None
    where nobody did.
    """

    model: str
    question: int
    number: int
    words: str
    options: tuple[str, ...]
    holds: bool | None


@dataclass(frozen=True)
class StudyAudit:
    """One benchmark's. `checks` are people's verdicts on rephrasings, True where the question stayed the same.

    `failed` counts by model and mode what was asked and brought no reply, and what was not asked after it.
    """

    name: str
    layout: str
    stories: tuple[Story, ...]
    flags: tuple[Flag, ...]
    evaluation: tuple[EvaluationFlag, ...]
    rulings: tuple[Ruling, ...]
    predictions: tuple[Prediction, ...]
    marks: dict[PredictionKey, Mark]
    rephrased: tuple[Rephrased, ...]
    checks: tuple[tuple[int, bool], ...]
    failed: dict[tuple[str, str], tuple[int, int]]


def audits_in(tables: StudyTables) -> list[StudyAudit]:
    """Audits by the benchmarks' names."""
    return [
        _audit(str(name), tables, rows) for name, rows in tables.audit_questions.groupby("benchmark", sort=True)
    ]


def _audit(name: str, tables: StudyTables, questions: pd.DataFrame) -> StudyAudit:
    flags, rulings, said, rephrasings, marks = (
        _of(name, frame)
        for frame in (
            tables.audit_flags,
            tables.audit_rulings,
            tables.audit_predictions,
            tables.audit_rephrasings,
            tables.audit_marks,
        )
    )
    checks: dict[tuple[int, int], bool] = {}
    for row in marks.sort_values("marker", kind="stable").itertuples():
        if row.wording == REPHRASED and not row.respondent_id and row.by == PERSON:
            checks.setdefault((int(row.item), int(row.number)), row.verdict == "same")
    options = {
        (int(row.item), int(row.number)): tuple(json.loads(str(row.options) or "[]"))
        for row in rephrasings.itertuples()
    }
    people, models = _marks(marks)
    return StudyAudit(
        name=name,
        layout=str(questions["layout"].iloc[0]),
        stories=tuple(_stories(questions)),
        flags=tuple(Flag(int(row.item), row.participant_id, row.category) for row in flags.itertuples()),
        evaluation=tuple(
            EvaluationFlag(category, scope, row.participant_id, int(row.item))
            for row in flags.itertuples()
            for category, scope in _EVALUATION.findall(row.evaluation)
        ),
        rulings=tuple(
            Ruling(
                int(row.item),
                row.category,
                row.correction,
                float(row.weight),
                row.fate == EXCLUDED,
                _is_reworded(row.changes),
            )
            for row in rulings.itertuples()
            if row.weight > 0
        ),
        predictions=tuple(_predictions(said, people)),
        marks={place: Mark(people.get(place, ""), tuple(models.get(place, ()))) for place in {**people, **models}},
        rephrased=tuple(
            Rephrased(
                row.respondent_id,
                int(row.item),
                int(row.number),
                row.prediction,
                options.get((int(row.item), int(row.number)), ()),
                checks.get((int(row.item), int(row.number))),
            )
            for row in said[said["wording"] == REPHRASED].itertuples()
            if row.state == ANSWERED
        ),
        checks=tuple((question, holds) for (question, _), holds in sorted(checks.items())),
        failed=_failed(said),
    )


def _of(name: str, frame: pd.DataFrame) -> Any:
    return frame[frame["benchmark"] == name]


def _stories(questions: pd.DataFrame) -> Iterator[Story]:
    for key, rows in questions.sort_values("item").groupby("story", sort=False):
        first = rows.iloc[0]
        yield Story(
            key=str(key),
            text=first["story_text"],
            questions=tuple(_question(row) for row in rows.to_dict("records")),
            kind=first["story_kind"],
            source=first["source"],
            cluster=first["cluster"],
        )


def _question(row: Any) -> Question:
    return Question(
        text=row["question_text"],
        gold=row["gold"],
        line=int(row["item"]),
        options=tuple(json.loads(row["options"] or "[]")),
        gold_option=None if pd.isna(row["gold_option"]) else int(row["gold_option"]),
        kind=row["kind"],
    )


def _prediction_key(row: Any) -> PredictionKey:
    return row.respondent_id, row.mode, int(row.item)


def _marks(marks: Any) -> tuple[dict[PredictionKey, Verdict], dict[PredictionKey, list[tuple[str, bool]]]]:
    """Marks of answers to what was published: people's and judge models'."""
    people: dict[PredictionKey, Verdict] = {}
    models: dict[PredictionKey, list[tuple[str, bool]]] = {}
    of_answers = marks[(marks["wording"] == "published") & (marks["respondent_id"] != "")]
    for row in of_answers.sort_values(["marker"]).itertuples():
        if row.by == PERSON:
            people.setdefault(_prediction_key(row), cast(Verdict, row.verdict))
        elif row.by == MODEL:
            models.setdefault(_prediction_key(row), []).append((row.marker, row.verdict == "right"))
    return people, models


def _is_reworded(changes: str) -> bool:
    return not {"text", "story"}.isdisjoint(json.loads(changes or "{}"))


def _predictions(said: Any, people: dict[PredictionKey, Verdict]) -> list[Prediction]:
    there = said[(said["wording"] != REPHRASED) & (said["state"] == ANSWERED)]
    return beside_each_other(
        (
            Prediction(
                row.respondent_id, int(row.item), row.prediction, row.mode, people.get(_prediction_key(row), "")
            ),
            row.wording,
        )
        for row in there.itertuples()
    )


def _failed(said: Any) -> dict[tuple[str, str], tuple[int, int]]:
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for row in said.itertuples():
        place = (row.respondent_id, f"{row.mode}, {REPHRASED}" if row.wording == REPHRASED else row.mode)
        failed, not_asked = found.get(place, (0, 0))
        found[place] = (
            failed + (row.state == "failed"),
            not_asked + (row.state == "not asked"),
        )
    return found
