"""The judging room: an item's introduction, the room itself, and the receipt."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from annotation.core.errors import Refused
from annotation.forms.judging import Malformed, place_field, places_from_form, scores_from_form, scores_from_json
from annotation.models.judging import JudgingItem
from annotation.policies.judging import check_may_judge
from annotation.selectors.judging import item_of, item_page, scores_given, scores_wanted
from annotation.services import judging
from annotation.views.common import PersonRequest, attempt, person_posts

# Texts and scores stay out of every cache, the browser's own included.
never_stored = cache_control(private=True, no_store=True)


def _item_or_404(request: PersonRequest, pk: int) -> JudgingItem:
    item = item_of(request.user, pk)
    if item is None:
        raise Http404("There is no such item among yours.")
    return item


@login_required
@require_safe
@never_stored
def show(request: PersonRequest, pk: int) -> HttpResponse:
    """The introduction before an item is opened, then the room, and once it is submitted the receipt."""
    item = _item_or_404(request, pk)
    if item.state == "submitted":
        return redirect("judging_receipt", pk=pk)
    try:
        check_may_judge(item)
    except Refused as refusal:
        return render(request, "judging/intro.html", {"page": item_page(item), "obstacle": str(refusal)})
    if item.state == "assigned":
        return render(request, "judging/intro.html", {"page": item_page(item)})
    return _room(request, item)


def _room(request: PersonRequest, item: JudgingItem, *, status: int = 200) -> HttpResponse:
    """The room with the saved scores and, after a refused submission, what was typed beside them."""
    page = item_page(item)
    context = {
        "page": page,
        "places": [(answer, request.POST.get(place_field(answer.slot), "")) for answer in page.answers],
        "justification": request.POST.get("justification", page.justification),
    }
    return render(request, "judging/room.html", context, status=status)


@person_posts
@never_stored
def open_item(request: PersonRequest, pk: int) -> HttpResponse:
    item = _item_or_404(request, pk)
    attempt(request, lambda: judging.open_item(item=item, by=request.user))
    return redirect("judging_item", pk=pk)


@login_required
@require_POST
@never_stored
def score(request: PersonRequest, pk: int) -> HttpResponse:
    """Keep scores: sent as JSON by the room's script, or with the whole form where there is no script."""
    item = _item_or_404(request, pk)
    if request.content_type == "application/json":
        return _score_json(request, item)
    page = item_page(item)
    attempt(
        request,
        lambda: judging.score(item=item, scores=scores_from_form(request.POST, page), by=request.user),
    )
    return redirect("judging_item", pk=pk)


def _score_json(request: PersonRequest, item: JudgingItem) -> JsonResponse:
    try:
        scores = scores_from_json(request.body)
        judging.score(item=item, scores=scores, by=request.user)
    except Malformed as malformed:
        return JsonResponse({"error": str(malformed)}, status=400)
    except Refused as refusal:
        return JsonResponse({"error": str(refusal)}, status=409)
    saved = sum(len(values) for values in scores.values())
    return JsonResponse({"saved": saved, "given": scores_given(item), "wanted": scores_wanted(item.study)})


@person_posts
@never_stored
def submit(request: PersonRequest, pk: int) -> HttpResponse:
    """Submit the item with what the form holds. Refused, the room says what is missing and keeps what was typed."""
    item = _item_or_404(request, pk)
    if item.state == "submitted":
        return redirect("judging_receipt", pk=pk)
    page = item_page(item)
    try:
        if page.scored:
            judging.score(item=item, scores=scores_from_form(request.POST, page), by=request.user)
        judging.submit_item(
            item=item,
            by=request.user,
            justification=request.POST.get("justification", ""),
            ranks=places_from_form(request.POST, page),
        )
    except Refused as refusal:
        messages.error(request, str(refusal))
        current = _item_or_404(request, pk)
        return _room(request, current, status=409) if current.state == "open" else redirect("judging_item", pk=pk)
    return redirect("judging_receipt", pk=pk)


@login_required
@require_safe
@never_stored
def receipt(request: PersonRequest, pk: int) -> HttpResponse:
    item = _item_or_404(request, pk)
    if item.state != "submitted":
        return redirect("judging_item", pk=pk)
    return render(request, "judging/receipt.html", {"page": item_page(item)})
