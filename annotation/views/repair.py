"""Repairing an assignment: what would change hands, looked at before it does."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.core.errors import Refused
from annotation.core.phrases import counted
from annotation.core.repair_plan import RepairPlan
from annotation.forms.repair import ApplyForm, RepairForm
from annotation.models.studies import Study
from annotation.selectors.assigning import ROLES
from annotation.selectors.assignment_rows import history
from annotation.selectors.shares import Share, shares
from annotation.services import repairing
from annotation.views.common import PersonRequest, person_posts, taken
from annotation.views.membership import coordinated


@require_safe
@login_required
@never_cache
def show(request: PersonRequest, slug: str) -> HttpResponse:
    """Who leaves, is late or joins; once people are ticked, what would change hands. Nothing is saved."""
    study = coordinated(request, slug)
    is_asked = request.GET.get("task") == study.state and request.GET.keys() & RepairForm.base_fields.keys()
    return _page(request, study, request.GET if is_asked else None, ApplyForm())


@person_posts
def apply(request: PersonRequest, slug: str) -> HttpResponse:
    """Make the repair that was looked at. Where it would be another one by now, that one is shown."""
    study = coordinated(request, slug)
    form, confirmed = RepairForm(study.state, _people(study), request.POST), ApplyForm(request.POST)

    def verb() -> None:
        moves = repairing.apply(study=study, change=form.change, by=request.user, **confirmed.cleaned_data)
        messages.success(request, f"Done: {counted(len(moves), 'prompt')} changed hands.")

    if form.is_valid() and taken(confirmed, verb):
        return redirect("certificate", slug)
    return _page(request, study, request.POST, confirmed, status=400)


def _people(study: Study) -> list[Share]:
    """Everybody whose work could change hands now; nobody before it is given out, and once it is over."""
    found = shares(study, study.state) if study.state in ROLES else []
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
        "apply_form": apply_form,
        "repairs": history(study).repairs,
    }
    return render(request, "coordination/repair.html", context | (_effects(plan) if plan else {}), status=status)


def _plan(study: Study, form: RepairForm) -> RepairPlan | None:
    """What would change hands; `None` where nobody is ticked, or where no assignment fits, which the form says."""
    if not form.is_valid():
        return None
    try:
        return repairing.plan(study=study, change=form.change)
    except Refused as refusal:
        form.add_error(None, str(refusal))
        return None


def _effects(plan: RepairPlan) -> dict[str, Any]:
    """What the moves come to: pieces of work that stay, who has more or less, and whose begun work goes on."""
    had = sum(load.before for load in plan.loads.values())
    return {
        "kept": had - sum(bool(move.taken_from) for move in plan.moves),
        "changed": [(name, load) for name, load in plan.loads.items() if load.before != load.after],
        "begun": sorted({move.taken_from for move in plan.moves if move.was_begun}),
    }
