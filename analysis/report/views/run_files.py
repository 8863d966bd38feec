"""Files of a finished analysis, one by one and all together."""

from pathlib import PurePosixPath
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from analysis.data.core.archive import zipped
from analysis.report.models import AnalysisRun
from analysis.report.selectors.runs import file_of, files_of, runs_of
from analysis.report.views.researcher_access import study_for_researcher
from analysis.sections.exhibits.rendering import dark
from annotation.platform.views import PersonRequest, never_stored

TYPES: Final = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".tex": "application/x-tex; charset=utf-8",
}


@require_safe
@login_required
@never_stored
def run_file(request: PersonRequest, slug: str, number: int, name: str) -> HttpResponse:
    """One file; a picture with `?dark` in the colours of the dark page."""
    # No name that is kept has a NUL, and the database cannot be asked for one.
    content = None if "\0" in name else file_of(_run(request, slug, number), name)
    if content is None:
        raise Http404
    path = PurePosixPath(name)
    if "dark" in request.GET and path.suffix == ".svg":
        content = dark(content)
    return _download(content, TYPES[path.suffix], f"{slug}-run-{number}-{path.name}")


@require_safe
@login_required
@never_stored
def run_archive(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """All files in one ZIP."""
    files = files_of(_run(request, slug, number))
    if not files:
        raise Http404
    return _download(zipped(files), "application/zip", f"{slug}-run-{number}.zip")


def _run(request: PersonRequest, slug: str, number: int) -> AnalysisRun:
    return get_object_or_404(runs_of(study_for_researcher(request, slug)), number=number)


def _download(content: bytes, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
