"""Tables as CSV: UTF-8, `\\n` line ends, and no cell that a spreadsheet would run."""

import pandas as pd

from analysis.data.core.judgment_frame import number_text
from analysis.release.core.layout import Layout
from annotation.platform.core.csv_cells import csv_line, inert


def csv_bytes(layout: Layout, frame: pd.DataFrame) -> bytes:
    """The frame in its row order; numbers and texts are written as `judgment_frame.write_csv` does."""
    cells = [map(inert if column.kind == "text" else number_text, frame[column.name]) for column in layout.columns]
    return "".join(map(csv_line, [layout.names, *zip(*cells, strict=True)])).encode()
