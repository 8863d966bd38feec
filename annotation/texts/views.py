"""Texts in quarantine: a coordinator clears, edits or rejects each, with a reason."""

from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.core.errors import Refused
from annotation.platform.forms.fields import ReasonForm
from annotation.platform.views import PersonRequest, never_stored, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator, check_researcher
from annotation.study.policies.unblinding import is_unblinded
from annotation.study.views.membership import coordinated, own_participation
from annotation.texts.forms import DecisionForm, EditForm
from annotation.texts.models.provenance import Arm, Stimulus, TextClearance, TextEdit
from annotation.texts.policies import shows_edits, takes_text, takes_texts
from annotation.texts.selectors import quarantine
from annotation.texts.selectors.clearances import cleared_texts
from annotation.texts.selectors.preflight import over_limit
from annotation.texts.selectors.stimuli import unread_texts
from annotation.texts.services import clearances, intake

TEXTS_ON_A_PAGE = 20
DONE: Final = {
    "clear": "The text is cleared.",
    "read_again": "The text is being read again.",
    "reject": "The text is rejected.",
}
DECIDED: Final = "This text was decided about while you edited it, so nothing was changed. Your words are below."


@require_safe
@login_required
@never_stored
def texts(request: PersonRequest, slug: str) -> HttpResponse:
    """Texts in quarantine, with what was found in them, and those that were edited."""
    return _page(request, coordinated(request, slug), number=request.GET.get("page"))


def _page(
    request: PersonRequest, study: Study, *, number: str | int | None, refused: dict[UUID, ReasonForm] | None = None
) -> HttpResponse:
    forms = refused or {}
    page = Paginator(quarantine.waiting_texts(study), TEXTS_ON_A_PAGE).get_page(number)
    context = {
        "study": study,
        "page": page,
        "texts": [
            (text, forms.get(stimulus.pk) or decision_form(stimulus), is_decided_about(stimulus))
            for stimulus, text in zip(page, quarantine.with_readings(page), strict=True)
        ],
        "unread": unread_texts(study),
        "over_limit": over_limit(study) if takes_texts(study) else None,
        "cleared_texts": cleared_texts(study) if takes_texts(study) else (),
        "edited": quarantine.edited_texts(study) if shows_edits(study) else (),
    }
    return render(request, "texts/texts.html", context, status=400 if refused else 200)


def is_decided_about(stimulus: Stimulus) -> bool:
    """Whether the text may yet enter."""
    return takes_text(stimulus.study, Arm(stimulus.arm))


def decision_form(stimulus: Stimulus, data: Any = None) -> DecisionForm:
    return DecisionForm(data, auto_id=f"%s-{stimulus.pk}")


def not_decided(request: PersonRequest, stimulus: Stimulus, form: ReasonForm) -> HttpResponse:
    """The page of texts with the form as it was filled in; of a text that is not waiting any more, why."""
    waiting = list(quarantine.waiting_texts(stimulus.study).values_list("pk", flat=True))
    if stimulus.pk not in waiting or not is_decided_about(stimulus):
        for errors in form.errors.values():
            messages.error(request, " ".join(map(str, errors)))
        return redirect("texts", stimulus.study.slug)
    number = waiting.index(stimulus.pk) // TEXTS_ON_A_PAGE + 1
    return _page(request, stimulus.study, number=number, refused={stimulus.pk: form})


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
    form = decision_form(stimulus, request.POST)

    def verb() -> None:
        intake.decide(stimulus=stimulus, by=request.user, **form.cleaned_data)
        messages.success(request, DONE[form.cleaned_data["verb"]])

    if taken(form, verb):
        return redirect("texts", stimulus.study.slug)
    return not_decided(request, stimulus, form)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_stored
def edit_text(request: PersonRequest, response: UUID) -> HttpResponse:
    """A quarantined text and the form that edits it; what an edit would change is shown before it is made.

    Who edits a text that was decided about meanwhile gets their own words back, and nothing else of it.
    """
    stimulus = coordinated_text(request, response)
    is_waiting = stimulus.state == "quarantined" and is_decided_about(stimulus)
    is_sent = request.method == "POST"
    if not is_waiting and not is_sent:
        raise Http404
    is_kept = "keep" in request.POST or (is_sent and not is_waiting)
    shown = {"text": stimulus.response.text if is_waiting else "", **request.POST.dict()}
    form = EditForm(request.POST) if is_kept else EditForm(initial=shown)

    def verb() -> None:
        intake.edit(stimulus=stimulus, by=request.user, **form.cleaned_data)
        messages.success(request, "The edited text is admitted. The words it came with are kept.")

    if not is_waiting:
        form.add_error(None, DECIDED)
    elif is_kept and taken(form, verb):
        return redirect("texts", stimulus.study.slug)
    context = {
        "study": stimulus.study,
        "text": quarantine.with_readings([stimulus])[0] if is_waiting else None,
        "form": form,
        **(_proposed(stimulus, shown["text"]) if is_sent and is_waiting else {}),
    }
    return render(request, "texts/text_edit.html", context, status=400 if is_kept else 200)


def _proposed(stimulus: Stimulus, text: str) -> dict[str, Any]:
    """What an edit would change, or why that cannot be told."""
    try:
        return {"versions": quarantine.proposed(stimulus, intake.read_edit(stimulus, text))}
    except Refused as refusal:
        return {"refusal": str(refusal)}


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
    return render(request, "texts/text_versions.html", context)


@person_posts
def withdraw_clearance(request: PersonRequest, pk: int) -> HttpResponse:
    """Withdraw a clearance: a coordinator may until judging opens, and a researcher once the study is unblinded."""
    clearance = TextClearance.objects.filter(pk=pk).select_related("response__study").first()
    if clearance is None:
        raise Http404
    study = own_participation(request, clearance.response.study.slug).study
    is_published = is_unblinded(study)
    (check_researcher if is_published else check_coordinator)(request.user, study)
    form, page = ReasonForm(request.POST), "releases" if is_published else "texts"

    def verb() -> None:
        clearances.withdraw_clearance(clearance=clearance, by=request.user, **form.cleaned_data)
        told = "Releases leave the text out from now on." if is_published else "The text is back in quarantine."
        messages.success(request, told)

    if taken(form, verb):
        return redirect(page, study.slug)
    context = {"study": study, "form": form, "back": reverse(page, args=[study.slug])}
    return render(request, "texts/clearance_withdraw.html", context, status=400)
