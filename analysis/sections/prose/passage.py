"""A report in sentences: chapters of passages, and the turns of phrase that all of them use."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from analysis.data.core.judgment_frame import HUMAN
from analysis.data.core.number_format import estimate_text
from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Passage:
    """Paragraphs under a heading. One without paragraphs has nothing to say, and is left out."""

    heading: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    heading: str
    passages: tuple[Passage, ...]


def paragraph(*sentences: str) -> tuple[str, ...]:
    """One of those sentences that are not blank; none if all are."""
    text = " ".join(filter(None, sentences))
    return (text,) if text else ()


def said(estimate: Estimate, digits: int = 2, *, is_share: bool = False) -> str:
    """The figure with its interval, or that it is undefined, and why."""
    if estimate.value is None:
        return f"undefined ({estimate.reason})"
    return estimate_text(estimate, digits, is_share=is_share)


def by_domain(
    scopes: Mapping[str, Part], figure: Callable[[Part], Estimate], digits: int = 2, *, is_share: bool = False
) -> str:
    """A figure by domain, as in “BBQ 0.30 [0.21, 0.40]; HLE 0.48 [0.33, 0.61]”; blank where there are fewer than
    two domains.

    Where it is undefined in each of them, why stands there once.
    """
    domains = {scope: figure(part) for scope, part in scopes.items() if scope != WHOLE}
    if len(domains) < 2:
        return ""
    if all(found.value is None for found in domains.values()):
        return f"undefined in each ({listed(sorted({found.reason or '' for found in domains.values()}))})"
    return enumerated(f"{scope} {said(found, digits, is_share=is_share)}" for scope, found in domains.items())


def listed(parts: Iterable[str]) -> str:
    """“a, b and c”."""
    *leading, last = parts
    return f"{', '.join(leading)} and {last}" if leading else last


def enumerated(parts: Iterable[str]) -> str:
    """“a; b; c”, for parts that have commas of their own."""
    return "; ".join(parts)


def readable(key: str) -> str:
    """A dimension or a kind of item as words."""
    return key.replace("_", " ")


def writer_of(source: str) -> str:
    return "people" if source == HUMAN else source


def in_order(parts: Iterable[Part], figure: Callable[[Part], Estimate]) -> list[Part]:
    """The entries whose figure is defined, the lowest first."""
    known = [(value, place, part) for place, part in enumerate(parts) if (value := figure(part).value) is not None]
    return [part for _, _, part in sorted(known, key=lambda found: found[:2])]


def extremes(parts: Iterable[Part], figure: Callable[[Part], Estimate]) -> list[Part]:
    """The lowest and the highest of them, or the only one."""
    ordered = in_order(parts, figure)
    return [ordered[0], ordered[-1]] if len(ordered) > 1 else ordered
