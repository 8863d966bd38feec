"""Files of comparisons of two answers, read into the tidy frame of `rating_frame`: what was preferred has 1, the
other 0, and of a tie both have ½ on the dimension “preference”.
"""

import re
from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.data.core.cell_numbers import plain_word, plain_words
from analysis.data.core.identifiers import BETWEEN, composed
from analysis.data.core.judgment_frame import FIRST_ROW, JudgmentFileError
from analysis.data.core.known_columns import ALSO as ALSO_OF_RATINGS
from analysis.data.core.known_columns import called_so
from analysis.data.core.rating_file import ColumnMap
from analysis.data.core.rating_frame import COLUMNS, MISSING, PREFERENCE, Doubt, Ratings
from analysis.data.core.table_file import absent, read_table, unnamed, where
from annotation.platform.core.phrases import counted

# What is called A and B, or 1 and 2; sources before texts, where a file has both.
OF_TWO: Final = ("model", "system", "assistant", "option", "answer", "output", "response")
ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "first": (*(f"{thing}_{one}" for one in "a1" for thing in OF_TWO), "response1", "left", "chosen"),
    "second": (*(f"{thing}_{other}" for other in "b2" for thing in OF_TWO), "response2", "right", "rejected"),
    "evaluator": ALSO_OF_RATINGS["evaluator"],
    "prompt": ("prompt_id", "question_id", "question", "idx", *ALSO_OF_RATINGS["prompt"]),
    "verdict": ("winner", "preference", "preferred", "result", "label"),
}
NEEDED: Final[Mapping[str, str]] = {
    "first": "the first answer",
    "second": "the second answer",
    "verdict": "the verdict",
}
WORDS: Final[Mapping[str, float]] = {
    **dict.fromkeys(("first", "win", "won", "left", "a", "1", "a>b", "a>>b", "b<a", "b<<a"), 1.0),
    **dict.fromkeys((f"{thing} {one}" for thing in OF_TWO for one in "a1"), 1.0),
    **dict.fromkeys(("second", "loss", "lose", "lost", "right", "b", "2", "-1", "b>a", "b>>a", "a<b", "a<<b"), 0.0),
    **dict.fromkeys((f"{thing} {other}" for thing in OF_TWO for other in "b2"), 0.0),
    **dict.fromkeys(("tie", "tied", "draw", "equal", "same", "both", "neither", "0", "a=b", "b=a"), 0.5),
    **dict.fromkeys(("bothbad", "both bad", "both good", "tie (bothbad)", "tie (both bad)"), 0.5),
}
# As judge models are asked to say it: [[A]].
_AROUND: Final = re.compile(r"\[\[(?P<verdict>[a-c])\]\]")
CODES: Final = (
    "give verdicts codes, 1 for the first answer, 0 for the second, 0.5 for a tie, as in better=1,worse=0"
)
NO_VERDICT: Final = frozenset(("", "na", "n/a", "nan", "none", "failed", "error", "timeout", "invalid"))


def read_pairs(content: bytes, asked: ColumnMap) -> Ratings:
    """Rows are comparisons of the respondents `first` and `second`, with a `verdict` in WORDS or in the map's
    codes (1 for the first, 0 for the second, ½ for a tie), or the name of what was preferred; of `chosen` and
    `rejected` the first was. Several columns of verdicts are as many evaluators,
    called as these. Without prompts every row is one.

    Raises JudgmentFileError, naming row and column, for a verdict that is none, an answer compared with itself, a
    comparison that an evaluator made twice.
    """
    doubts: list[Doubt] = []
    table = read_table(content, ignored=asked.ignored, doubts=doubts)
    columns = _columns(table, asked)
    named = [name for names in columns.values() for name in names]
    if any(name not in table.columns for name in named):
        raise absent(named, table)
    if not columns["verdict"] and (columns["first"], columns["second"]) == (("chosen",), ("rejected",)):
        table, columns = table.assign(verdict="first"), {**columns, "verdict": ("verdict",)}
    for ours, words in NEEDED.items():
        if not columns[ours]:
            raise unnamed(ours, words, table)
    first, second, prompt = (composed(table, columns[ours], doubts) for ours in ("first", "second", "prompt"))
    if not columns["prompt"]:
        prompt = pd.Series([f"row {row + FIRST_ROW}" for row in table.index], index=table.index)
    for ours, cells in (("first", first), ("second", second)):
        if (blank := cells == "").any():
            raise JudgmentFileError(
                f"{where(blank, '+'.join(columns[ours]))}: is blank, but names {NEEDED[ours]}; fill it in, or "
                "delete the row"
            )
    if (same := first == second).any():
        raise JudgmentFileError(
            f"{where(same, '+'.join(columns['second']))}: {second[same].iloc[0]!r} is compared with itself, as "
            "both answers are called so; correct it, or delete the row"
        )
    parts = []
    for name in columns["verdict"]:
        evaluator = composed(table, columns["evaluator"], doubts) if columns["evaluator"] else name
        value = _verdicts(table[name], asked, first, second)
        parts += [
            _side(prompt, own, other, evaluator, value_of)
            for own, other, value_of in ((first, second, value), (second, first, 1 - value))
        ]
    frame = pd.concat(parts, ignore_index=True)
    _check(frame, table.index.to_numpy() + FIRST_ROW)
    if none := int((frame["status"] == MISSING).sum()) // 2:
        doubts.append(Doubt(f"{counted(none, 'comparison')} without a verdict"))
    return Ratings(frame[list(COLUMNS)], {}, tuple(doubts))


def _columns(table: pd.DataFrame, asked: ColumnMap) -> dict[str, tuple[str, ...]]:
    """The file's columns by ours: as was asked, or as they are usually called."""
    found = {ours: asked.columns.get(ours, ()) for ours in ALSO}
    for ours, also in ALSO.items():
        taken = {name for names in found.values() if len(names) == 1 for name in names}
        theirs = called_so([name for name in table.columns if name not in taken], (ours, *also))
        if theirs and not found[ours]:
            found[ours] = (theirs,)
    return found


def _side(
    prompt: "pd.Series[str]",
    own: "pd.Series[str]",
    other: "pd.Series[str]",
    evaluator: "pd.Series[str] | str",
    value: "pd.Series[float]",
) -> pd.DataFrame:
    """One answer's part in every comparison; the same two answers are one pair, whichever came first."""
    pair = own.where(own < other, other) + " – " + other.where(own < other, own)
    blank = dict.fromkeys(("condition", "perspective", "replicate"), "")
    found = pd.DataFrame(
        {"prompt": prompt + BETWEEN + pair, "respondent": own, "evaluator": evaluator, "value": value}
    )
    status = found["value"].notna().map({True: "", False: MISSING}).astype("str")
    return found.assign(unit=prompt + BETWEEN + own, dimension=PREFERENCE, status=status, **blank).astype(
        dict.fromkeys(set(COLUMNS) - {"value"}, "str")
    )


def _verdicts(
    cells: "pd.Series[str]", asked: ColumnMap, first: "pd.Series[str]", second: "pd.Series[str]"
) -> "pd.Series[float]":
    """Whose cells may also have the name of what was preferred."""
    own_codes = {plain_word(word): value for word, value in asked.codes.items()}
    codes, words = {**WORDS, **own_codes}, plain_words(cells)
    known = words.map({word: word if word in own_codes else _as_known(word) for word in words.unique()})
    _check_zeros(cells, known.where(~words.isin(own_codes), ""))
    none = words.isin(NO_VERDICT | set(map(plain_word, asked.failures)))
    value = known.map(codes).astype(float)
    for own, other, is_own in ((first, second, 1.0), (second, first, 0.0)):
        is_named = (words == plain_words(own)) & (plain_words(own) != plain_words(other))
        if (wrong := is_named & known.isin(codes) & (value != is_own)).any():
            cell = cells.iloc[int(wrong.to_numpy().argmax())]
            raise JudgmentFileError(
                f"{where(wrong, str(cells.name))}: {cell!r} may be the answer of this name, or stand for the "
                "other one; write first, second or tie"
            )
        value = value.where(~is_named, is_own)
    if (wrong := value.isna() & ~none).any():
        cell = cells.iloc[int(wrong.to_numpy().argmax())]
        raise JudgmentFileError(
            f"{where(wrong, str(cells.name))}: {cell!r} is no verdict, nor a code for one: {CODES}"
        )
    if (wrong := ~value.isin((0.0, 0.5, 1.0)) & ~none).any():
        raise JudgmentFileError(f"{where(wrong, str(cells.name))}: {CODES}")
    return value


def _as_known(word: str) -> str:
    """A verdict as WORDS have it, whatever stands around it and between its words, without a point and a zero."""
    if found := _AROUND.fullmatch(word):
        return found["verdict"].replace("c", "tie")
    spaced = re.sub(r"[\s_]+", " ", word)
    return re.sub(r" ?([<>=]+) ?", r"\1", spaced).removesuffix(".0")


def _check_zeros(cells: "pd.Series[str]", known: "pd.Series[str]") -> None:
    """Raises JudgmentFileError where verdicts are 1 and 0 alone: 0 may be the second answer as well as a tie."""
    if set(known) & set(WORDS) == {"0", "1"}:
        raise JudgmentFileError(
            f"{where(known == '0', str(cells.name))}: where verdicts are 1 and 0 alone, 0 may be the second answer "
            "or a tie; say which by a code, 0=0 for the second, 0=0.5 for a tie"
        )


def _check(frame: pd.DataFrame, rows: npt.NDArray[np.int64]) -> None:
    of_rows = frame.assign(row=rows[frame.index % len(rows)])[["prompt", "evaluator", "row"]].drop_duplicates()
    before = of_rows.groupby(["prompt", "evaluator"], sort=False)["row"].transform("first")
    for row, earlier, evaluator in zip(of_rows["row"], before, of_rows["evaluator"], strict=True):
        if row != earlier:
            raise JudgmentFileError(
                f"row {row}: {evaluator!r} has compared these two already, in row {earlier}; name the prompt or "
                "the evaluators, or as the prompt columns that together tell comparisons apart"
            )
