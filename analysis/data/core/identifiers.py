"""Names of answers, raters, prompts and sources, as the cells of files of ratings have them."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

import pandas as pd

from analysis.data.core.rating_frame import Doubt
from analysis.data.core.table_file import place_of
from annotation.platform.core.csv_cells import restored
from annotation.platform.core.phrases import counted

BETWEEN: Final = "/"  # parts of an identifier that is composed
_POINT_ZERO: Final = re.compile(r"(?<=\d)\.0{1,9}(?!\d)")


def composed(
    table: pd.DataFrame, columns: Sequence[str], doubts: list[Doubt], *, otherwise: str = ""
) -> "pd.Series[str]":
    """The identifier of every row, from its parts in these columns; `otherwise` in all rows where there are none.

    Stray spaces, and names that only a slip may have made two, go to `doubts`.
    """
    if not columns:
        return pd.Series(otherwise, index=table.index, dtype="str")
    found, *others = (cleaned(table[name], doubts) for name in columns)
    for part in others:
        found = found + BETWEEN + part
    doubts.extend(look_alikes(found.rename(BETWEEN.join(columns))))
    return found


def cleaned(cells: "pd.Series[str]", doubts: list[Doubt]) -> "pd.Series[str]":
    """The cells without stray spaces, which go to `doubts`, and without what keeps spreadsheets from running a
    cell.
    """
    raw = cells.map(restored)
    found = raw.str.split().str.join(" ").astype("str")
    if (stray := found != raw).any():
        doubts.append(
            Doubt(f"stray spaces in {counted(int(stray.sum()), 'cell')} are not counted", *place_of(stray, cells))
        )
    return found


def look_alikes(names: "pd.Series[str]", *, beside: "pd.Series[str] | None" = None) -> Iterator[Doubt]:
    """The first two names that differ as only slips do; of a column `beside` that has such names too, one there."""
    known = dict.fromkeys([] if beside is None else beside.unique())
    first = {_as_meant(name): name for name in known}
    for name in names.unique():
        if name not in known and (other := first.setdefault(_as_meant(name), name)) != name:
            words = f"{other!r} and {name!r} are read as two names; write them alike if they are one"
            yield Doubt(words, *place_of(names == name, names))
            return


def _as_meant(name: str) -> str:
    """The identifier without case, forms of one letter, signs that take no place, and the point that software puts
    behind whole numbers.
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    seen = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")
    return _POINT_ZERO.sub("", seen)
