"""Concepts of a source, and the documents they quote."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from annotation.views.common import PersonRequest


@login_required
def documents(request: PersonRequest, slug: str, source: str) -> HttpResponse:
    raise Http404


@login_required
def concept_add(request: PersonRequest, slug: str, source: str) -> HttpResponse:
    raise Http404


@login_required
def concept_change(request: PersonRequest, slug: str, source: str, pk: int) -> HttpResponse:
    raise Http404


@login_required
def concept_remove(request: PersonRequest, slug: str, source: str, pk: int) -> HttpResponse:
    raise Http404
