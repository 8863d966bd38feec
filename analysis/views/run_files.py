"""Files of a finished analysis, one by one and all together."""

from pathlib import PurePosixPath
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from analysis.core.archive import zipped
from analysis.core.exhibits.rendering import dark
from analysis.models.runs import AnalysisRun
from analysis.selectors.runs import file_of, files_of, runs_of
from analysis.views.researched import researched
from annotation.views.common import PersonRequest

TYPES: Final = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".tex": "application/x-tex; charset=utf-8",
}
for_an_hour = cache_control(private=True, max_age=3600)  # a finished run does not change any more


@require_safe
@login_required
@for_an_hour
def run_file(request: PersonRequest, slug: str, number: int, name: str) -> HttpResponse:
    """One file; a picture with `?dark` in the colours of the dark page."""
    content = file_of(_finished(request, slug, number), name)
    if content is None:
        raise Http404
    path = PurePosixPath(name)
    if "dark" in request.GET and path.suffix == ".svg":
        content = dark(content)
    return _download(content, TYPES[path.suffix], f"{slug}-run-{number}-{path.name}")


@require_safe
@login_required
@for_an_hour
def run_archive(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """All files in one ZIP."""
    content = zipped(files_of(_finished(request, slug, number)))
    return _download(content, "application/zip", f"{slug}-run-{number}.zip")


def _finished(request: PersonRequest, slug: str, number: int) -> AnalysisRun:
    finished = runs_of(researched(request, slug)).filter(finished_at__isnull=False)
    return get_object_or_404(finished, number=number)


def _download(content: bytes, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
