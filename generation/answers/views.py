"""Asking for another text in the place of one in quarantine."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect

from annotation.platform.forms.fields import ReasonForm
from annotation.platform.views import PersonRequest, person_posts, taken
from annotation.texts.views import coordinated_text, not_decided
from generation.answers.services import regeneration
from generation.calls.models import GenerationRun


@person_posts
def regenerate_text(request: PersonRequest, response: UUID) -> HttpResponse:
    """Reject the text; where a model wrote it, that model is asked again at once."""
    stimulus = coordinated_text(request, response)
    form = ReasonForm(request.POST, auto_id=f"%s-{stimulus.pk}")

    def verb() -> None:
        run = regeneration.regenerate(stimulus=stimulus, by=request.user, **form.cleaned_data)
        messages.success(request, _done(run))

    if taken(form, verb):
        return redirect("texts", stimulus.study.slug)
    return not_decided(request, stimulus, form)


def _done(run: GenerationRun | None) -> str:
    if run is None:
        return "The text is rejected. No model is asked for it; the study’s page names what is missing now."
    return f"The text is rejected, and its model is asked again, in run {run.known_as}."
