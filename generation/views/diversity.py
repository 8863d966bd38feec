"""How different the prompts of a scenario are."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from annotation.views.common import PersonRequest


@login_required
def diversity(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404


@login_required
def compare(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404
