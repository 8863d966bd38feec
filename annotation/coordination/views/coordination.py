"""A coordinator's actions. Each is one service call and leads back to the study's page."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from annotation.assignment.services import assembling, designing
from annotation.platform.core.phrases import counted
from annotation.platform.views import PersonRequest, attempt, person_posts
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
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
    def verb(study: Study) -> str:
        items = assembling.open_judging(study=study, by=request.user)
        return f"Judging is open: {items} items were assembled."

    return _act(request, slug, verb)
