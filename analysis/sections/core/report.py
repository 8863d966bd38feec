"""The report of an analysis: sections whose leaves are figures, each with its interval or why it has none.

`masked_report` and `full_report` compute it; pages, tables, pictures, texts and files are views of it and compute
nothing. On one kind of processor the same data and parameters give the same report to the last digit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from analysis.data.core.number_format import shortest
from analysis.data.core.parameters import Parameters

if TYPE_CHECKING:
    from analysis.sections.core.section import Section

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class ScaleEnds:
    """The ends of the scale that scores are on; `is_inferred`: nobody told them."""

    low: float
    high: float
    is_inferred: bool = False

    @property
    def span(self) -> str:
        """“1 to 10”."""
        return f"{shortest(self.low)} to {shortest(self.high)}"

    def __str__(self) -> str:
        """“1 to 10”, or “1 to 7, inferred”."""
        return f"{self.span}{', inferred' * self.is_inferred}"


@dataclass(frozen=True, slots=True)
class Data:
    """What was analysed. Of the judgments, `scored` have a score for every answer and `ranked` a rank for one at
    least; `reranked` are those whose scores order the answers otherwise than the ranks given, and `dense` those
    whose ranks given have no gap behind tied answers (1, 2, 2, 3).

    `is_scale_inferred`: nobody told the ends of the scale, so that it was taken from the scores.
    """

    rows: int
    prompts: int
    judges: int
    judgments: int
    answers: int
    dimensions: tuple[str, ...]
    scale: tuple[float, float]
    is_scale_inferred: bool
    item_types: Mapping[str, int]
    scored: int
    ranked: int
    reranked: int
    draws: int
    dense: int = 0

    @property
    def ends(self) -> ScaleEnds:
        return ScaleEnds(*self.scale, is_inferred=self.is_scale_inferred)


@dataclass(frozen=True, slots=True)
class Report:
    """What was asked and analysed, and what each section `found`, by its name: `report[AGREEMENT]`.

    A report that `is_masked` has only sections of masked judgments. Others that are not there do not apply to the
    study, as `not_applicable` says with the reason by name, or else were not computed by the code of their time.
    """

    parameters: Parameters
    data: Data
    found: Mapping[str, Any] = field(default_factory=dict)
    is_masked: bool = False
    not_applicable: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, section: "Section[Found]") -> Found:
        """What the section found. Raises KeyError where it is not there."""
        found: Found = self.found[section.name]
        return found

    def __contains__(self, section: "Section[Any]") -> bool:
        return section.name in self.found

    def get(self, section: "Section[Found]") -> Found | None:
        return self.found.get(section.name)

    def having(self, section: "Section[Found]", found: Found) -> Self:
        """The report as if the section had found this."""
        return replace(self, found={**self.found, section.name: found})

    def without(self, *sections: "Section[Any]") -> Self:
        """The report as if these had not been computed."""
        names = {section.name for section in sections}
        return replace(self, found={name: found for name, found in self.found.items() if name not in names})


@dataclass(frozen=True)
class Progress:
    """Told, as work goes on, what is done and out of how many steps."""

    tell: Callable[[str, int, int], None] = field(default=lambda _what, _done, _of: None)


SILENT: Final = Progress()
