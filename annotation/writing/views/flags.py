"""A writer points something out to the coordinator about the question."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.platform.views import PersonRequest
from annotation.study.views.flags import flag_page
from annotation.writing.views.writing import own_assignment


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def flag(request: PersonRequest, pk: int) -> HttpResponse:
    """Raise a flag; before the clock runs there is no question yet."""
    assignment = own_assignment(request, pk)
    if assignment.state not in ("writing", "submitted"):
        raise Http404
    return flag_page(
        request,
        assignment.participation,
        assignment.prompt_version_id,
        about=f"Prompt {assignment.position}",
        address=reverse("writing_room", args=[pk]),
    )
