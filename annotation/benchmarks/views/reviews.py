"""Annotating: one question a page, kept as it is said."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.benchmarks.selectors.own_reviews import review_of, review_page
from annotation.benchmarks.services.reviews import Saved, check_may_review, save_review
from annotation.benchmarks.views.own import NOT_YOURS, own
from annotation.platform.core.errors import Refused
from annotation.platform.views import PersonRequest, never_stored

ELSEWHERE = (
    "You have given another answer about this question in another window. Look at it below before you go on."
)


@login_required
@require_safe
@never_stored
def review(request: PersonRequest, pk: int) -> HttpResponse:
    """A question with its story, and what its annotator says of it."""
    found = own(review_of(request.user, pk))
    obstacle = ""
    try:
        check_may_review(found)
    except Refused as refusal:
        obstacle = str(refusal)
    context = {"page": review_page(found), "study": found.annotator.study, "obstacle": obstacle}
    return render(request, "benchmarks/review.html", context)


@login_required
@require_safe
@never_stored
def review_state(request: PersonRequest, pk: int) -> JsonResponse:
    """What the server holds, for a page that has been away."""
    page = review_page(own(review_of(request.user, pk)))
    return JsonResponse({"revision": page.revision, "fields": page.fields})


@login_required
@require_POST
@never_stored
def review_save(request: PersonRequest, pk: int) -> HttpResponse:
    """Keep what the form says: sent by the page's script, which asks for JSON, or with the form itself."""
    is_script = request.headers.get("Accept") == "application/json"
    try:
        saved = save_review(pk=pk, posted=dict(request.POST.lists()), over=_revision(request), by=request.user)
    except PermissionDenied as error:
        raise Http404(NOT_YOURS) from error
    except Refused as refusal:
        if is_script:
            return JsonResponse({"error": str(refusal)}, status=409)
        messages.error(request, str(refusal))
        return redirect("review", pk)
    return _as_json(saved) if is_script else _next_page(request, pk, saved)


def _revision(request: PersonRequest) -> int | None:
    """The revision that the form goes by. Raises `Refused` for what is no number; none at all replaces any."""
    over = request.POST.get("over", "")
    if not over:
        return None
    if not (over.isascii() and over.isdigit() and len(over) < 10):
        raise Refused("The page was changed on its way. Reload it; what is saved stays.")
    return int(over)


def _as_json(saved: Saved) -> JsonResponse:
    return JsonResponse({"revision": saved.revision, "lacks": saved.lacks, "conflict": saved.conflict})


def _next_page(request: PersonRequest, pk: int, saved: Saved) -> HttpResponse:
    """Without the script: the next question, or this one again where something is left to say."""
    if saved.conflict is not None:
        messages.warning(request, ELSEWHERE)
    for lack in saved.lacks:
        messages.warning(request, lack)
    if saved.lacks or saved.conflict is not None:
        return redirect("review", pk)
    page = review_page(own(review_of(request.user, pk)))
    return redirect("review", page.open) if page.open else redirect("study", page.study_slug)
