"""Tables as CSV: UTF-8, `\\n` line ends, and texts quoted, and no cell that a spreadsheet would run."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from analysis.data.core.judgment_frame import number_text
from analysis.release.core.columns import Kind, Layout
from annotation.platform.core.csv_cells import csv_line, earlier_csv_line


def csv_bytes(layout: Layout, frame: pd.DataFrame) -> bytes:
    """The frame in its row order; numbers and texts are written as `judgment_frame.write_csv` does."""
    return "".join(map(csv_line, _lines(layout, frame))).encode()


def earlier_csv_bytes(layout: Layout, frame: pd.DataFrame) -> bytes:
    """The table as earlier versions wrote it."""
    return "".join(map(earlier_csv_line, _lines(layout, frame))).encode()


def _lines(layout: Layout, frame: pd.DataFrame) -> Iterable[Iterable[str]]:
    cells = [_cells(column.kind, frame[column.name]) for column in layout.columns]
    return [layout.names, *zip(*cells, strict=True)]


def _cells(kind: Kind, values: "pd.Series[Any]") -> Iterable[Any]:
    if kind == "truth":
        return values.astype("int64").astype(bool).map(str)
    return values if kind == "text" else map(number_text, values)
