"""Marking: one answer or rephrasing a page."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.benchmarks.selectors.marks import mark_of, mark_page
from annotation.benchmarks.services import marks as services
from annotation.benchmarks.views.own import own
from annotation.platform.core.errors import Refused
from annotation.platform.views import PersonRequest, never_stored, person_posts


@login_required
@require_safe
@never_stored
def mark(request: PersonRequest, pk: int) -> HttpResponse:
    """What was answered, or how a question was rephrased, with the question; nothing says by whom."""
    found = own(mark_of(request.user, pk))
    obstacle = ""
    try:
        services.check_may_mark(found)
    except Refused as refusal:
        obstacle = str(refusal)
    context = {"page": mark_page(found), "study": found.marker.study, "obstacle": obstacle}
    return render(request, "benchmarks/mark.html", context)


@person_posts
def mark_save(request: PersonRequest, pk: int) -> HttpResponse:
    """Keep the verdict and go on to the next one that is open."""
    verdict = request.POST.get("verdict", "")
    try:
        found = services.mark(pk=pk, verdict=verdict, by=request.user)
    except PermissionDenied as error:
        raise Http404 from error
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("mark", pk)
    page = mark_page(own(mark_of(request.user, pk)))
    if not verdict:
        return redirect("mark", pk)
    return redirect("mark", page.open) if page.open else redirect("study", found.marker.study.slug)
