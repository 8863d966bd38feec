"""A study's sources: what was read, what each step removed."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from annotation.views.common import PersonRequest


@login_required
def sources(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404


@login_required
def source_add(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404


@login_required
def source_use(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404


@login_required
def source(request: PersonRequest, slug: str, source: str) -> HttpResponse:
    raise Http404


@login_required
def removed(request: PersonRequest, slug: str, source: str, step: int) -> HttpResponse:
    raise Http404


@login_required
def source_drop(request: PersonRequest, slug: str, source: str) -> HttpResponse:
    raise Http404
