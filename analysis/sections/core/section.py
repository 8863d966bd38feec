"""A section of a report, declared in one place: what it finds, from what, and how that is shown and said.

Its package declares it once and registers it; `analysis.report.sections` has a line for each module that does.
Files, pages, texts and comparisons go over whatever is registered, and know no section by name.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from pydantic import TypeAdapter

from analysis.sections.core.inputs import TABLES, Masked, Unblinded
from analysis.sections.core.report import Report
from analysis.sections.exhibits.exhibit import Exhibit
from analysis.sections.prose.passage import Passage

# Covariant, since it is read from reports: so what is done with it takes anything.
Found_co = TypeVar("Found_co", covariant=True)

AFTER_ALL: Final = 1_000
# Members of results.json that are not of a section.
TAKEN: Final = frozenset(("schema_version", "is_masked", "not_applicable", "parameters", "data"))
BY_DOMAIN, BY_PROMPT = "By domain", "By prompt"  # titles under which every section's are compared


@dataclass(frozen=True, slots=True)
class Order:
    """Where a section stands among the others, the lowest first; those with the same place go by their names.

    `file`: in results.json and figures.csv, which is also the order in which sections are computed. `page`: among
    pictures and tables. `text`: in methods and results. `differences`: where two runs are compared. `headlines`:
    among the sentences that a page begins with.
    """

    file: int = AFTER_ALL
    page: int = AFTER_ALL
    text: int = AFTER_ALL
    differences: int = AFTER_ALL
    headlines: int = AFTER_ALL


@dataclass(frozen=True, slots=True)
class Stage:
    """What a run goes through: its name in the progress, in words, and about how much of the time it takes."""

    name: str
    words: str
    share: int


@dataclass(frozen=True, slots=True)
class Entries:
    """The entries of a section in results.json that begin with a pattern, and under which title they are compared.
    What is matched goes without saying.
    """

    title: str
    beginning: str


@dataclass(frozen=True, eq=False)
class Section(Generic[Found_co]):
    """One section, which finds a `kind` (a dataclass, or a mapping or tuple of them).

    What it is
        `name` is unique, and its place in results.json; or else the fields of what it finds stand there in the
        object called `beside`, together with other sections'. A field that is added to the kind needs a default.
        `title` is the heading of its pictures and tables.
    How it is computed
        `from_masked`, or `from_unblinded` together with the names of the `tables` that it reads beside the
        judgments; it is given no others. `not_applicable` says why a study has no such section; "" where it does.
    What it shows and says
        `exhibits` of all prompts, and of each domain among the `scopes` that it has. `passages`, of which the first
        goes on with the passage before where both have the same heading. `methods` says how it was computed, and
        `data`, in sentences, what it rests on beside judgments.
        `headlines` are its main findings, a sentence each with the figure and its interval, and none where the
        figure is undefined. None of them is asked for unless what it `needs` of other sections is there too.
    How it is compared
        `entries` by title (by default all under its own), `words` for parts of their names, and a pattern for those
        that are `said_elsewhere`.
    While sources are masked
        `without_prompts` gives what may be told where prompts could be told apart by what judges were given.
    """

    name: str
    title: str
    kind: Any
    beside: str = ""
    from_masked: Callable[[Masked], Found_co] | None = None
    from_unblinded: Callable[[Unblinded], Found_co] | None = None
    tables: tuple[str, ...] = ()
    not_applicable: Callable[[Any], str] = lambda _inputs: ""
    order: Order = Order()
    stage: Stage | None = None
    needs: "tuple[Section[Any], ...]" = ()
    scopes: Callable[[Any], Iterable[str]] = lambda _found: ()
    exhibits: Callable[[Any, Report, str], Iterable[Exhibit]] = lambda _found, _report, _scope: ()
    passages: Callable[[Any, Report], Iterable[Passage]] = lambda _found, _report: ()
    methods: Passage | None = None
    data: Callable[[Any], Iterable[str]] = lambda _found: ()
    headlines: Callable[[Any, Report], Iterable[str]] = lambda _found, _report: ()
    entries: tuple[Entries, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    said_elsewhere: str = ""
    without_prompts: Callable[[Any], Found_co] = lambda found: found

    def __post_init__(self) -> None:
        if (self.from_masked is None) == (self.from_unblinded is None):
            raise ValueError(f"{self.name}: a section is computed from masked judgments or from unblinded tables")
        if unknown := set(self.tables) - TABLES:
            raise ValueError(f"{self.name}: no study has the tables {sorted(unknown)}")

    @property
    def key(self) -> str:
        """The member of results.json that has what it finds, alone or together with others."""
        return self.beside or self.name

    @cached_property
    def adapter(self) -> TypeAdapter[Found_co]:
        """Reads and writes what it finds."""
        return TypeAdapter(self.kind)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The members of a section beside others that are its own."""
        return tuple(self.kind.__dataclass_fields__) if self.beside else ()

    @property
    def compared(self) -> tuple[Entries, ...]:
        if self.entries:
            return self.entries
        own = f"(?=(?:{'|'.join(map(re.escape, self.fields))})(?:\\.|$))" if self.beside else ""
        return (Entries(self.title, f"{re.escape(self.key)}\\.{own}"),)

    def is_shown(self, report: Report) -> bool:
        """Whether it is there, and all that it needs."""
        return self in report and all(needed in report for needed in self.needs)


_registered: Final[dict[str, Section[Any]]] = {}


def register(section: Section[Found_co]) -> Section[Found_co]:
    """Make the section one of every report's. Raises ValueError where its name, or its place in results.json, is
    taken.
    """
    if section.key in TAKEN:
        raise ValueError(f"{section.name}: something else stands in results.json in the same place")
    for other in _registered.values():
        is_beside = bool(section.beside and other.beside) and not set(section.fields) & set(other.fields)
        if section.name == other.name or (section.key == other.key and not is_beside):
            raise ValueError(f"{section.name}: {other.name} stands in results.json in the same place")
    _registered[section.name] = section
    return section


def registered(which: str) -> list[Section[Any]]:
    """All sections in the order that `which` field of their `Order` gives, such as “page”."""
    return sorted(_registered.values(), key=lambda section: (getattr(section.order, which), section.name))
