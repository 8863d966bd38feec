"""What writers say afterwards."""

from collections.abc import Callable

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from annotation.platform.views import PersonRequest, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import own_participation
from annotation.writing.forms.remarks import GeneralFeedbackForm, ProcessCommentForm, PromptFeedbackForm
from annotation.writing.services import remarks
from annotation.writing.views.writing import own_assignment


@person_posts
def prompt_feedback(request: PersonRequest, pk: int) -> HttpResponse:
    assignment = own_assignment(request, pk)
    form = PromptFeedbackForm(request.POST, assignment=assignment)

    def verb() -> None:
        remarks.give_feedback(assignment=assignment, by=request.user, **form.cleaned_data)

    title = f"Your feedback on prompt {assignment.position}"
    return _kept(request, form, verb, assignment.study, title) or redirect("writing_receipt", pk)


@person_posts
def process_comment(request: PersonRequest, pk: int) -> HttpResponse:
    assignment = own_assignment(request, pk)
    form = ProcessCommentForm(request.POST, assignment=assignment)

    def verb() -> None:
        remarks.comment_on_process(assignment=assignment, by=request.user, **form.cleaned_data)

    title = f"Your comment on the writing of prompt {assignment.position}"
    return _kept(request, form, verb, assignment.study, title) or redirect("writing_receipt", pk)


@person_posts
def study_feedback(request: PersonRequest, slug: str) -> HttpResponse:
    participation = own_participation(request, slug)
    form = GeneralFeedbackForm(request.POST, participation=participation)

    def verb() -> None:
        remarks.give_general_feedback(participation=participation, by=request.user, **form.cleaned_data)

    return _kept(request, form, verb, participation.study, "Your feedback on the study") or redirect("study", slug)


def _kept(
    request: PersonRequest, form: forms.Form, verb: Callable[[], None], study: Study, title: str
) -> HttpResponse | None:
    """Keep a remark; what cannot be taken is shown again, so that nothing is typed twice."""
    if taken(form, verb):
        messages.success(request, f"{title} is saved.")
        return None
    page = {"study": study, "form": form, "title": title, "action": "Save"}
    return render(request, "components/form.html", page, status=400)
