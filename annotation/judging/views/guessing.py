"""After a judge's last item: who wrote the answers?"""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods

from annotation.judging.forms.guessing import GuessForm
from annotation.judging.policies import check_may_guess
from annotation.judging.selectors.guessing import GuessPage, guess_page
from annotation.judging.selectors.own_items import items_beside
from annotation.judging.services import guessing
from annotation.platform.core.errors import Refused
from annotation.platform.views import PersonRequest, never_stored, taken


@gzip_page
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_stored
def guesses(request: PersonRequest, pk: int) -> HttpResponse:
    """Ask about one item, then about the next. Where it is too early or too late, the study's page says so."""
    page = guess_page(request.user, pk)
    if page is None:
        raise Http404("There is no such question among yours.")
    if page.item.guessed_at:
        return _go_on(request, page)
    try:
        check_may_guess(study_state=page.item.study_state, left=page.items.left)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("study", page.item.study_slug)
    form = GuessForm(
        request.POST if request.method == "POST" else None, answers=page.item.answers, options=page.options
    )
    if request.method == "POST" and taken(
        form, lambda: guessing.guess(item_id=pk, guesses=form.guesses, by=request.user)
    ):
        messages.success(request, f"Your guesses about item {page.item.position} are kept.")
        return _go_on(request, page)
    return render(
        request, "judging/guesses.html", {"page": page, "form": form}, status=400 if form.is_bound else 200
    )


def _go_on(request: PersonRequest, page: GuessPage) -> HttpResponse:
    following = items_beside(request.user, page.item.id).next_guess
    return redirect("judging_guesses", following.id) if following else redirect("study", page.item.study_slug)
