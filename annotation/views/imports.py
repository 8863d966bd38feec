"""Bringing a table along: choose it, say which column holds what, look at it, import it.

The table travels with the page from step to step and is kept nowhere else. Nothing is imported while a line is
wrong; it can be corrected on the page, or in the file.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotation.core.table_import import Examined, Field, Line, Problem, Row, Table, read, take
from annotation.forms.imports import MappingForm, TableForm
from annotation.models.people import User
from annotation.models.studies import Study
from annotation.views.common import PersonRequest, attempt

PREVIEWED = 5  # rows
PROBLEMS_SHOWN = 50


@dataclass(frozen=True)
class Import:
    """One kind of import: its page, what a line can say, what lines come to, and the verb that keeps them.

    `summary` says in words what they come to. `keep` returns what to tell the person, who is then led to the page
    named `leads_to`.
    """

    template: str
    leads_to: str
    fields: Sequence[Field]
    examine: Callable[[Study, Sequence[Line]], Examined[Any]]
    summary: Callable[[Examined[Any]], str]
    keep: Callable[[Study, Sequence[Line], User], str]


@dataclass(frozen=True)
class Preview:
    """The first rows as they were mapped: the label of each field that has a column, and its cells."""

    labels: list[str]
    rows: list[tuple[int, list[str]]]


def import_page(request: PersonRequest, study: Study, kind: Import) -> HttpResponse:
    if request.method != "POST":
        return render(request, kind.template, {"study": study, "form": TableForm()})
    given = TableForm(request.POST, request.FILES)
    if not given.is_valid():
        return render(request, kind.template, {"study": study, "form": given}, status=400)
    table = read(given.content)
    context = {"study": study, "form": TableForm(initial={"source": table.text}), "table": table}
    problems: Sequence[Problem] = table.problems
    is_ready = False
    if table.columns:
        context["mapping"] = mapping = _mapping(request, kind.fields, table)
        if is_ready := mapping.is_valid():
            lines, faults = take(table.rows, kind.fields, mapping.cleaned_data)
            context["examined"] = examined = kind.examine(study, lines)
            context["summary"] = kind.summary(examined)
            context["preview"] = _preview(table.rows, kind.fields, mapping.cleaned_data)
            problems = sorted([*problems, *faults, *examined.problems], key=lambda problem: problem.line or 0)
            if "import" in request.POST and not problems:
                if done := attempt(request, lambda: kind.keep(study, lines, request.user)):
                    messages.success(request, done)
                    return redirect(kind.leads_to, study.slug)
    context |= {"problems": problems[:PROBLEMS_SHOWN], "more_problems": len(problems[PROBLEMS_SHOWN:])}
    return render(request, kind.template, context, status=400 if problems or not is_ready else 200)


def _mapping(request: PersonRequest, fields: Sequence[Field], table: Table) -> MappingForm:
    """The columns as they were chosen; for a table that is new, as their names suggest."""
    is_chosen = any(name.startswith("column-") for name in request.POST)
    if is_chosen and not request.FILES:
        return MappingForm(fields, table.columns, request.POST)
    return MappingForm.suggested(fields, table.columns)


def _preview(rows: Sequence[Row], fields: Sequence[Field], mapping: dict[str, str]) -> Preview:
    shown = [(field.label, mapping[field.name]) for field in fields if mapping[field.name]]
    return Preview(
        labels=[label for label, _ in shown],
        rows=[(row.line, [row.cells.get(column, "") for _, column in shown]) for row in rows[:PREVIEWED]],
    )
