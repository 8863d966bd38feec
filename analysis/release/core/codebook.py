"""The codebook: every column of every table, its type, its values and what it means."""

from collections.abc import Iterable
from typing import Final

from analysis.release.core.columns import Layout
from annotation.platform.core.csv_cells import csv_line

CODEBOOK: Final = "codebook.csv"
_HEADER: Final = ("config", "split", "file", "column", "type", "values", "meaning")
_TYPES: Final = {"text": "text", "whole": "whole number", "number": "number", "truth": "true or false"}


def codebook(layouts: Iterable[Layout]) -> bytes:
    """A line for each column, in the order of the tables and of the columns in them."""
    lines = [_HEADER]
    for each in layouts:
        for column in each.columns:
            told = column.name, _TYPES[column.kind], column.values, column.meaning
            lines.append((each.config, each.split, f"{each.stem}.csv", *told))
    return "".join(csv_line(line) for line in lines).encode()
