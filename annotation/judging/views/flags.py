"""A judge points something out to the coordinator, about an answer by its letter or about the question."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from annotation.judging.selectors.judging import item_of, item_page
from annotation.platform.views import PersonRequest, never_stored
from annotation.study.views.flags import flag_page


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_stored
def flag(request: PersonRequest, pk: int) -> HttpResponse:
    """Raise a flag; an item that was never opened has nothing to point out yet."""
    item, page = item_of(request.user, pk), item_page(request.user, pk)
    if item is None or page is None or item.state == "assigned":
        raise Http404
    return flag_page(
        request,
        item.participation,
        item.prompt_version_id,
        answers=[(answer.label, answer.text) for answer in page.answers],
        about=f"Item {page.position} of {page.of}",
        address=reverse("judging_item", args=[pk]),
    )
