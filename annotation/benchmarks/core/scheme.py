"""The scheme of flaws by which questions are annotated, as its file has it."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

CATEGORIES: Final = ("structural", "semantic", "pragmatic")
EVALUATION: Final = (
    "context_fragmentation",
    "semantics_agnostic_scoring",
    "granularity_mismatch",
    "heterogeneous_composition",
)
_KEY: Final = re.compile(r"[a-z][a-z_]{0,39}")


@dataclass(frozen=True)
class Term:
    """Something to choose: by `letter` on the keyboard, which is unique among those beside it."""

    key: str
    label: str
    help: str
    letter: str


@dataclass(frozen=True)
class Category(Term):
    flaws: tuple[Term, ...]
    hint: str = ""


@dataclass(frozen=True)
class Scheme:
    version: str
    categories: tuple[Category, ...]
    evaluation: tuple[Term, ...]
    hints: Mapping[str, Mapping[str, str]]

    def for_layout(self, layout: str) -> tuple[Category, ...]:
        """The categories with what they mean in benchmarks of a layout, where that is said."""
        said = self.hints.get(layout, {})
        return tuple(
            Category(each.key, each.label, each.help, each.letter, each.flaws, said.get(each.key, ""))
            for each in self.categories
        )

    def has(self, category: str, flaw: str) -> bool:
        return any(
            each.key == category and any(term.key == flaw for term in each.flaws) for each in self.categories
        )

    def words(self, category: str, flaw: str) -> str:
        """Labels of both; the keys where the scheme has them not."""
        for each in self.categories:
            for term in each.flaws:
                if (each.key, term.key) == (category, flaw):
                    return f"{each.label}: {term.label.lower()}"
        return f"{category}: {flaw}"


def parse(toml: str) -> Scheme:
    """Raises `ValueError` for a scheme that nobody could work by, and `KeyError` for one that lacks a key."""
    data = tomllib.loads(toml)
    categories = tuple(
        Category(**_term(each), flaws=tuple(Term(**_term(flaw)) for flaw in each["flaws"]))
        for each in data["categories"]
    )
    evaluation = tuple(Term(**_term(each)) for each in data["evaluation"])
    if tuple(each.key for each in categories) != CATEGORIES:
        raise ValueError(f"The categories are {', '.join(CATEGORIES)}, in this order.")
    if tuple(each.key for each in evaluation) != EVALUATION:
        raise ValueError(f"The evaluation axis has {', '.join(EVALUATION)}, in this order.")
    for beside in ((*categories, *evaluation), *(each.flaws for each in categories)):
        _check_apart(beside)
    return Scheme(str(data["version"]), categories, evaluation, data.get("hints", {}))


def _term(data: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(data[name]) for name in ("key", "label", "help", "letter")}


def _check_apart(terms: tuple[Term, ...]) -> None:
    for name in ("key", "letter"):
        values = [getattr(term, name) for term in terms]
        if not values or len(set(values)) < len(values):
            raise ValueError(f"Terms beside each other have one {name} each: {', '.join(values)}.")
    if wrong := [term.key for term in terms if not _KEY.fullmatch(term.key)]:
        raise ValueError(f"Keys are small letters and underscores: {', '.join(wrong)}.")
