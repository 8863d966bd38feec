"""Adding a source: its kind first, then its files and what it is called, and of a table what its columns hold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.platform.core.errors import Refused
from annotation.platform.core.line_files import BrokenFile
from annotation.platform.core.table_import import Field, Problem, Table
from annotation.platform.forms.table_import import MappingForm
from annotation.platform.models.users import User
from annotation.platform.views import PersonRequest, taken
from annotation.study.models.studies import Study
from annotation.study.views.imports import PREVIEWED, Preview, preview_of
from annotation.study.views.membership import coordinated
from generation.sources.core.shapes import ShapeName
from generation.sources.core.source_files import Reading as SourceReading
from generation.sources.core.source_kinds import SOURCE_KINDS, KindName
from generation.sources.core.table_sources import FIELDS, read_table
from generation.sources.forms.sources import SourceForm
from generation.sources.models import Source
from generation.sources.providers.reading import read_apart
from generation.sources.services import sources as services
from generation.sources.views.pending_uploads import PendingUpload, discard_upload, keep_upload, pending_upload


@dataclass(frozen=True)
class TableReading:
    """How far a table is understood: without columns no further than `table`, and without a valid `mapping` no
    further than that. It comes to a `source` where no line of it is wrong.
    """

    table: Table
    problems: Sequence[Problem]
    mapping: MappingForm | None = None
    preview: Preview | None = None
    source: SourceReading | None = None

    @property
    def is_good(self) -> bool:
        return self.source is not None

    @property
    def columns(self) -> dict[str, str]:
        """Field → column, of those fields that have one."""
        chosen = self.mapping.cleaned_data if self.mapping else {}
        return {field: column for field, column in chosen.items() if column}

    @property
    def summary(self) -> str:
        scenarios = self.source.reduction.scenarios if self.source else ()
        strata = {scenario.stratum for scenario in scenarios}
        return f"Scenarios: {len(scenarios):,}. Strata that samples are spread over: {len(strata):,}."


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def source_add(request: PersonRequest, slug: str) -> HttpResponse:
    """Which kind, where the address does not say so; else the form for one of that kind."""
    study = coordinated(request, slug)
    kind = request.GET.get("kind", "")
    if kind not in SOURCE_KINDS:
        context = {"study": study, "kinds": Source.Kind.choices}
        return render(
            request, "sources/source_kinds.html", context, status=400 if request.method == "POST" else 200
        )
    return _table(request, study) if kind == "table" else _files(request, study, cast(KindName, kind))


def _files(request: PersonRequest, study: Study, kind: KindName) -> HttpResponse:
    """Whatever is read as it was published, or written by the rules of its kind."""
    form = SourceForm(kind, request.POST, request.FILES) if request.method == "POST" else SourceForm(kind)

    def verb() -> None:
        reading = read_apart(kind, [(file.name, file.read()) for file in form.cleaned_data["uploads"]])
        described = {"kind": kind, "shape": SOURCE_KINDS[kind].shape, **form.described}
        messages.success(request, _bring(study, reading, by=request.user, **described))

    if form.is_bound and taken(form, verb):
        return redirect("source", study.slug, form.cleaned_data["slug"])
    return _form_page(request, study, kind, form)


def _form_page(request: PersonRequest, study: Study, kind: KindName, form: SourceForm) -> HttpResponse:
    context = {
        "study": study,
        "kind": Source.Kind(kind).label,
        "examples": [f"examples/{name}" for name in SOURCE_KINDS[kind].examples],
        "form": form,
    }
    return render(request, "sources/source_add.html", context, status=400 if form.is_bound else 200)


def _table(request: PersonRequest, study: Study) -> HttpResponse:
    """A table waits here until its columns are known. Nothing is imported while a line of it is wrong."""
    if request.method != "POST":
        return _form_page(request, study, "table", SourceForm("table"))
    held = pending_upload(request.POST.get("held", ""), by=request.user)
    form = SourceForm("table", request.POST, request.FILES)
    if held:
        form.has_its_file()
    form.is_valid()
    if sent := form.cleaned_data.get("uploads"):
        if held:
            discard_upload(held, by=request.user)
        held = keep_upload(sent[0], by=request.user)
    shape = form.cleaned_data.get("shape")
    if held is None or shape is None:
        return _form_page(request, study, "table", form)
    form.has_its_file()
    reading = _read_table(request, held, shape)
    if "import" in request.POST and (source := reading.source):

        def verb() -> None:
            described = {"kind": "table", "mapping": reading.columns, **form.described}
            messages.success(request, _bring(study, source, by=request.user, **described))

        if taken(form, verb):
            discard_upload(held, by=request.user)
            return redirect("source", study.slug, form.cleaned_data["slug"])
    context = {"study": study, "form": form, "held": held, "reading": reading}
    is_good = reading.is_good and not form.errors
    return render(request, "sources/source_table.html", context, status=200 if is_good else 400)


def _read_table(request: PersonRequest, held: PendingUpload, shape: ShapeName) -> TableReading:
    table = read_table(held.content)
    if not table.columns:
        return TableReading(table, table.problems)
    mapping = _mapping(request, FIELDS[shape], table)
    if not mapping.is_valid():
        return TableReading(table, table.problems, mapping, _as_it_is(table))
    reading = TableReading(table, (), mapping, preview_of(table.rows, FIELDS[shape], mapping.cleaned_data))
    try:
        files = [(held.name, held.content)]
        return replace(reading, source=read_apart("table", files, shape=shape, mapping=reading.columns))
    except BrokenFile as broken:
        return replace(reading, problems=broken.problems)
    except Refused as refusal:
        return replace(reading, problems=[Problem(str(refusal))])


def _mapping(request: PersonRequest, fields: Sequence[Field], table: Table) -> MappingForm:
    """The columns as they were chosen, for a corrected file too; as names suggest where it has none of those."""
    chosen = {request.POST.get(f"column-{field.name}") for field in fields}
    if chosen.isdisjoint(table.columns):
        return MappingForm.suggested(fields, table.columns)
    return MappingForm(fields, table.columns, request.POST)


def _as_it_is(table: Table) -> Preview:
    """The file as it is, for those who have to find out what its columns hold."""
    return Preview(
        labels=[*table.columns],
        rows=[
            (row.line, [row.cells.get(column, "") for column in table.columns]) for row in table.rows[:PREVIEWED]
        ],
    )


@transaction.atomic
def _bring(study: Study, reading: SourceReading, *, by: User, **described: Any) -> str:
    """Import a source and let the study draw on it, or neither; what to tell the person."""
    imported = services.import_source(
        reduction=reading.reduction, files=reading.files, documents=reading.documents, by=by, **described
    )
    services.use_source(study=study, source=imported.source, by=by)
    if imported.changed:
        return f"{imported.source.name} is read in, and the study draws on it."
    return f"The same {imported.source.name} was on this site already. The study draws on it."
