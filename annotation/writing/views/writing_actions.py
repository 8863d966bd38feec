"""What a coordinator does about writing while it goes on. Each is one service call."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from annotation.platform.core.lifecycle import WRITING
from annotation.platform.core.phrases import counted
from annotation.platform.forms.fields import ReasonForm
from annotation.platform.views import PersonRequest, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from annotation.texts.policies import takes_texts
from annotation.writing.forms.writing_desk import (
    ExtraMinutesForm,
    GrantTimeForm,
    LateTextForm,
    OutageForm,
    ReopenForm,
)
from annotation.writing.models import LateText, WritingAssignment
from annotation.writing.selectors.rejected_answers import is_gone, rejected_answer
from annotation.writing.services import writing_desk


def coordinated_answer(request: PersonRequest, pk: int) -> WritingAssignment:
    """The answer, for the coordinator of its study."""
    found = WritingAssignment.objects.filter(pk=pk).select_related(
        "study", "participation__user", "prompt", "prompt_version"
    )
    assignment = found.first()
    if assignment is None:
        raise Http404
    coordinated(request, assignment.study.slug)
    return assignment


# -- one answer ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Action:
    """A verb for one answer. `form` asks for what the verb needs, `effect` and `done` say what it does and did."""

    label: str
    effect: str
    form: type[forms.Form]
    verb: Callable[..., None]
    done: str
    is_final: bool = False


ACTIONS: Final = {
    "pause": Action(
        "Pause the clock",
        "The clock stands still until you let it run on. What is on its way is still saved.",
        ReasonForm,
        writing_desk.pause,
        "The clock stands still.",
    ),
    "resume": Action(
        "Let the clock run on",
        "The deadline moves by the time the clock stood still.",
        ReasonForm,
        writing_desk.resume,
        "The clock runs on.",
    ),
    "grant_time": Action(
        "Give more time",
        "The deadline of this answer moves at once; the writer sees the new time within seconds.",
        GrantTimeForm,
        writing_desk.grant_time,
        "The deadline was moved.",
    ),
    "reopen": Action(
        "Give back to the writer",
        "The writer finds the text where it ended and goes on when they want. A text that was handed in is taken "
        "out of the study; the new one takes its place.",
        ReopenForm,
        writing_desk.reopen,
        "The answer is back with its writer.",
    ),
    "cancel": Action(
        "Withdraw assignment",
        "The writer cannot write this answer any more. What was written of it is kept and not used.",
        ReasonForm,
        writing_desk.cancel,
        "The assignment was withdrawn.",
        is_final=True,
    ),
    "waive": Action(
        "Do without this answer",
        "The prompt has one human answer fewer. Nobody is asked to write it anew; giving it back stays possible.",
        ReasonForm,
        writing_desk.waive,
        "The study does without this answer.",
    ),
}


def actions_for(assignment: WritingAssignment) -> dict[str, tuple[Action, forms.Form]]:
    """What can be done about an answer now, each with its empty form, by the name its address ends in."""
    possible = []
    if assignment.study.state == "writing":
        possible += [verb for verb in ("reopen", "cancel") if WRITING.allows(verb, assignment.state)]
        if "reopen" in possible and is_gone(assignment.participation):
            possible.remove("reopen")
    if takes_texts(assignment.study) and (missed := rejected_answer(assignment)) and not missed.shortfall:
        possible.append("waive")
    if assignment.study.state == assignment.state == "writing":
        possible.insert(0, "resume" if assignment.paused_at else "pause")
        if assignment.deadline_at:
            possible.insert(1, "grant_time")
    return {name: (ACTIONS[name], _form(name, assignment, auto_id=f"{name}-%s")) for name in possible}


def _form(name: str, assignment: WritingAssignment, **options: Any) -> forms.Form:
    form = ACTIONS[name].form
    if issubclass(form, ReopenForm):
        return form(usual_minutes=assignment.study.writing_minutes, **options)
    return form(**options)


@person_posts
def act(request: PersonRequest, pk: int, action: str) -> HttpResponse:
    """Take one of `ACTIONS`."""
    assignment, wanted = coordinated_answer(request, pk), ACTIONS[action]
    form = _form(action, assignment, data=request.POST)

    def verb() -> None:
        wanted.verb(assignment=assignment, by=request.user, **form.cleaned_data)
        messages.success(request, wanted.done)

    if not taken(form, verb):
        return _asked_again(request, assignment.study, form, wanted.label)
    return redirect("writing_answer", pk)


@person_posts
def decide_late(request: PersonRequest, pk: int) -> HttpResponse:
    late = LateText.objects.filter(pk=pk).select_related("assignment").first()
    if late is None:
        raise Http404
    assignment = coordinated_answer(request, late.assignment_id)
    form = LateTextForm(request.POST)

    def verb() -> None:
        use = form.cleaned_data["decision"] == "use"
        writing_desk.decide_late(late=late, use=use, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(request, "The late text is the answer now." if use else "The late text is left aside.")

    if not taken(form, verb):
        return _asked_again(request, assignment.study, form, "Decide about the late text")
    return redirect("writing_answer", assignment.pk)


def _asked_again(request: PersonRequest, study: Study, form: forms.Form, title: str) -> HttpResponse:
    """What cannot be taken is shown again, so that nothing is typed twice."""
    page = {"study": study, "form": form, "title": title, "action": title}
    return render(request, "components/form.html", page, status=400)


# -- several answers -----------------------------------------------------------------------------------------


@person_posts
def grant_minutes(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    form = ExtraMinutesForm(study, request.POST)

    def verb() -> None:
        writer, minutes = form.cleaned_data["writer"], form.cleaned_data["minutes"]
        writing_desk.grant_minutes(
            participation=writer, minutes=minutes, reason=form.cleaned_data["reason"], by=request.user
        )
        time = counted(minutes, "extra minute")
        messages.success(request, f"{writer.pseudonym} has {time} for each answer not yet started.")

    if not taken(form, verb):
        return _asked_again(request, study, form, "Grant extra minutes")
    return redirect("writing_desk", slug)


@person_posts
def decide_outage(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    form = OutageForm(study, request.POST)

    def verb() -> None:
        approve = form.cleaned_data["decision"] == "approve"
        decided = writing_desk.decide_outage(
            study=study,
            began_at=form.cleaned_data["began_at"],
            assignments=form.cleaned_data["answers"],
            approve=approve,
            reason=form.cleaned_data["reason"],
            by=request.user,
        )
        credited = "credited" if approve else "not credited"
        messages.success(request, f"{counted(decided, 'answer')} {credited} for the outage.")

    if not taken(form, verb):
        return _asked_again(request, study, form, "Decide about the outage")
    return redirect("writing_desk", slug)
