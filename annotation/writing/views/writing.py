"""Writing as its writer meets it: before the clock runs, in the room, and afterwards."""

import re
from dataclasses import replace
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotation.platform.core.phrases import counted
from annotation.platform.core.text import clean, count_words
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.platform.views import PersonRequest, attempt, person_posts
from annotation.study.models.participation import Role
from annotation.study.policies.roles import check_own_role
from annotation.study.views.membership import own_participation
from annotation.writing.forms.remarks import forms_of_receipt
from annotation.writing.forms.writing import MAX_BYTES, Malformed, TooLong, pen_from_json, save_from_json
from annotation.writing.models import WritingAssignment
from annotation.writing.policies.writing import is_over
from annotation.writing.selectors import writing as selectors
from annotation.writing.selectors.process import process_record
from annotation.writing.services import drafts, writing

PAGE_IN_STATE: Final = {
    "assigned": "writing_start",
    "writing": "writing_room",
    "submitted": "writing_receipt",
    "lapsed": "writing_receipt",
}
NOT_KEPT: Final = {
    drafts.Status.LATE: "Time was up before this text arrived. It has been kept for the coordinator.",
    drafts.Status.ELSEWHERE: "This answer has been written on in another window. The text you sent from "
    "this one is kept beside it, and the answer stays as it is in the other.",
    drafts.Status.CLOSED: "This answer was not being written any more when your text arrived, so it stays "
    "as it was. Go back one page in your browser if you want to copy what you sent.",
}


def own_assignment(request: PersonRequest, pk: int) -> WritingAssignment:
    """The assignment, which exists for its writer alone."""
    assignment = selectors.assignment_of(request.user, pk)
    if assignment is None:
        raise Http404
    return assignment


def _page_of(assignment: WritingAssignment) -> HttpResponse:
    """Where an answer is to be found now; one that was taken back has no page of its own."""
    if assignment.state == "cancelled":
        return redirect("study", assignment.study.slug)
    return redirect(PAGE_IN_STATE[assignment.state], assignment.pk)


@require_safe
@login_required
@never_cache
def start(request: PersonRequest, pk: int) -> HttpResponse:
    """What will happen and what is recorded. The prompt is shown only once the clock runs."""
    assignment = own_assignment(request, pk)
    if assignment.state != "assigned":
        return _page_of(assignment)
    if step := selectors.missing_step(assignment.participation):
        return redirect(step, assignment.study.slug)
    return render(request, "writing/start.html", {"page": selectors.start_page(assignment)})


@person_posts
def begin(request: PersonRequest, pk: int) -> HttpResponse:
    assignment = own_assignment(request, pk)
    attested = "attested" in request.POST
    started = attempt(request, lambda: writing.start(assignment=assignment, attested=attested, by=request.user))
    return _page_of(started or assignment)


@require_safe
@login_required
@never_cache
def room(request: PersonRequest, pk: int) -> HttpResponse:
    assignment = own_assignment(request, pk)
    if assignment.state != "writing":
        return _page_of(assignment)
    return render(request, "writing/room.html", {"room": selectors.room(assignment, now=database_now())})


def _as_json(held: drafts.Held, **more: object) -> dict[str, object]:
    """What the room needs to know after every exchange, about its text and about the clock."""
    return {
        "epoch": held.pen_epoch,
        "seq": held.seq,
        "sha256": held.sha256,
        "length": held.length,
        "saved_at": held.saved_at,
        "now": held.now,
        "deadline": held.deadline_at,
        "paused_at": held.paused_at,
        **more,
    }


@require_safe
@login_required
@never_cache
def state(request: PersonRequest, pk: int) -> JsonResponse:
    """What is held now; 410 while the answer is not being written."""
    assignment = own_assignment(request, pk)
    if not hasattr(assignment, "draft"):
        return JsonResponse({}, status=410)
    held = drafts.held(assignment.draft, assignment, database_now())
    return JsonResponse(_as_json(held), status=200 if assignment.state == "writing" else 410)


@require_POST
@login_required
def pen(request: PersonRequest, pk: int) -> JsonResponse:
    """Take the pen, and learn the text as it is held: the page may have been made before its last change."""
    assignment = own_assignment(request, pk)
    if assignment.state != "writing":
        return JsonResponse({}, status=410)
    try:
        wanted = pen_from_json(request.body)
    except Malformed as error:
        return JsonResponse({"error": str(error)}, status=400)
    held, text, granted = drafts.take_pen(
        assignment=assignment, holder=wanted.holder, take_over=wanted.take_over, by=request.user
    )
    return JsonResponse(_as_json(held, text=text, pen=granted))


@require_POST
@login_required
def save(request: PersonRequest, pk: int) -> JsonResponse:
    """Keep a text and tell what is held.

    409 says in `status` why it is not in the draft (`drafts.Status`), 413 that it is too long.
    """
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BYTES:
        return JsonResponse({"error": "This text is longer than can be kept."}, status=413)
    try:
        status, held = drafts.save(assignment_id=pk, sent=save_from_json(request.body), by=request.user)
    except Malformed as error:
        own_assignment(request, pk)  # others' answers do not exist, whatever is sent
        return JsonResponse({"error": str(error)}, status=400)
    except TooLong as error:
        return JsonResponse({"error": str(error)}, status=413)
    except (WritingAssignment.DoesNotExist, PermissionDenied) as error:
        raise Http404 from error
    reply = _as_json(held) if held else {}
    return JsonResponse({"status": status, **reply}, status=200 if status == drafts.Status.SAVED else 409)


@person_posts
def submit(request: PersonRequest, pk: int) -> HttpResponse:
    """The room as a form: “Save” keeps its text, “Submit” keeps it and hands it in."""
    assignment = own_assignment(request, pk)
    if _is_posted_too_long(request, assignment):
        return _shorten(request, assignment)
    # Where handing in is refused, or time is up, the text is kept all the same.
    if request.POST.get("action") == "save" or not _hand_in_posted(request, assignment):
        _keep_posted(request, assignment)
    assignment.refresh_from_db(fields=["state"])
    return _page_of(assignment)


def _is_posted_too_long(request: PersonRequest, assignment: WritingAssignment) -> bool:
    """Whether there is something to shorten, and time for it. After that the whole of it is kept as late."""
    is_long = len(clean(request.POST.get("text", ""))) > drafts.MAX_CHARACTERS
    return is_long and assignment.state == "writing" and not is_over(assignment, now=database_now())


def _shorten(request: PersonRequest, assignment: WritingAssignment) -> HttpResponse:
    """The room with what was typed, which is not saved, and what is."""
    text, room = clean(request.POST["text"]), selectors.room(assignment, now=database_now())
    messages.error(
        request,
        f"This text has {len(text):,} characters; {room.most_characters:,} can be kept, so it is neither saved nor "
        "handed in. Shorten it, and save it again. What is kept, and would be handed in when time is up, is the "
        f"text of {counted(room.word_count, 'word')} that was saved last.",
    )
    epoch = _posted_epoch(request)  # not a later one: the window whose text is held has that
    typed = replace(
        room,
        text=text,
        word_count=count_words(text),
        pen_epoch=room.pen_epoch if epoch is None else epoch,
    )
    return render(request, "writing/room.html", {"room": typed}, status=400)


def _hand_in_posted(request: PersonRequest, assignment: WritingAssignment) -> bool:
    """Whether the writer's answer is handed in, now or before; not by the clock, which takes what was saved."""
    handed_in = attempt(
        request,
        lambda: writing.submit(
            assignment=assignment,
            confirmed="confirmed" in request.POST,
            short_is_meant="short_meant" in request.POST,
            text=request.POST.get("text"),
            pen_epoch=_posted_epoch(request),
            by=request.user,
        ),
    )
    return handed_in is not None and handed_in.state == "submitted" and not handed_in.submitted_by_clock


def _posted_epoch(request: PersonRequest) -> int | None:
    """The epoch in which the form's window had the pen; `None` from a page without scripts."""
    epoch = request.POST.get("epoch", "")
    return int(epoch) if re.fullmatch(r"[0-9]{1,9}", epoch) else None


def _keep_posted(request: PersonRequest, assignment: WritingAssignment) -> None:
    text = request.POST.get("text")
    if text is None:
        return
    epoch = _posted_epoch(request)
    status = drafts.keep(assignment=assignment, text=text, pen_epoch=epoch, by=request.user)
    is_held = hasattr(assignment, "draft") and clean(text) == assignment.draft.text
    if status in NOT_KEPT and not is_held:
        messages.warning(request, NOT_KEPT[status])
    elif request.POST.get("action") == "save":  # there is no script that says so
        messages.success(request, f"Your text is saved: {counted(count_words(clean(text)), 'word')}.")


@require_safe
@login_required
@never_cache
def receipt(request: PersonRequest, pk: int) -> HttpResponse:
    """What was handed in, or why nothing was."""
    assignment = own_assignment(request, pk)
    if assignment.state not in ("submitted", "lapsed"):
        return _page_of(assignment)
    page = selectors.receipt(assignment)
    if page.submitted_at is None:
        return render(request, "writing/lapsed.html", {"receipt": page})
    context = {
        "receipt": page,
        "record": process_record(assignment),
        "audit_head": audit.head(),
        **forms_of_receipt(assignment),
    }
    return render(request, "writing/receipt.html", context)


@require_safe
@login_required
@never_cache
def practice(request: PersonRequest, slug: str) -> HttpResponse:
    """A minute in the room to try it out. Nothing that is written there leaves the browser."""
    participation = own_participation(request, slug)
    check_own_role(participation, Role.WRITER)
    if step := selectors.missing_step(participation):
        return redirect(step, slug)
    room = selectors.practice_room(participation.study, now=database_now())
    return render(request, "writing/practice.html", {"room": room})
