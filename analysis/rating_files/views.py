"""Analysing a file of ratings: bring it, say what its columns are, see what is doubtful, run, read, download."""

from pathlib import PurePosixPath
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh
from pydantic import TypeAdapter

from analysis.data.core.archive import zipped
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.rating_files import selectors, services
from analysis.rating_files.core.looking import Look, Understood
from analysis.rating_files.core.reading import FileKind, RatingOptions, other_kind
from analysis.rating_files.forms import ColumnsForm, RatingFileForm
from analysis.rating_files.models import RatingFile
from analysis.rating_files.policies import MAX_KEPT, can_analyse_files, check_analyse_files, check_room_for_another
from analysis.rating_files.providers.reading import look_apart, understand_apart
from analysis.report.views.run_files import TYPES
from analysis.sections.exhibits.rendering import dark
from annotation.platform.views import PersonRequest, attempt_and_tell, never_stored, person_posts, taken

_LOOK = TypeAdapter(Look)
_OPTIONS = TypeAdapter(RatingOptions)
_PARAMETERS = TypeAdapter(Parameters)
A_RESULT = "results.json"
NAMED = {"pairs": "comparisons", "ratings": "ratings", "framings": "answers under pressure"}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def rating_files(request: PersonRequest) -> HttpResponse:
    """One's own files, and the form to bring one, which is looked at and kept."""
    check_analyse_files(request.user)
    form = RatingFileForm(request.POST, request.FILES) if request.method == "POST" else RatingFileForm()
    brought: list[RatingFile] = []

    def bring() -> None:
        check_room_for_another(request.user)
        name, kind, content = form.cleaned_data["file"].name, form.cleaned_data["kind"], form.content
        look = look_apart(content, kind)
        brought.append(services.bring(name=name, kind=kind, content=content, look=look, by=request.user))

    if form.is_bound and taken(form, bring):
        return redirect("rating_file", brought[0].pk)
    context = {"form": form, "files": selectors.files_of(request.user), "most": MAX_KEPT}
    return render(request, "rating_files/list.html", context, status=400 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def rating_file(request: PersonRequest, pk: int) -> HttpResponse:
    """What its columns are, how far its analysis is, or what that found; htmx asks how far it is."""
    file = _own(request, pk)
    if request.htmx:
        return _progress(request, file)
    if "take_for" in request.POST:
        attempt_and_tell(request, lambda: _take_for(request, file))
        return redirect("rating_file", file.pk)
    if request.method == "POST":
        return _explained(request, file)
    return render(request, "rating_files/file.html", _context(request, file, _form_of(file)))


def _take_for(request: PersonRequest, file: RatingFile) -> str:
    kind = request.POST["take_for"]
    services.take_for(file=file, kind=cast(FileKind, kind), by=request.user)
    return f"“{file.name}” is now read as {NAMED[kind]}."


def _explained(request: PersonRequest, file: RatingFile) -> HttpResponse:
    """Show how the file is understood so, or have it analysed so."""
    form = ColumnsForm(_look(file).columns, cast(FileKind, file.kind), request.POST)
    understood: list[Understood] = []

    def understand() -> None:
        content = bytes(RatingFile.objects.values_list("content", flat=True).get(pk=file.pk))
        understood.append(understand_apart(content, form.options, cast(FileKind, file.kind)))

    def analyse() -> None:
        services.ask_for_analysis(file=file, options=form.options, parameters=form.parameters, by=request.user)

    if taken(form, understand) and "analyse" in request.POST and taken(form, analyse):
        return redirect("rating_file", file.pk)
    context = _context(request, file, form) | {"understood": understood[0] if understood else None}
    return render(request, "rating_files/file.html", context, status=400 if form.errors else 200)


@person_posts
def remove_rating_file(request: PersonRequest, pk: int) -> HttpResponse:
    """Delete the file and all that was found in it."""
    file = _own(request, pk)

    def remove() -> str:
        services.remove(file=file, by=request.user)
        return f"“{file.name}” and all that was computed from it are deleted."

    return redirect("rating_files") if attempt_and_tell(request, remove) else redirect("rating_file", pk)


@require_safe
@login_required
@never_stored
def rating_file_result(request: PersonRequest, pk: int, name: str) -> HttpResponse:
    """One file of the report; a picture with `?dark` in the colours of the dark page."""
    content = None if "\0" in name else selectors.result_of(_own(request, pk), name)
    if content is None:
        raise Http404
    path = PurePosixPath(name)
    if "dark" in request.GET and path.suffix == ".svg":
        content = dark(content)
    return _download(content, TYPES[path.suffix], f"analysis-{pk}-{path.name}")


@require_safe
@login_required
@never_stored
def rating_file_archive(request: PersonRequest, pk: int) -> HttpResponse:
    """The whole report in one ZIP."""
    found = selectors.results_of(_own(request, pk))
    if not found:
        raise Http404
    return _download(zipped(found), "application/zip", f"analysis-{pk}.zip")


def _own(request: PersonRequest, pk: int) -> RatingFile:
    """404 also for those who may have no file analysed: they learn of none."""
    if not can_analyse_files(request.user):
        raise Http404
    return get_object_or_404(selectors.own_files(request.user), pk=pk)


def _look(file: RatingFile) -> Look:
    return _LOOK.validate_python(file.look)


def _form_of(file: RatingFile) -> ColumnsForm:
    columns, kind = _look(file).columns, cast(FileKind, file.kind)
    if not file.asked_at:
        return ColumnsForm.proposed(columns, kind, _look(file).codes)
    options, parameters = _OPTIONS.validate_python(file.options), _PARAMETERS.validate_python(file.parameters)
    return ColumnsForm.filled(columns, kind, options, parameters)


def _progress(request: PersonRequest, file: RatingFile) -> HttpResponse:
    if not selectors.is_being_analysed(file):
        return HttpResponseClientRefresh()
    if request.GET.get("seen") == selectors.step_of(file):
        return HttpResponse(status=204)
    return render(request, "rating_files/file.html#progress", {"file": file, **_waiting(file)})


def _context(request: PersonRequest, file: RatingFile, form: ColumnsForm) -> dict[str, Any]:
    try:
        scope = request.GET.get("domain", WHOLE)
        found = selectors.findings_of(file, scope) if file.finished_at else None
    except LookupError as unknown:
        raise Http404 from unknown
    waits = selectors.is_being_analysed(file)
    return {
        "file": file,
        "look": _look(file),
        "form": form,
        "found": found,
        "other": None if file.asked_at else other_kind(_look(file).columns, cast(FileKind, file.kind)),
        "given_up": bool(file.asked_at and not file.finished_at and not file.problem and not waits),
        "facts": "rating_files/_facts.html",
        "files_at": reverse("rating_file_result", args=[file.pk, A_RESULT]).removesuffix(A_RESULT),
        "archive_at": reverse("rating_file_archive", args=[file.pk]),
        **(_waiting(file) if waits else {}),
    }


def _waiting(file: RatingFile) -> dict[str, Any]:
    return {
        "waits": True,
        "step": selectors.step_of(file),
        "stage": selectors.stage_of(file),
        "trouble": selectors.trouble_of(file),
    }


def _download(content: bytes, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
