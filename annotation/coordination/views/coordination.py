"""A coordinator's actions. Each is one service call and leads back to the study's page."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.assignment.services import assembling, designing
from annotation.coordination.selectors.coordination import overview
from annotation.coordination.selectors.next_action import next_action
from annotation.platform.core.phrases import counted
from annotation.platform.forms.fields import ReasonForm
from annotation.platform.views import PersonRequest, attempt, person_posts
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from annotation.texts.policies import takes_texts
from annotation.texts.selectors.clearances import cleared_texts
from annotation.texts.selectors.preflight import preflight
from annotation.texts.selectors.stimuli import unread_texts


def _act(
    request: PersonRequest, slug: str, verb: Callable[[Study], str], *, refused: str = "study"
) -> HttpResponse:
    """Do `verb` to the study; it returns what to tell the coordinator. `refused` names where a refusal is shown."""
    study = coordinated(request, slug)
    done = attempt(request, lambda: verb(study))
    if done:
        messages.success(request, done)
    return redirect("study" if done else refused, slug)


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
        if unread := unread_texts(study):
            return f"Writing is closed. {counted(unread, 'text')} still being read: judging can open after that."
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
        reason = request.POST.get("reason", "")
        items = assembling.open_judging(study=study, by=request.user, reason=reason)
        return f"Judging is open: {items} items were assembled."

    return _act(request, slug, verb, refused="preflight")


@require_safe
@login_required
@never_cache
def show_preflight(request: PersonRequest, slug: str) -> HttpResponse:
    """A look at the texts before judging opens, and the step itself; empty while no texts are decided about."""
    study = coordinated(request, slug)
    step = next_action(study, overview(study))
    context = {
        "study": study,
        "is_shown": takes_texts(study),
        "found": preflight(study),
        "next": step if step and step.verb == "open_judging" else None,
        "reason_form": ReasonForm(),
        "cleared_texts": cleared_texts(study),
    }
    return render(request, "coordination/preflight.html", context)
