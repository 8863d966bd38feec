"""Prompts through the rounds of a pilot, as their coordinator sees them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.views import PersonRequest, taken
from annotation.study.models.prompts import Prompt
from annotation.study.views.membership import coordinated
from annotation.writing.forms.rewordings import RewordingForm
from annotation.writing.policies.remarks import can_decide_rewording
from annotation.writing.selectors.rewordings import history_of, rewording_of
from annotation.writing.services import rewordings
from annotation.writing.views.writing_actions import coordinated_answer


@require_safe
@login_required
def prompt_history(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """A prompt from its first wording to its present one, with the feedback that led from one to the next."""
    study = coordinated(request, slug)
    prompt = Prompt.objects.filter(study=study, pk=pk).first()
    if prompt is None:
        raise Http404
    page = {"study": study, "prompt": prompt, "wordings": history_of(prompt)}
    return render(request, "writing/desk/prompt_history.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def decide_rewording(request: PersonRequest, pk: int) -> HttpResponse:
    """What a writer said about a prompt, and whether the next round words it anew."""
    assignment = coordinated_answer(request, pk)
    if not (assignment.feedback or assignment.proposed_rewrite):
        raise Http404
    made = rewording_of(assignment)
    data = request.POST if request.method == "POST" else None
    form = RewordingForm(data, assignment=assignment, made=made)

    def verb() -> None:
        rewordings.decide(assignment=assignment, by=request.user, **form.cleaned_data)
        messages.success(request, f"Your decision about prompt {assignment.prompt.code} is saved.")

    if request.method == "POST" and taken(form, verb):
        return redirect("prompt_history", assignment.study.slug, assignment.prompt_id)
    page = {
        "study": assignment.study,
        "answer": assignment,
        "made": made,
        "form": form if form.is_bound or can_decide_rewording(assignment) else None,
    }
    return render(request, "writing/desk/rewording.html", page, status=400 if form.is_bound else 200)
