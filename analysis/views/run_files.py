"""Files of a finished analysis, one by one and all together."""

from pathlib import PurePosixPath
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from analysis.core.exhibits.rendering import dark
from analysis.selectors.runs import ARCHIVE, file_of, runs_of
from analysis.views.researched import researched
from annotation.views.common import PersonRequest, never_stored

TYPES: Final = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".pdf": "application/pdf",
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".tex": "application/x-tex; charset=utf-8",
    ".zip": "application/zip",
}


@require_safe
@login_required
@never_stored
def run_file(request: PersonRequest, slug: str, number: int, name: str) -> HttpResponse:
    """One file; a picture with `?dark` in the colours of the dark page."""
    content = _content(request, slug, number, name)
    path = PurePosixPath(name)
    if "dark" in request.GET and path.suffix == ".svg":
        content = dark(content)
    return _download(content, TYPES[path.suffix], f"{slug}-run-{number}-{path.name}")


@require_safe
@login_required
@never_stored
def run_archive(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """All files in one ZIP."""
    return _download(_content(request, slug, number, ARCHIVE), "application/zip", f"{slug}-run-{number}.zip")


def _content(request: PersonRequest, slug: str, number: int, name: str) -> bytes:
    run = get_object_or_404(runs_of(researched(request, slug)), number=number)
    content = file_of(run, name)
    if content is None:
        raise Http404
    return content


def _download(content: bytes, content_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)
