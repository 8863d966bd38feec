"""Repairing an assignment: what would change hands, looked at before it does."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.assignment.core.feasibility import Infeasible
from annotation.assignment.core.repair_plan import JUDGING, RepairPlan
from annotation.assignment.forms import ApplyForm, RepairForm
from annotation.assignment.selectors.assigning import ROLES
from annotation.assignment.selectors.assignment_rows import history
from annotation.assignment.selectors.remaining_work import RemainingWork, remaining_work
from annotation.assignment.services import repairing
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.services.clock import database_today
from annotation.platform.views import PersonRequest, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated

LACKS_PEOPLE: Final = "lacks_people"


@require_safe
@login_required
@never_cache
def show(request: PersonRequest, slug: str) -> HttpResponse:
    """Who leaves, is late or joins; once asked for, what would change hands. Nothing is saved."""
    study = coordinated(request, slug)
    is_asked = request.GET.get("task") == study.state
    return _page(request, study, request.GET if is_asked else None, ApplyForm())


@person_posts
def apply(request: PersonRequest, slug: str) -> HttpResponse:
    """Make the repair that was looked at. Where it would be another one by now, that one is shown."""
    study = coordinated(request, slug)
    form, confirmed = RepairForm(study.state, _people(study), request.POST), ApplyForm(request.POST)

    def verb() -> None:
        moves = repairing.apply(study=study, change=form.change, by=request.user, **confirmed.cleaned_data)
        told = format_html(
            'Done: {} changed hands. Nobody is told by mail: <a href="{}">remind the people concerned</a>.',
            counted(len(moves), "item" if form.task == JUDGING else "answer"),
            reverse("reminders", args=[slug]),
        )
        messages.success(request, told)

    if form.is_valid() and taken(confirmed, verb):
        return redirect("certificate", slug)
    return _page(request, study, request.POST, confirmed, status=400)


def _people(study: Study) -> list[RemainingWork]:
    """Everybody whose work could change hands now; nobody before it is given out, and once it is over."""
    found = remaining_work(study, study.state, today=database_today()) if study.state in ROLES else []
    return found if any(share.number for share in found) else []


def _page(
    request: PersonRequest, study: Study, data: Any, apply_form: ApplyForm, *, status: int = 200
) -> HttpResponse:
    people = _people(study)
    form = RepairForm(study.state, people, data)
    plan = _plan(study, form)
    context = {
        "study": study,
        "people": people,
        "form": form,
        "plan": plan,
        "lacks_people": form.has_error(NON_FIELD_ERRORS, LACKS_PEOPLE),
        "apply_form": apply_form,
        "repairs": history(study).repairs,
    }
    effects = _effects(plan, people) if plan else {}
    return render(request, "assignment/repair.html", context | effects, status=status)


def _plan(study: Study, form: RepairForm) -> RepairPlan | None:
    """What would change hands; `None` where nobody is ticked and nothing has to, or no assignment fits.

    The form says which.
    """
    if not form.is_valid():
        return None
    try:
        plan = repairing.plan(study=study, change=form.change)
    except Refused as refusal:
        code = LACKS_PEOPLE if isinstance(refusal, Infeasible) else None
        form.add_error(None, ValidationError(str(refusal), code))
        return None
    if plan.moves or form.has_changed():
        return plan
    form.add_error(None, "Tick who leaves, is late or joins. Nothing else asks for a change.")
    return None


def _effects(plan: RepairPlan, people: Sequence[RemainingWork]) -> dict[str, Any]:
    """What the moves come to: pieces of work that stay, who has more or less, and whose begun work goes on."""
    had = sum(load.before for load in plan.loads.values())
    called = {"": ""} | {share.pseudonym: f"{share.name} ({share.pseudonym})" for share in people}
    return {
        "kept": had - sum(bool(move.taken_from) for move in plan.moves),
        "moves": [(move, called[move.taken_from], called[move.given_to]) for move in plan.moves],
        "changed": [(called[name], load) for name, load in plan.loads.items() if load.before != load.after],
        "begun": [called[name] for name in sorted({move.taken_from for move in plan.moves if move.was_begun})],
    }
