"""The judging room: an item's introduction, the room itself, and the receipt."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_POST, require_safe

from annotation.judging.core.judgments import JUSTIFICATION, place_field
from annotation.judging.forms.judging import (
    Malformed,
    given_from_json,
    parts_from_form,
    places_from_form,
    scores_from_form,
    wrong_fields,
)
from annotation.judging.models.judging import JudgingItem
from annotation.judging.policies import can_read_again, can_reopen, check_may_judge
from annotation.judging.selectors.judging import ItemPage, item_of, item_page
from annotation.judging.selectors.own_items import OwnItems, items_beside
from annotation.judging.services import judging, scoring
from annotation.platform.core.errors import Refused
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.platform.views import PersonRequest, attempt, never_stored, person_posts

NOT_YOURS = "There is no such item among yours."
ALREADY_SUBMITTED = (
    "This item had been submitted already, and something in what you have just sent was different. That is not "
    "taken in: what counts is below."
)


def _item_or_404(request: PersonRequest, pk: int) -> JudgingItem:
    item = item_of(request.user, pk)
    if item is None:
        raise Http404(NOT_YOURS)
    return item


def _page_or_404(request: PersonRequest, pk: int) -> ItemPage:
    page = item_page(request.user, pk)
    if page is None:
        raise Http404(NOT_YOURS)
    return page


@contextmanager
def own_item() -> Iterator[None]:
    """A service that finds no such item of the person's: the page does not exist then."""
    try:
        yield
    except (JudgingItem.DoesNotExist, PermissionDenied) as error:
        raise Http404(NOT_YOURS) from error


@gzip_page
@login_required
@require_safe
@never_stored
def show(request: PersonRequest, pk: int) -> HttpResponse:
    """The introduction before an item is opened, then the room, and once it is submitted the receipt."""
    page = _page_or_404(request, pk)
    if page.state == "submitted":
        return redirect("judging_receipt", pk=pk)
    if page.state != "assigned" and page.study_state == "judging" and page.consented:
        return _room(request, page)
    try:
        check_may_judge(_item_or_404(request, pk))
    except Refused as refusal:
        return render(request, "judging/intro.html", {"page": page, "obstacle": str(refusal)})
    return render(request, "judging/intro.html", {"page": page})


def _room(
    request: PersonRequest, page: ItemPage, *, typed: Mapping[str, str] = MappingProxyType({}), status: int = 200
) -> HttpResponse:
    """The room with what is saved and, over it, what was `typed` into a form that was refused."""
    context = {
        "page": page,
        "places": [(answer, typed.get(place_field(answer.slot), answer.place)) for answer in page.answers],
        "justification": typed.get(JUSTIFICATION, page.justification),
    }
    return render(request, "judging/room.html", context, status=status)


@person_posts
@never_stored
def open_item(request: PersonRequest, pk: int) -> HttpResponse:
    item = _item_or_404(request, pk)
    attempt(request, lambda: judging.open_item(item=item, by=request.user))
    return redirect("judging_item", pk=pk)


@login_required
@require_safe
@never_stored
def state(request: PersonRequest, pk: int) -> JsonResponse:
    """What the server holds of the item, for a page that has been away."""
    page = _page_or_404(request, pk)
    return JsonResponse({"state": page.state, "fields": page.fields})


@login_required
@require_POST
@never_stored
def save(request: PersonRequest, pk: int) -> HttpResponse:
    """Keep what is given: sent as JSON by the room's script, or with the whole form where there is no script."""
    if request.content_type == "application/json":
        return _save_json(request, pk)
    if _save_form(request, _page_or_404(request, pk)):
        return redirect("judging_item", pk=pk)
    return _room_again(request, pk)


def _save_form(request: PersonRequest, page: ItemPage) -> bool:
    """Keep of the form what can be kept, and say what cannot; whether that was all of it."""
    wrong = wrong_fields(request.POST, page)
    data = request.POST.copy()
    for name, reason in wrong.items():
        del data[name]
        messages.error(request, reason)
    try:
        for given in parts_from_form(data, page):
            scoring.save(item_id=page.id, given=given, by=request.user)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return False
    return not wrong


def _room_again(request: PersonRequest, pk: int) -> HttpResponse:
    """The room after something in its form was refused; the item's page where there is no room any more.

    A page on which everything was saved shows what is held now. Any other shows what was typed.
    """
    page = _page_or_404(request, pk)
    if page.state not in ("open", "lapsed") or page.study_state != "judging":
        return redirect("judging_item", pk=pk)
    typed = {} if "is_saved" in request.POST else request.POST.dict()
    return _room(request, page, typed=typed, status=409)


def _save_json(request: PersonRequest, pk: int) -> JsonResponse:
    """`conflicts` are the values that are held instead of what was sent, by field."""
    answer: dict[str, Any]
    try:
        given = given_from_json(request.body)
        with own_item():
            answer, status = {"conflicts": scoring.save(item_id=pk, given=given, by=request.user)}, 200
    except Malformed as malformed:
        answer, status = {"error": str(malformed)}, 400
    except Refused as refusal:
        answer, status = {"error": str(refusal)}, 409
    return JsonResponse(answer, status=status)


@person_posts
@never_stored
def submit(request: PersonRequest, pk: int) -> HttpResponse:
    """Submit the item with what the form holds. Refused, the room says what is missing and keeps what was typed."""
    try:
        confirmed = judging.Confirmed(
            scores=scores_from_form(request.POST),
            places=places_from_form(request.POST),
            justification=request.POST.get("justification"),
            is_saved="is_saved" in request.POST,
        )
        with own_item():
            counts = judging.submit_item(item_id=pk, by=request.user, confirmed=confirmed)
    except Refused as refusal:
        return _not_submitted(request, pk, str(refusal))
    if not counts:
        messages.warning(request, ALREADY_SUBMITTED)
    return redirect("judging_receipt", pk=pk)


def _not_submitted(request: PersonRequest, pk: int, reason: str) -> HttpResponse:
    """The room again, with the reason and what the form holds, saved where it can be."""
    messages.error(request, reason)
    page = _page_or_404(request, pk)
    if "is_saved" not in request.POST and page.state in ("open", "lapsed") and page.study_state == "judging":
        _save_form(request, page)
    return _room_again(request, pk)


@person_posts
@never_stored
def reopen(request: PersonRequest, pk: int) -> HttpResponse:
    """Take the item submitted last back, for a while."""
    _page_or_404(request, pk)
    attempt(request, lambda: judging.reopen(item_id=pk, by=request.user))
    return redirect("judging_item", pk=pk)


@login_required
@require_safe
@never_stored
def receipt(request: PersonRequest, pk: int) -> HttpResponse:
    page = _page_or_404(request, pk)
    if page.state != "submitted":
        return redirect("judging_item", pk=pk)
    own = items_beside(request.user, pk)
    context = {"page": page, "own": own, "audit_head": audit.head()}
    context |= {
        "can_reopen": _can_reopen(page, own),
        "can_read_again": can_read_again(page.study_state, consented=page.consented),
    }
    return render(request, "judging/receipt.html", context)


@login_required
@require_safe
@never_stored
def answers(request: PersonRequest, pk: int) -> HttpResponse:
    """The answers of a submitted item and its judge's own notes, to be read again while the study is judged."""
    page = _page_or_404(request, pk)
    if page.state != "submitted":
        return redirect("judging_item", pk=pk)
    if not can_read_again(page.study_state, consented=page.consented):
        messages.info(request, "The answers can be read again only while judging is open.")
        return redirect("judging_receipt", pk=pk)
    return render(request, "judging/answers.html", {"page": page})


def _can_reopen(page: ItemPage, own: OwnItems) -> bool:
    last = own.last_submitted
    return can_reopen(
        study_state=page.study_state,
        until=page.reopens_until,
        now=database_now(),
        is_last=last is not None and last.id == page.id,
        has_guessed=own.guessed > 0,
    )
