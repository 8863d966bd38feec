"""Prompts written from sources."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from annotation.views.common import PersonRequest


@login_required
def candidates(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404


@login_required
def candidate(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    raise Http404


@login_required
def review(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    raise Http404
