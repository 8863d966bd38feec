"""Texts in quarantine: a coordinator clears, edits or rejects each, with a reason."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotation.forms.texts import DecisionForm, EditForm
from annotation.models.allocation import Stimulus, TextEdit
from annotation.policies.texts import shows_edits, takes_texts
from annotation.selectors import quarantine
from annotation.services import intake
from annotation.views.common import PersonRequest, attempt, never_stored, person_posts, taken
from annotation.views.membership import coordinated

TEXTS_ON_A_PAGE = 20


@require_safe
@login_required
@never_stored
def texts(request: PersonRequest, slug: str) -> HttpResponse:
    """Texts in quarantine, with what was found in them, and those that were edited."""
    study = coordinated(request, slug)
    page = Paginator(quarantine.waiting_texts(study), TEXTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "page": page,
        "texts": [quarantine.quarantined_text(stimulus) for stimulus in page],
        "can_decide": takes_texts(study),
        "edited": quarantine.edited_texts(study) if shows_edits(study) else (),
    }
    return render(request, "coordination/texts.html", context)


def coordinated_text(request: PersonRequest, response: UUID) -> Stimulus:
    """The text, for the coordinator of its study."""
    found = Stimulus.objects.filter(pk=response).select_related("study", "prompt", "response")
    stimulus = found.first()
    if stimulus is None:
        raise Http404
    stimulus.study = coordinated(request, stimulus.study.slug)
    return stimulus


@person_posts
def decide_text(request: PersonRequest, response: UUID) -> HttpResponse:
    stimulus = coordinated_text(request, response)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Choose whether judges may see the text, and say why.")
        return redirect("texts", stimulus.study.slug)

    def verb() -> str:
        intake.decide(stimulus=stimulus, by=request.user, **form.cleaned_data)
        return "The text is cleared." if form.cleaned_data["verb"] == "clear" else "The text is rejected."

    if done := attempt(request, verb):
        messages.success(request, done)
    return redirect("texts", stimulus.study.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_stored
def edit_text(request: PersonRequest, response: UUID) -> HttpResponse:
    """A quarantined text and the form that edits it; what an edit would change is shown before it is made."""
    stimulus = coordinated_text(request, response)
    if stimulus.state != "quarantined" or not takes_texts(stimulus.study):
        raise Http404
    is_kept = "keep" in request.POST
    shown = {"text": stimulus.response.text, **request.POST.dict()}
    form = EditForm(request.POST) if is_kept else EditForm(initial=shown)

    def verb() -> None:
        intake.edit(stimulus=stimulus, by=request.user, **form.cleaned_data)
        messages.success(request, "The edited text is admitted. The words it came with are kept.")

    if is_kept and taken(form, verb):
        return redirect("texts", stimulus.study.slug)
    context = {
        "study": stimulus.study,
        "text": quarantine.quarantined_text(stimulus),
        "form": form,
        "versions": quarantine.proposed(stimulus, shown["text"]) if request.method == "POST" else None,
    }
    return render(request, "coordination/text_edit.html", context, status=400 if is_kept else 200)


@require_safe
@login_required
@never_stored
def edited_text(request: PersonRequest, response: UUID) -> HttpResponse:
    """A text as it came and as it was let in, side by side."""
    stimulus = coordinated_text(request, response)
    edit = TextEdit.objects.filter(response=stimulus.pk).select_related("edited_by").last()
    if edit is None or stimulus.state != "admitted" or not shows_edits(stimulus.study):
        raise Http404
    context = {
        "study": stimulus.study,
        "prompt_code": stimulus.prompt.code,
        "edit": edit,
        "versions": quarantine.versions_of(edit),
    }
    return render(request, "coordination/text_versions.html", context)
