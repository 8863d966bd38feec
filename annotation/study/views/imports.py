"""Bringing a table along: choose it, say which column holds what, look at it, import it.

The table travels with the page from step to step and is kept nowhere else. Nothing is imported while a line is
wrong; it can be corrected on the page, or in the file.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotation.platform.core.table_import import Examined, Field, ParsedRow, Problem, Row, Table, read, take
from annotation.platform.forms.table_import import MappingForm, TableForm
from annotation.platform.models.users import User
from annotation.platform.views import PersonRequest, attempt_and_tell
from annotation.study.models.studies import Study

PREVIEWED = 5  # rows
LISTED = 50  # problems


@dataclass(frozen=True)
class Import:
    """One kind of import: its page, the fields of a row, what rows mean, and the verb that keeps them.

    `examples` are static files to begin with, `summary` says in words what rows mean. `keep` returns what to tell
    the person, who is then led to the page named `leads_to`.
    """

    template: str
    leads_to: str
    examples: tuple[str, ...]
    fields: Sequence[Field]
    examine: Callable[[Study, Sequence[ParsedRow]], Examined[Any]]
    summary: Callable[[Examined[Any]], str]
    keep: Callable[[Study, Sequence[ParsedRow], User], str]


@dataclass(frozen=True)
class Preview:
    """The first rows as they were mapped: the label of each field that has a column, and its cells by line."""

    labels: list[str]
    rows: list[tuple[int, list[str]]]


@dataclass(frozen=True)
class Reading:
    """How far a table is understood: without columns no further than `table`, and without a valid `mapping` no
    further than that.
    """

    table: Table
    problems: Sequence[Problem]
    mapping: MappingForm | None = None
    lines: Sequence[ParsedRow] = ()
    preview: Preview | None = None
    examined: Examined[Any] | None = None
    summary: str = ""

    @property
    def is_good(self) -> bool:
        return self.examined is not None and not self.problems

    @property
    def faults(self) -> list[tuple[Problem, str]]:
        """The problems that a page lists, each with the line that it is about, as it was brought."""
        listed = self.problems[:LISTED]
        return [(problem, self.table.line(problem.line) if problem.line else "") for problem in listed]


def import_page(request: PersonRequest, study: Study, kind: Import) -> HttpResponse:
    if request.method != "POST":
        return render(request, kind.template, {"study": study, "kind": kind, "form": TableForm()})
    given = TableForm(request.POST, request.FILES)
    if not given.is_valid():
        return render(request, kind.template, {"study": study, "kind": kind, "form": given}, status=400)
    table = read(given.content, guesses_encoding=True)
    reading = _reading(request, study, kind, table)
    # What was guessed is looked at first; from the page it comes back as what it was read as.
    is_wanted = "import" in request.POST and reading.is_good and not table.guessed
    if is_wanted and attempt_and_tell(request, lambda: kind.keep(study, reading.lines, request.user)):
        return redirect(kind.leads_to, study.slug)
    form = TableForm(initial={"source": table.text})
    context = {"study": study, "kind": kind, "form": form, "reading": reading}
    return render(request, kind.template, context, status=200 if reading.is_good else 400)


def _reading(request: PersonRequest, study: Study, kind: Import, table: Table) -> Reading:
    if not table.columns:
        return Reading(table, table.problems)
    mapping = _mapping(request, kind.fields, table)
    if not mapping.is_valid():
        return Reading(table, table.problems, mapping)
    lines, faults = take(table.rows, kind.fields, mapping.cleaned_data)
    examined = kind.examine(study, lines)
    problems = sorted((*table.problems, *faults, *examined.problems), key=lambda problem: problem.line or 0)
    preview = preview_of(table.rows, kind.fields, mapping.cleaned_data)
    return Reading(table, problems, mapping, lines, preview, examined, kind.summary(examined))


def _mapping(request: PersonRequest, fields: Sequence[Field], table: Table) -> MappingForm:
    """The columns as they were chosen; for a table that is new, as their names suggest."""
    is_chosen = any(name.startswith("column-") for name in request.POST)
    if is_chosen and not request.FILES:
        return MappingForm(fields, table.columns, request.POST)
    return MappingForm.suggested(fields, table.columns)


def preview_of(rows: Sequence[Row], fields: Sequence[Field], mapping: dict[str, str]) -> Preview:
    shown = [(field.label, mapping[field.name]) for field in fields if mapping[field.name]]
    return Preview(
        labels=[label for label, _ in shown],
        rows=[(row.line, [row.cells.get(column, "") for _, column in shown]) for row in rows[:PREVIEWED]],
    )
