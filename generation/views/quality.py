"""What models and people make of the prompts."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse

from annotation.views.common import PersonRequest


@login_required
def quality(request: PersonRequest, slug: str) -> HttpResponse:
    raise Http404
