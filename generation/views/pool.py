"""From sources to prompts, at a glance."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from annotation.views.common import PersonRequest


@login_required
def pool(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404
