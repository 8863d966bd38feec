"""A coordinator's actions. Each is one service call and leads back to the study's page."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.forms.coordination import DecisionForm
from annotation.models.allocation import Stimulus
from annotation.models.studies import Study
from annotation.policies.texts import takes_texts
from annotation.selectors.quarantine import quarantined_texts
from annotation.services import assembling, designing, intake
from annotation.views.common import PersonRequest, attempt, person_posts
from annotation.views.membership import coordinated


def _act(request: PersonRequest, slug: str, verb: Callable[[Study], str]) -> HttpResponse:
    """Do `verb` to the study; it returns what to tell the coordinator."""
    study = coordinated(request, slug)
    done = attempt(request, lambda: verb(study))
    if done:
        messages.success(request, done)
    return redirect("study", slug)


@person_posts
def lock_design(request: PersonRequest, slug: str) -> HttpResponse:
    def verb(study: Study) -> str:
        committed = designing.lock_design(study=study, by=request.user)
        return f"The design is locked. Commitment to the seed: {committed.commitment[:16]}…"

    return _act(request, slug, verb)


@person_posts
def assign_writing(request: PersonRequest, slug: str) -> HttpResponse:
    return _act(
        request,
        slug,
        lambda study: f"{designing.assign_writing(study=study, by=request.user)} answers were assigned.",
    )


@person_posts
def close_writing(request: PersonRequest, slug: str) -> HttpResponse:
    def verb(study: Study) -> str:
        designing.close_writing(study=study, by=request.user)
        return "Writing is closed."

    return _act(request, slug, verb)


@person_posts
def resume_writing(request: PersonRequest, slug: str) -> HttpResponse:
    def verb(study: Study) -> str:
        designing.resume_writing(study=study, by=request.user)
        return "Writing is open again."

    return _act(request, slug, verb)


@person_posts
def open_judging(request: PersonRequest, slug: str) -> HttpResponse:
    def verb(study: Study) -> str:
        items = assembling.open_judging(study=study, by=request.user)
        return f"Judging is open: {items} items were assembled."

    return _act(request, slug, verb)


@require_safe
@login_required
def texts(request: PersonRequest, slug: str) -> HttpResponse:
    """Texts in quarantine, with what was found in them."""
    study = coordinated(request, slug)
    context = {"study": study, "texts": quarantined_texts(study), "can_decide": takes_texts(study)}
    return render(request, "coordination/texts.html", context)


@person_posts
def decide_text(request: PersonRequest, response: UUID) -> HttpResponse:
    stimulus = Stimulus.objects.filter(pk=response).select_related("study").first()
    if stimulus is None:
        raise Http404
    study = coordinated(request, stimulus.study.slug)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose whether judges may see the text, and say why.")
        return redirect("texts", study.slug)

    def verb() -> str:
        intake.decide(stimulus=stimulus, by=request.user, **form.cleaned_data)
        return "The text is cleared." if form.cleaned_data["verb"] == "clear" else "The text is rejected."

    if done := attempt(request, verb):
        messages.success(request, done)
    return redirect("texts", study.slug)
