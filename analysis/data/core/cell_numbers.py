"""Cells of ratings as numbers, as spreadsheets of any country write them."""

import re
from collections.abc import Collection, Mapping, Sequence
from math import isnan
from types import MappingProxyType
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.judgment_frame import JudgmentFileError
from analysis.data.core.rating_frame import RANK, SCORE, Doubt
from analysis.data.core.table_file import header_row, place_of, where
from annotation.platform.core.phrases import counted, listed

# Cells that have no rating, in files of any kind: without a value, as spreadsheets and statistics programs write
# them too, and as judge models and those who ask them say that none came.
NOTHING: Final = frozenset(("", "na", "n/a", "nan", "none", "null", "-", "–", "—", ".", "#n/a", "<na>"))
FAILURES: Final = frozenset(("failed", "failure", "error", "timeout", "refused", "invalid"))
NO_RATING: Final = NOTHING | FAILURES

_DECIMAL_COMMA: Final = re.compile(r"[-+]?\d{1,18},\d{1,18}")
_THOUSANDS: Final = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
_PER_CENT: Final = re.compile(r"(?P<number>[-+]?[\d.,]{1,20})\s?%")

# Words of marks, which a column of nothing else may be ratings by, and of grades that answers to surveys are given.
MARKS: Final = frozenset(
    "true false yes no y n pass fail passed failed correct incorrect right wrong good bad agree disagree".split()
)
GRADES: Final = MARKS | frozenset(
    "neutral neither unsure agreed disagreed better worse best worst poor fair excellent average acceptable low"
    " medium moderate high never rarely seldom sometimes often usually always likely unlikely clear unclear"
    " satisfied dissatisfied useful useless helpful unhelpful relevant irrelevant harmful harmless".split()
)
RATINGS: Final = frozenset("rating ratings score scores grade grades mark marks value likert".split())
# Measures that are no scores, those that are so in what survey tools write, and words that stand beside them in the
# names of columns.
MEASURES: Final = frozenset(
    "age attempt attempts batch block characters chars click clicks cost costs date dollars duration id ids index"
    " latency latitude location longitude milliseconds ms order position price retries round seconds seed session"
    " temperature time timestamp token tokens turn usd words year years".split()
)
OF_SURVEYS: Final = frozenset(("progress", "version"))
# Columns by which what a survey tool or a marketplace of work wrote is known.
_OF_TOOLS: Final = frozenset(
    "startdate enddate recordeddate durationinseconds finished ipaddress distributionchannel userlanguage"
    " externalreference submitdate datestamp startlanguage lastpage collectorid hitid assignmentid"
    " worktimeinseconds".split()
)
IDS: Final = frozenset(("id", "ids"))
NO_SCORES: Final = (
    "its name says that its numbers are no scores: it is not taken for a dimension; name it among them, if it is "
    "one"
)
BESIDE: Final = frozenset(
    "annotator answer api birth call case completion count created end evaluation experience in input judge lead"
    " max mean number of out output participant presentation prompt rater reasoning recorded reply"
    " response row run s start submit taken total trial updated work worker".split()
)


def names_a_measure(name: str, beside: Collection[str] = ()) -> bool:
    """Whether a column's name says that its numbers are no scores, as of “Story ID” and “Work time in seconds”;
    “Progress” alone says so where a survey tool wrote the columns `beside` it.
    """
    words = words_of(name)
    if words and words <= OF_SURVEYS:
        return any("".join(re.findall(r"[^\W_]+", each.casefold())) in _OF_TOOLS for each in beside)
    measures = MEASURES | OF_SURVEYS
    return bool(words & IDS or (words & measures and words <= measures | BESIDE))


def words_of(name: str) -> frozenset[str]:
    """The different words of a column's name, whatever parts them: “WorkTime” has two."""
    return frozenset(re.findall(r"[^\W\d_]+", parted(name).casefold()))


def parted(name: str) -> str:
    """A name whose words begin with capitals, with a space before each of them."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)


def plain_word(word: str) -> str:
    """A word as cells and codes are compared: without case, and with a hyphen for a minus sign."""
    return word.strip().replace("−", "-").casefold()


def plain_words(cells: "pd.Series[str]") -> "pd.Series[str]":
    """The words of cells as they are compared."""
    return _with_hyphens(cells).str.casefold()


def number_of(word: str) -> float | None:
    """The number that a code's word is, as it would be read from a cell; None where it is another word."""
    found = float(numbers(pd.Series([word], dtype="str"), {}).iloc[0])
    return None if isnan(found) else found


def are_among(cells: "pd.Series[str]", words: Collection[str]) -> "pd.Series[bool]":
    """Whether a cell is one of the words; where they are numbers, however it is written."""
    of_numbers = {number for word in words if (number := number_of(word)) is not None}
    return plain_words(cells).isin(set(map(plain_word, words))) | numbers(cells, {}).isin(of_numbers)


def have_failed(
    cells: "pd.Series[str]", failures: Collection[str], codes: Mapping[str, float] = MappingProxyType({})
) -> "pd.Series[bool]":
    """Whether a cell says that no rating came: by one of `failures`, or in FAILURES and without a code."""
    return are_among(cells, failures) | plain_words(cells).isin(FAILURES - set(map(plain_word, codes)))


def have_no_rating(
    cells: "pd.Series[str]", failures: Collection[str], codes: Mapping[str, float] = MappingProxyType({})
) -> "pd.Series[bool]":
    """Whether a cell says that there is no rating: by one of `failures`, or in NO_RATING and without a code."""
    return are_among(cells, failures) | plain_words(cells).isin(NO_RATING - set(map(plain_word, codes)))


def numbers(cells: "pd.Series[str]", codes: Mapping[str, float]) -> "pd.Series[float]":
    """NaN where a cell is neither a number nor one of the `codes`, however case and minus are written; a code of a
    number is of every way to write it.
    """
    codes = {plain_word(word): value for word, value in codes.items()}
    texts = _texts(cells)
    with_points = texts.where(~texts.str.fullmatch(_DECIMAL_COMMA), texts.str.replace(",", "."))
    plain = pd.to_numeric(with_points.where(~texts.str.casefold().isin(NOTHING), ""), errors="coerce")
    finite = plain.where(plain.abs() < float("inf"))
    words = plain_words(cells)
    of_numbers = {number: value for word, value in codes.items() if (number := number_of(word)) is not None}
    if of_numbers:
        finite = finite.map(of_numbers).where(finite.isin(of_numbers), finite)
    return words.map(codes).astype(float).where(words.isin(codes), finite)


def doubts_of_numbers(cells: "pd.Series[str]") -> list[Doubt]:
    """What could be meant otherwise. Raises JudgmentFileError, naming row and column, where every comma may part
    thousands as well as decimals: the one is a thousand times the other.
    """
    texts, found = _texts(cells), list[Doubt]()
    commas = texts.str.fullmatch(_DECIMAL_COMMA)
    if commas.any():
        if texts[commas].str.fullmatch(_THOUSANDS).all():
            cell = texts[commas].iloc[0]
            raise JudgmentFileError(
                f"{where(commas, str(cells.name))}: {cell!r} may be {cell.replace(',', '.')} or "
                f"{cell.replace(',', '')}; write decimals with a point, or thousands without a comma"
            )
        found.append(
            Doubt(f"{counted(int(commas.sum()), 'decimal comma')} read as a point", *place_of(commas, cells))
        )
    signs = cells.str.strip().str.fullmatch(_PER_CENT)
    if signs.any():
        words = f"{counted(int(signs.sum()), 'per cent sign')} left out: {cells[signs].iloc[0].strip()} is read as "
        found.append(Doubt(words + texts[signs].iloc[0], *place_of(signs, cells)))
    return found


def sums_among(table: pd.DataFrame, names: Sequence[str], codes: Mapping[str, float]) -> list[Doubt]:
    """A doubt where one of the columns is the sum or the mean of all the others, and so no dimension like them; of
    those that are dimensions, which ranks and scores that were given are not.
    """
    names = [name for name in names if name not in (RANK, SCORE)]
    values = pd.DataFrame({name: numbers(table[name], codes) for name in names}).dropna()
    if len(names) < 3 or len(values) < 3:
        return []
    total = values.sum(axis=1)
    for name in names:
        others = [each for each in names if each != name]
        for what, number in (("sum", 1), ("mean", len(others))):
            if np.allclose(values[name] * number, total - values[name], atol=0.01 * number):
                return [
                    Doubt(
                        f"it is the {what} of {listed(others)}, and is taken for one more dimension; name the "
                        "dimensions, or leave it out",
                        header_row(table),
                        name,
                    )
                ]
    return []


def _texts(cells: "pd.Series[str]") -> "pd.Series[str]":
    """The texts without a per cent sign, and with a minus sign that is one."""
    texts = _with_hyphens(cells)
    return texts.where(~texts.str.fullmatch(_PER_CENT), texts.str.rstrip("%").str.strip())


def _with_hyphens(cells: "pd.Series[str]") -> "pd.Series[str]":
    return cells.str.strip().str.replace("−", "-")
