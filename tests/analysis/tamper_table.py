"""The table of changes that are told (docs/reference/tampering.md), made of the columns that tests change."""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "tampering.md"


def lines(columns: Iterable[tuple[str, str]], code: int) -> list[str]:
    """One line of the table for each table: its columns, and the exit code with which a change in one is told."""
    return [
        f"| `{table}` | {', '.join(f'`{column}`' for _, column in group)} | {code} |"
        for table, group in groupby(columns, key=lambda pair: pair[0])
    ]
