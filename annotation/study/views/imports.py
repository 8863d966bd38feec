"""Bringing a table along: choose it, say which column holds what, look at it, import it.

A table without a fault is kept for two hours at most, so that what it comes to has an address that a browser can
go back to; else it travels with the page. Nothing is imported while a line is wrong; it can be corrected on the
page, or in the file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from secrets import token_urlsafe
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.cache import cache
from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotation.platform.core.table_import import Examined, Field, ParsedRow, Problem, Row, Table, read, take
from annotation.platform.core.text import sha256_hex
from annotation.platform.forms.table_import import MappingForm, TableForm
from annotation.platform.models.users import User
from annotation.platform.views import PersonRequest, attempt_and_tell
from annotation.study.models.studies import Study

PREVIEWED = 5  # rows
LISTED = 50  # problems
KEPT_SECONDS: Final = 2 * 60 * 60
GONE: Final = "That table is kept no longer: it was imported, or it has waited for two hours. Choose it again."


@dataclass(frozen=True)
class Import:
    """One kind of import: its page, the fields of a row, what rows mean, and the verb that keeps them.

    `examples` are static files to begin with, `summary` says in words what rows mean. `keep` returns what to tell
    the person, who is then led to the page named `leads_to`. Where rows are mailed about, `message` is a form with
    somebody's own words, a field of that name, and `mails` returns what would be sent, each with whom it is to.
    """

    template: str
    leads_to: str
    examples: tuple[str, ...]
    fields: Sequence[Field]
    examine: Callable[[Study, Sequence[ParsedRow]], Examined[Any]]
    summary: Callable[[Examined[Any]], str]
    keep: Callable[[Study, Sequence[ParsedRow], User, str], str]
    message: Callable[[Mapping[str, str]], forms.Form] | None = None
    mails: Callable[[Study, Examined[Any], User, str], Sequence[tuple[str, str]]] = lambda *_: ()


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
    token = request.GET.get("table", "")
    key = _key(request, study, kind, token)
    if request.method != "POST":
        kept = cache.get(key) if token else None
        if kept:
            content, columns, words = kept
            table = read(content, guesses_encoding=True)
            return _looked_at(request, study, kind, _reading(study, kind, table, columns), words)
        if token:
            messages.info(request, GONE)
        return render(request, kind.template, {"study": study, "kind": kind, "form": TableForm()})
    given = TableForm(request.POST, request.FILES)
    if not given.is_valid():
        return render(request, kind.template, {"study": study, "kind": kind, "form": given}, status=400)
    table = read(given.content, guesses_encoding=True)
    columns = _chosen_columns(request)
    reading = _reading(study, kind, table, columns)
    words = request.POST.get("message", "")
    message = _message(kind, words)
    # What was guessed is looked at first; from the page it comes back as what it was read as.
    is_good = reading.is_good and not table.guessed and (message is None or message.is_valid())
    own = message.cleaned_data["message"] if message and is_good else ""
    is_wanted = "import" in request.POST and is_good
    if is_wanted and attempt_and_tell(request, lambda: kind.keep(study, reading.lines, request.user, own)):
        cache.delete(key)
        return redirect(kind.leads_to, study.slug)
    token = token_urlsafe(16)
    cache.set(_key(request, study, kind, token), (given.content, columns, words), KEPT_SECONDS)
    return redirect(f"{request.path}?table={token}")


def _looked_at(request: PersonRequest, study: Study, kind: Import, reading: Reading, words: str) -> HttpResponse:
    message = _message(kind, words)
    is_good = reading.is_good and not (message and message.errors)
    mails: Sequence[tuple[str, str]] = ()
    if message and is_good and reading.examined:
        mails = kind.mails(study, reading.examined, request.user, message.cleaned_data["message"])
    context = {
        "study": study,
        "kind": kind,
        "form": TableForm(initial={"source": reading.table.text}),
        "reading": reading,
        "message": message,
        "mails": mails,
    }
    return render(request, kind.template, context, status=200 if is_good else 400)


def _message(kind: Import, words: str) -> forms.Form | None:
    """Somebody's own words for the mails, where rows are mailed about."""
    return kind.message({"message": words}) if kind.message else None


def _key(request: PersonRequest, study: Study, kind: Import, token: str) -> str:
    """Whatever was sent as a token, it makes a good key, and finds nothing that another person brought."""
    return f"table-with-message-{sha256_hex(f'{request.user.pk} {study.pk} {kind.template} {token}')}"


def _chosen_columns(request: PersonRequest) -> Mapping[str, str]:
    """The columns as they were chosen; none for a table that is new."""
    if request.FILES:
        return {}
    return {name: str(value) for name, value in request.POST.items() if name.startswith("column-")}


def _reading(study: Study, kind: Import, table: Table, columns: Mapping[str, str]) -> Reading:
    if not table.columns:
        return Reading(table, table.problems)
    mapping = _mapping(kind.fields, table, columns)
    if not mapping.is_valid():
        return Reading(table, table.problems, mapping)
    lines, faults = take(table.rows, kind.fields, mapping.cleaned_data)
    examined = kind.examine(study, lines)
    problems = sorted((*table.problems, *faults, *examined.problems), key=lambda problem: problem.line or 0)
    preview = preview_of(table.rows, kind.fields, mapping.cleaned_data)
    return Reading(table, problems, mapping, lines, preview, examined, kind.summary(examined))


def _mapping(fields: Sequence[Field], table: Table, columns: Mapping[str, str]) -> MappingForm:
    """The columns as they were chosen; for a table that is new, as their names suggest."""
    if columns:
        return MappingForm(fields, table.columns, columns)
    return MappingForm.suggested(fields, table.columns)


def preview_of(rows: Sequence[Row], fields: Sequence[Field], mapping: dict[str, str]) -> Preview:
    shown = [(field.label, mapping[field.name]) for field in fields if mapping[field.name]]
    return Preview(
        labels=[label for label, _ in shown],
        rows=[(row.line, [row.cells.get(column, "") for _, column in shown]) for row in rows[:PREVIEWED]],
    )
