"""Prompts on a map."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from annotation.views.common import PersonRequest


@login_required
def prompt_map(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404


@login_required
def draw(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404


@login_required
def points(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    raise Http404
