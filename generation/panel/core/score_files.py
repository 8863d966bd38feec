"""Files of answers to be scored by the panel, and the published file of its scores."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.csv_cells import Number, csv_line, restored
from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.line_files import as_text
from annotation.platform.core.text import clean, sha256_hex

GIVEN_COLUMNS: Final = ("response_id", "prompt_text", "response_text", "respondent_id")
LEADING_COLUMNS: Final = ("response_id", "respondent_id", "judge_model", "perspective_id")
LAST_COLUMN: Final = "abstained"
_FIRST_ROW: Final = 2  # below the names


@dataclass(frozen=True)
class GivenAnswer:
    """A row of a file: an answer with the prompt it answers, both cleaned."""

    response_id: str
    prompt_text: str
    response_text: str
    respondent_id: str

    @property
    def sha256(self) -> str:
        """The hash of both texts: the same answer to the same prompt is the same one, whatever it is called."""
        return sha256_hex(f"{sha256_hex(self.prompt_text)} {sha256_hex(self.response_text)}")


def read_answers(data: bytes) -> list[GivenAnswer]:
    """The answers of a CSV file. Columns besides `GIVEN_COLUMNS` are left alone.

    Raises `Refused` that names the first fault and its row, where a column is missing, a cell is empty (only
    `respondent_id` may be) or two rows have one `response_id`.
    """
    reader = csv.DictReader(io.StringIO(as_text(data), newline=""), strict=True)
    try:
        if missing := [name for name in GIVEN_COLUMNS if name not in (reader.fieldnames or ())]:
            raise Refused(f"The file has no column {', '.join(missing)}.")
        answers = [_answer(row, number) for number, row in enumerate(reader, start=_FIRST_ROW)]
    except csv.Error as error:
        raise Refused(f"The file is not CSV: {error}.") from error
    if not answers:
        raise Refused("The file holds no answer.")
    _check_ids(answers)
    return answers


def _answer(row: Mapping[str, str | None], number: int) -> GivenAnswer:
    cells = {name: clean(restored(row[name] or "")).strip() for name in GIVEN_COLUMNS}
    if empty := [name for name in GIVEN_COLUMNS[:3] if not cells[name]]:
        raise Refused(f"Row {number} has nothing under {', '.join(empty)}.")
    if long := [name for name in GIVEN_COLUMNS if len(cells[name]) > ANSWER_CHARACTERS]:
        raise Refused(f"Row {number} has more than {ANSWER_CHARACTERS:,} characters under {', '.join(long)}.")
    return GivenAnswer(**cells)


def _check_ids(answers: Sequence[GivenAnswer]) -> None:
    seen: dict[str, int] = {}
    for number, answer in enumerate(answers, start=_FIRST_ROW):
        if answer.response_id in seen:
            first = seen[answer.response_id]
            raise Refused(f"Row {number} has the response_id of row {first}, “{answer.response_id}”.")
        seen[answer.response_id] = number


def heading(dimensions: Sequence[str], *, reasons: bool = False) -> str:
    """The published file's first line; with `reasons`, a column for the reason of each score follows."""
    beside = [f"{dimension}_reason" for dimension in dimensions] if reasons else []
    return csv_line([*LEADING_COLUMNS, *dimensions, LAST_COLUMN, *beside])


def score_line(
    answer: GivenAnswer,
    *,
    judge_model: str,
    perspective: str,
    scores: Sequence[int],
    abstained: bool,
    reasons: Sequence[str] = (),
) -> str:
    """One line of the published file: `scores` and `reasons` in the order of the dimensions."""
    texts = (answer.response_id, answer.respondent_id, judge_model, perspective)
    return csv_line([*texts, *map(Number, scores), str(abstained), *reasons])
