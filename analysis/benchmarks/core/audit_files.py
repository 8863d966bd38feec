"""What an audit hands over in files: flags of annotators, rulings of the adjudicator, predictions of models.

Each is CSV or JSON Lines; `question` is the question's number in its benchmark, in the file's order, from 1.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Final, Literal, cast

from annotation.platform.core.cells import matching, number, one_line, text
from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile, read_bytes
from annotation.platform.core.table_import import Field, ParsedRow, Problem, read, suggest, take

MAX_BYTES: Final = 50_000_000
MAX_ROWS: Final = 200_000
SOUND: Final = "none"
CATEGORIES: Final = ("structural", "semantic", "pragmatic")
SINGLY: Final = "singly"
HISTORY: Final = "history"
EXCLUDED: Final = "excluded"
PUBLISHED: Final = "published"
CORRECTED: Final = "corrected"
# Conversations about the questions of another subset than the published one, and which.
OF_A_SUBSET: Final = {f"{HISTORY}, {name}": name for name in ("cleaned", CORRECTED)}
Verdict = Literal["", "right", "wrong", "granularity"]
RIGHT: Final = "right"
GRANULARITY: Final = "granularity"


@dataclass(frozen=True)
class Flag:
    """An annotator's primary category for a question, `SOUND` for no flaw."""

    question: int
    annotator: str
    category: str


@dataclass(frozen=True)
class Ruling:
    """`correction` is the right answer in place of the published one, empty where that stands. `weight` is 1 over
    the probability that the question came to be reviewed, at least 1. What is excluded has no corrected score,
    and what was reworded only from answers to its new words.
    """

    question: int
    category: str
    correction: str = ""
    weight: float = 1.0
    is_excluded: bool = False
    is_reworded: bool = False

    @property
    def is_flawed(self) -> bool:
        return self.category != SOUND


@dataclass(frozen=True)
class Prediction:
    """`verdict` is what people said of it, empty where nobody was asked. `corrected_words` is what the
    model answered to the question as corrected, None where it was not asked anew. In a conversation about a subset
    that alone can be there, and `words` are empty then.
    """

    model: str
    question: int
    words: str
    mode: str = SINGLY
    verdict: Verdict = ""
    corrected_words: str | None = None


def _weight(cell: str) -> float:
    try:
        found = float(cell)
    except ValueError:
        found = math.nan
    if not 1 <= found < math.inf:
        raise Refused("must be a number of at least 1")
    return found


_QUESTION: Final = Field("question", "Question", number(10_000_000), is_required=True)
_CATEGORY: Final = Field(
    "category",
    "Category",
    matching("|".join((*CATEGORIES, SOUND)), f"{', '.join(CATEGORIES)} or {SOUND}"),
    is_required=True,
)
_FLAGS: Final = (_QUESTION, Field("annotator", "Annotator", one_line(120), is_required=True), _CATEGORY)
_RULINGS: Final = (
    _QUESTION,
    _CATEGORY,
    Field("correction", "Correction", text(4_000)),
    Field("weight", "Weight", _weight),
    Field("reworded", "Reworded", matching("yes|no", "yes or no")),
    Field("fate", "Fate", matching(f"stays|corrected|{EXCLUDED}", f"stays, corrected or {EXCLUDED}")),
)
_PREDICTIONS: Final = (
    Field("model", "Model", one_line(200), is_required=True),
    _QUESTION,
    Field("prediction", "Prediction", text(4_000)),
    Field(
        "mode",
        "Mode",
        matching(
            "|".join((SINGLY, HISTORY, *OF_A_SUBSET)), f"{SINGLY} or {HISTORY}, of another subset with its name"
        ),
    ),
    Field("wording", "Wording", matching(f"{PUBLISHED}|{CORRECTED}", f"{PUBLISHED} or {CORRECTED}")),
    Field("verdict", "Verdict", matching("right|wrong|granularity", "right, wrong or granularity")),
)


# What is meant where a column is left out.
LEFT_OUT: Final = {"mode": SINGLY, "wording": PUBLISHED}


def read_flags(file: tuple[str, BinaryIO], questions: Collection[int]) -> list[Flag]:
    """Raises `BrokenFile`, as the other readers do: also for a question that the benchmark has not, and one told of
    twice.
    """
    rows = _rows(file, _FLAGS, questions, of=("question", "annotator"))
    return [Flag(row.values["question"], row.values["annotator"], row.values["category"]) for row in rows]


def read_rulings(file: tuple[str, BinaryIO], questions: Collection[int]) -> list[Ruling]:
    return [
        Ruling(
            row.values["question"],
            row.values["category"],
            row.values.get("correction", ""),
            row.values.get("weight", 1.0),
            row.values.get("fate") == EXCLUDED,
            row.values.get("reworded") == "yes",
        )
        for row in _rows(file, _RULINGS, questions, of=("question",))
    ]


def read_predictions(file: tuple[str, BinaryIO], questions: Collection[int]) -> list[Prediction]:
    """Predictions for the questions as published; what a model answered to one as corrected stands beside that."""
    rows = _rows(file, _PREDICTIONS, questions, of=("model", "question", "mode", "wording"))
    return beside_each_other(
        (
            Prediction(
                row.values["model"],
                row.values["question"],
                row.values.get("prediction", ""),
                row.values.get("mode", SINGLY),
                cast(Verdict, row.values.get("verdict", "")),
            ),
            row.values.get("wording", PUBLISHED),
        )
        for row in rows
    )


def beside_each_other(said: Iterable[tuple[Prediction, str]]) -> list[Prediction]:
    """Predictions, each with the wording it is of, so that of one question, model and mode there is one. What was
    answered to a question as corrected alone is left out, but for conversations about a subset, which have no score
    as published.
    """
    rows = list(said)
    corrected = {_prediction_key(each): each.words for each, wording in rows if wording == CORRECTED}
    published = {_prediction_key(each) for each, wording in rows if wording != CORRECTED}
    return [
        replace(
            each,
            words=each.words if wording != CORRECTED else "",
            corrected_words=corrected.get(_prediction_key(each)),
        )
        for each, wording in rows
        if wording != CORRECTED or (each.mode in OF_A_SUBSET and _prediction_key(each) not in published)
    ]


def _prediction_key(each: Prediction) -> tuple[str, int, str]:
    return each.model, each.question, each.mode


def _rows(
    file: tuple[str, BinaryIO], fields: Sequence[Field], questions: Collection[int], *, of: Sequence[str]
) -> list[ParsedRow]:
    table = read(read_bytes(*file), max_bytes=MAX_BYTES, max_rows=MAX_ROWS)
    columns = suggest(table.columns, fields)
    problems = [*table.problems]
    if table.columns:
        problems += [
            Problem(f"no column is called {field.name}")
            for field in fields
            if field.is_required and not columns.get(field.name)
        ]
    if problems:
        raise BrokenFile(file[0], problems)
    rows, problems = take(table.rows, fields, columns)
    seen: dict[tuple[object, ...], int] = {}
    for row in rows:
        key = tuple(row.values.get(name, LEFT_OUT.get(name)) for name in of)
        if row.values["question"] not in questions:
            problems.append(Problem(f"the benchmark has no question {row.values['question']}", row.line))
        elif key in seen:
            problems.append(Problem(f"this says again what line {seen[key]} says", row.line))
        seen.setdefault(key, row.line)
    if problems:
        raise BrokenFile(file[0], sorted(problems, key=lambda problem: problem.line or 0))
    return rows
