"""Task 1 as its writer meets it: before the clock runs, in the room, and afterwards."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.core.errors import Refused
from annotation.core.text import clean
from annotation.forms.writing import MOST_BYTES, Malformed, save_from_json
from annotation.models.writing import WritingAssignment
from annotation.selectors import writing as selectors
from annotation.services import writing
from annotation.services.clock import database_now
from annotation.views.common import PersonRequest, attempt, person_posts

PAGE_IN_STATE: Final = {
    "assigned": "writing_start",
    "writing": "writing_room",
    "submitted": "writing_receipt",
    "lapsed": "writing_receipt",
}


def _own(request: PersonRequest, pk: int) -> WritingAssignment:
    assignment = selectors.assignment_of(request.user, pk)
    if assignment is None:
        raise Http404
    return assignment


def _page_of(assignment: WritingAssignment) -> HttpResponse:
    return redirect(PAGE_IN_STATE[assignment.state], assignment.pk)


@require_safe
@login_required
@never_cache
def start(request: PersonRequest, pk: int) -> HttpResponse:
    """What will happen and what is recorded. The prompt is shown only once the clock runs."""
    assignment = _own(request, pk)
    if assignment.state != "assigned":
        return _page_of(assignment)
    if step := selectors.missing_step(assignment.participation):
        return redirect(step, assignment.study.slug)
    return render(request, "writing/start.html", {"page": selectors.start_page(assignment)})


@person_posts
def begin(request: PersonRequest, pk: int) -> HttpResponse:
    assignment = _own(request, pk)
    attested = "attested" in request.POST
    started = attempt(request, lambda: writing.start(assignment=assignment, attested=attested, by=request.user))
    return _page_of(started or assignment)


@require_safe
@login_required
@never_cache
def room(request: PersonRequest, pk: int) -> HttpResponse:
    assignment = _own(request, pk)
    if assignment.state != "writing":
        return _page_of(assignment)
    return render(request, "writing/room.html", {"room": selectors.room(assignment, now=database_now())})


@require_POST
@login_required
def save(request: PersonRequest, pk: int) -> JsonResponse:
    """Keep a text and tell what is held; 409 where time was up or it was handed in, 413 where it is too long."""
    assignment = _own(request, pk)
    if int(request.META.get("CONTENT_LENGTH") or 0) > MOST_BYTES:
        return JsonResponse({"error": "This text is longer than can be kept."}, status=413)
    try:
        sent = save_from_json(request.body)
        held = writing.save(
            assignment=assignment, pen_epoch=sent.epoch, seq=sent.seq, text=sent.text, by=request.user
        )
    except Malformed as error:
        return JsonResponse({"error": str(error)}, status=400)
    except writing.TooLate as refusal:
        return JsonResponse({"kept": "late", "error": str(refusal)}, status=409)
    except Refused as refusal:
        return JsonResponse({"closed": True, "error": str(refusal)}, status=409)
    return JsonResponse(
        {
            "epoch": held.pen_epoch,
            "seq": held.seq,
            "sha256": held.sha256,
            "words": held.word_count,
            "saved_at": held.saved_at,
            "now": held.now,
            "deadline": held.deadline_at,
        }
    )


@person_posts
def submit(request: PersonRequest, pk: int) -> HttpResponse:
    """The room as a form: “Save” keeps its text, “Submit” keeps it and hands it in."""
    assignment = _own(request, pk)
    if assignment.state == "writing":
        if request.POST.get("action") == "save":
            _keep_posted(request, assignment)
        else:
            _hand_in_posted(request, assignment)
        assignment.refresh_from_db(fields=["state"])
    return _page_of(assignment)


def _hand_in_posted(request: PersonRequest, assignment: WritingAssignment) -> None:
    """Hand in the form's text; where that is refused, or time is up, it is kept all the same."""
    handed_in = attempt(
        request,
        lambda: writing.submit(
            assignment=assignment,
            confirmed="confirmed" in request.POST,
            text=request.POST.get("text"),
            by=request.user,
        ),
    )
    if not handed_in or handed_in.state == "lapsed" or handed_in.submitted_by_clock:
        _keep_posted(request, assignment)


def _keep_posted(request: PersonRequest, assignment: WritingAssignment) -> None:
    """Save the form's text as the newest, unless the page's script has saved it already."""
    draft = assignment.draft
    text = clean(request.POST.get("text", draft.text))
    if text != draft.text:
        attempt(
            request,
            lambda: writing.save(
                assignment=assignment, pen_epoch=draft.pen_epoch, seq=draft.seq + 1, text=text, by=request.user
            ),
        )


@require_safe
@login_required
@never_cache
def receipt(request: PersonRequest, pk: int) -> HttpResponse:
    """What was handed in, or why nothing was."""
    assignment = _own(request, pk)
    if PAGE_IN_STATE[assignment.state] != "writing_receipt":
        return _page_of(assignment)
    page = selectors.receipt(assignment)
    template = "writing/receipt.html" if page.submitted_at else "writing/lapsed.html"
    return render(request, template, {"receipt": page})
