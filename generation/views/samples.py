"""Samples of prompts, and the files they are published in."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from annotation.views.common import PersonRequest


@login_required
def samples(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404


@login_required
def sample(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    raise Http404


@login_required
def take(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    raise Http404


@login_required
def discard(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    raise Http404


@login_required
def study_prompts(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    raise Http404


@login_required
def evaluation_dataset(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404
