"""Files of comparisons of two answers, read into the tidy frame of `rating_frame`: what was preferred has 1, the
other 0, and of a tie both have ½ on the dimension “preference”.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

import pandas as pd

from analysis.data.core.found_dimensions import unread
from analysis.data.core.identifiers import BETWEEN, composed, look_alikes
from analysis.data.core.judgment_frame import FIRST_ROW, JudgmentFileError
from analysis.data.core.known_columns import ALSO as ALSO_OF_RATINGS
from analysis.data.core.known_columns import called_so
from analysis.data.core.pair_verdicts import OF_TWO, verdicts
from analysis.data.core.rating_file import ColumnMap
from analysis.data.core.rating_frame import COLUMNS, MISSING, PREFERENCE, Doubt, Ratings
from analysis.data.core.table_file import absent, read_table, unnamed, where
from annotation.platform.core.phrases import counted

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
IN_THE_OTHER_ORDER: Final = "the other order"  # the replicate of a judge's second comparison of the same two


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
    evaluator = composed(table, columns["evaluator"], doubts)
    doubts += _apart(first, second)
    found = verdicts(
        {name: table[name] for name in columns["verdict"]},
        first,
        second,
        codes=asked.codes,
        failures=asked.failures,
        doubts=doubts,
    )
    pair = first.where(first < second, second) + " – " + second.where(first < second, first)
    said = pd.concat(
        [
            pd.DataFrame(
                {
                    "prompt": prompt,
                    "pair": pair,
                    "first": first,
                    "second": second,
                    "evaluator": evaluator if columns["evaluator"] else name,
                    "value": value,
                    "row": table.index.to_numpy() + FIRST_ROW,
                    "column": name,
                }
            )
            for name, value in found.items()
        ],
        ignore_index=True,
    )
    said = said.assign(replicate=_orders(said, doubts))
    if none := int(said["value"].isna().sum()):
        doubts.append(Doubt(f"{counted(none, 'comparison')} without a verdict"))
    if not columns["prompt"] and (again := said.duplicated(["pair", "evaluator"])).any():
        doubts.append(
            Doubt(
                "the same judge compared the same two before, and no column names prompts: every row is taken for "
                "a comparison by itself",
                int(said.loc[again, "row"].iloc[0]),
            )
        )
    doubts += unread(table, columns, (), doubts)
    sides = [_side(said, said["first"], said["value"]), _side(said, said["second"], 1 - said["value"])]
    frame = pd.concat(sides, ignore_index=True)
    return Ratings(frame[list(COLUMNS)], {}, tuple(dict.fromkeys(doubts)), places=frame[["row", "column"]])


def _columns(table: pd.DataFrame, asked: ColumnMap) -> dict[str, tuple[str, ...]]:
    """The file's columns by ours: as was asked, or as they are usually called."""
    found = {ours: asked.columns.get(ours, ()) for ours in ALSO}
    for ours, also in ALSO.items():
        taken = {name for names in found.values() if len(names) == 1 for name in names}
        theirs = called_so([name for name in table.columns if name not in taken], (ours, *also))
        if theirs and not found[ours]:
            found[ours] = (theirs,)
    return found


def _side(said: pd.DataFrame, own: "pd.Series[str]", value: "pd.Series[float]") -> pd.DataFrame:
    """One answer's part in every comparison; the same two answers are one pair, whichever came first."""
    found = pd.DataFrame(
        {
            "unit": said["prompt"] + BETWEEN + own,
            "prompt": said["prompt"] + BETWEEN + said["pair"],
            "respondent": own,
            "evaluator": said["evaluator"],
            "replicate": said["replicate"],
            "dimension": PREFERENCE,
            "status": value.notna().map({True: "", False: MISSING}),
            "condition": "",
            "perspective": "",
        }
    ).astype("str")
    return found.assign(value=value, row=said["row"], column=said["column"])


def _apart(first: "pd.Series[str]", second: "pd.Series[str]") -> Iterator[Doubt]:
    """Doubts of answers that are called otherwise where they come second than where they come first: no two pairs
    then have one in common. One answer that all others are compared with is usual.
    """
    one, other = (list(dict.fromkeys(names)) for names in (first, second))
    kinds = {all(re.fullmatch(r"[\d.]+", name) for name in names) for names in (one, other)}
    if not set(one) & set(other) and (min(len(one), len(other)) > 1 or len(kinds) > 1):
        alone = [
            f"{names[0]!r} {'and others are' if len(names) > 1 else 'is'} in {cells.name} alone"
            for names, cells in ((one, first), (other, second))
        ]
        yield Doubt(
            f"no answer stands in both columns: {', '.join(alone)}; write alike what is the same answer",
            FIRST_ROW + int(second.index[0]),
            str(second.name),
        )
    yield from look_alikes(second, beside=first)


def _orders(said: pd.DataFrame, doubts: list[Doubt]) -> "pd.Series[str]":
    """The replicate of every comparison: a judge who compared the same two once in either order has judged them
    twice. How often the two verdicts contradict each other goes to `doubts`.

    Raises JudgmentFileError, naming both rows, for a comparison that was made twice in the same order.
    """
    key = ["prompt", "pair", "evaluator"]
    earlier = said.groupby([*key, "first"], sort=False)["row"].transform("first")
    if (again := said["row"] != earlier).any():
        at = int(again.to_numpy().argmax())
        raise JudgmentFileError(
            f"row {said['row'].iloc[at]}: {said['evaluator'].iloc[at]!r} has compared these two already, in row "
            f"{earlier.iloc[at]}; name the prompt or the evaluators, or as the prompt columns that together tell "
            "comparisons apart"
        )
    is_second = said.duplicated(key)
    if is_second.any():
        both = said[~is_second].merge(said[is_second], on=key, suffixes=("", "_then"))
        told = both[both["value"].notna() & both["value_then"].notna()]
        doubts += [] if told.empty else [_both_orders(told)]
    return is_second.map({True: IN_THE_OTHER_ORDER, False: ""})


def _both_orders(both: pd.DataFrame) -> Doubt:
    """In which the verdict in a judge's first comparison of two stands beside the one in the other order."""
    one, then = both["value"], both["value_then"]
    shown_first, shown_second = (one == then) & (one == 1), (one == then) & (one == 0)
    opposed = shown_first | shown_second
    words = (
        f"the same judge compared the same two in both orders {counted(len(both), 'time')}: each counts as one "
        "judgment, by the mean of the two; "
    )
    if opposed.any():
        first = both[opposed].iloc[0]
        words += (
            f"{counted(int(opposed.sum()), 'time')} the two contradict each other, and so make a tie, first in "
            f"rows {first['row']} and {first['row_then']}; the answer shown first was preferred in both of them "
            f"{counted(int(shown_first.sum()), 'time')}, the one shown second "
            f"{counted(int(shown_second.sum()), 'time')}"
        )
    else:
        words += "none contradicts the other"
    return Doubt(words, int(both["row_then"].iloc[0]))
