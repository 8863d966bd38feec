"""The columns of published tables, and what a table is."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, Literal

from annotation.study.core.rubric import Rubric

Kind = Literal["text", "whole", "number", "truth"]


@dataclass(frozen=True)
class Column:
    """A column of whole numbers, of any numbers, of True and False (1 and 0 in memory) or of text; `values` says
    which, where it needs saying. One that is `optional` is there only where there is anything to say in it.
    """

    name: str
    kind: Kind
    meaning: str
    values: str = ""
    optional: bool = False


@dataclass(frozen=True)
class Layout:
    """A published table. `stem` is its file without the ending, `row` says what a row is.

    Rows are sorted by the columns `order`; no two have the same values there.
    """

    config: str
    split: str
    stem: str
    row: str
    order: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def table(self) -> str:
        """The name of the file without its folder; no two tables have the same."""
        return self.stem.rpartition("/")[2]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    def having(self, names: Collection[str]) -> "Layout":
        """The layout without optional columns that are not among these."""
        kept = (column for column in self.columns if not column.optional or column.name in names)
        return replace(self, columns=tuple(kept))


def text(name: str, meaning: str, values: str = "") -> Column:
    return Column(name, "text", meaning, values)


def whole(name: str, meaning: str, values: str = "") -> Column:
    return Column(name, "whole", meaning, values)


def number(name: str, meaning: str, values: str = "") -> Column:
    return Column(name, "number", meaning, values)


REASONS: Final = Column(
    "reasons", "text", "what the model wrote beside its scores, by dimension", "JSON", optional=True
)


def truth(name: str, meaning: str) -> Column:
    return Column(name, "truth", meaning, "True, False")


def rubric_columns(rubric: Rubric, kind: Kind) -> tuple[Column, ...]:
    values = f"{rubric.scale.minimum} to {rubric.scale.maximum}"
    return tuple(
        Column(dimension.key, kind, f"{dimension.name}: {dimension.definition}", values)
        for dimension in rubric.dimensions
    )
