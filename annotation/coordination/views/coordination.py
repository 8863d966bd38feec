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
from annotation.platform.views import PersonRequest, attempt, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from annotation.texts.policies import takes_texts
from annotation.texts.selectors.clearances import cleared_texts
from annotation.texts.selectors.preflight import preflight
from annotation.texts.selectors.stimuli import unread_texts


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
    """Refused, with what was typed, where the warnings are others than those that were shown."""
    study = coordinated(request, slug)
    found = preflight(study)
    form = ReasonForm(request.POST)
    form.fields["reason"].required = bool(found and found.warnings)

    def verb() -> None:
        seen = request.POST.get("seen", "")
        items = assembling.open_judging(study=study, by=request.user, seen=seen, **form.cleaned_data)
        if study.audits_benchmarks:
            opened = "The audit is open: annotators may begin."
        else:
            opened = f"Judging is open: {items} items were assembled." if study.has_judging else "Scoring is open."
        messages.success(request, opened)

    if taken(form, verb):
        return redirect("study", slug)
    step = next_action(study, overview(study))
    if step and step.verb == "open_judging" and not step.obstacles:
        return _preflight_page(request, study, form)
    for errors in form.errors.values():
        messages.error(request, " ".join(map(str, errors)))
    return redirect("preflight", slug)


@require_safe
@login_required
@never_cache
def show_preflight(request: PersonRequest, slug: str) -> HttpResponse:
    """A look at the texts before judging opens, and the step itself; empty while no texts are decided about."""
    return _preflight_page(request, coordinated(request, slug))


def _preflight_page(request: PersonRequest, study: Study, refused: ReasonForm | None = None) -> HttpResponse:
    """The page; with a reason that could not be taken, if any, as it was typed."""
    step = next_action(study, overview(study))
    context = {
        "study": study,
        "is_shown": takes_texts(study),
        "found": preflight(study),
        "next": step if step and step.verb == "open_judging" else None,
        "reason_form": refused or ReasonForm(),
        "cleared_texts": cleared_texts(study),
    }
    return render(request, "coordination/preflight.html", context, status=400 if refused else 200)
