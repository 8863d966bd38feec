"""Planning, approving, watching and stopping runs of calls to models."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.platform.core.errors import Refused
from annotation.platform.views import PersonRequest, attempt_and_tell, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.calls.forms import PLAN_FORMS, CapForm, PlanForm, SettlingForm
from generation.calls.models import GenerationRun
from generation.calls.selectors.earlier_runs import earlier_runs
from generation.calls.selectors.runs import RunPage, run_page, runs_of
from generation.calls.selectors.targets import targets_of
from generation.calls.services import planning, runs
from generation.calls.services.purposes import purpose_named, purpose_of
from generation.calls.services.settling import settle_assumed
from generation.calls.views.targets import missing_keys
from generation.providers.core.catalogue import Endpoint
from generation.providers.core.money import in_dollars

UNDER_WAY = ("planning", "running")  # what htmx asks about until it is over


def coordinated_run(request: PersonRequest, pk: int) -> GenerationRun:
    """The run, for the coordinator of its study; the scoring of a file is nobody's here."""
    run = GenerationRun.objects.filter(pk=pk).select_related("study", "planned_by", "approved_by").first()
    if run is None or run.study is None:
        raise Http404
    coordinated(request, run.study.slug)
    return run


# -- all runs, and new plans ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """A form for a run, which is offered unless it is `closed` for this reason, or lacks models or sources.

    `earlier` says of runs that it builds on how far they are.
    """

    form: PlanForm
    closed: str
    earlier: list[str]

    @property
    def is_offered(self) -> bool:
        return not (self.closed or self.form.lacks_sources) and bool(self.form.models)

    @property
    def missing_keys(self) -> list[Endpoint]:
        return missing_keys(target.provider for target in self.form.models)


@require_safe
@login_required
@never_cache
def study_runs(request: PersonRequest, slug: str) -> HttpResponse:
    """Every run of the study, and a form for each purpose: open is the one that is asked for, or else offered."""
    study = coordinated(request, slug)
    targets = list(targets_of(study))
    forms = [form(study, targets) for form in _plan_forms(study).values()]
    return render(request, "calls/runs.html", _runs_context(study, forms, opened=request.GET.get("plan", "")))


def _plan_forms(study: Study) -> Mapping[str, type[PlanForm]]:
    """Forms of what is planned on this page. An audit's runs are about a benchmark each, and are planned on its
    pages.
    """
    return {} if study.audits_benchmarks else PLAN_FORMS


@person_posts
def plan_run(request: PersonRequest, slug: str) -> HttpResponse:
    """List what a run would ask. What cannot be taken is shown again, so that nothing is chosen twice."""
    study = coordinated(request, slug)
    purpose = request.POST.get("purpose", "")
    if purpose not in _plan_forms(study):
        raise Http404
    targets = list(targets_of(study))
    form = PLAN_FORMS[purpose](study, targets, request.POST)
    planned: list[GenerationRun] = []
    if taken(form, lambda: planned.append(planning.plan_run(study=study, by=request.user, **form.asked_for))):
        return redirect("run", planned[0].pk)
    others = [other(study, targets) for name, other in PLAN_FORMS.items() if name != purpose]
    context = _runs_context(study, [form, *others], opened=purpose)
    return render(request, "calls/runs.html", context, status=400)


def _runs_context(study: Study, forms: list[PlanForm], *, opened: str) -> dict[str, Any]:
    plans = [
        Plan(
            form,
            closed=purpose_named(form.purpose).closed(GenerationRun(study=study, purpose=form.purpose)),
            earlier=earlier_runs(study, form.purpose),
        )
        for form in forms
    ]
    offered = (plan.form.purpose for plan in plans if plan.is_offered)
    return {
        "study": study,
        "runs": runs_of(study),
        "plans": plans,
        "opened": opened if opened in PLAN_FORMS else next(offered, ""),
    }


# -- one run -------------------------------------------------------------------------------------------------


@require_safe
@login_required
@never_cache
def run(request: PersonRequest, pk: int) -> HttpResponse:
    """A run's page. While something is under way htmx asks for the part that changes; then, for a new page."""
    found = coordinated_run(request, pk)
    if request.htmx and request.GET.get("state") != found.state:
        return HttpResponseClientRefresh()
    template = "calls/run.html#progress" if request.htmx else "calls/run.html"
    return render(request, template, _run_context(found))


def _run_context(
    run: GenerationRun, cap_form: CapForm | None = None, settling_form: SettlingForm | None = None
) -> dict[str, Any]:
    page, study = run_page(run), cast(Study, run.study)
    return {
        "study": study,
        "page": page,
        "scope": purpose_of(run).scope(run),
        "is_under_way": run.state in UNDER_WAY,
        "closed": purpose_of(run).closed(run),
        "earlier": earlier_runs(study, run.purpose) if run.state == "planned" else [],
        "missing_keys": missing_keys(share.provider for share in page.shares),
        "cap_form": cap_form or CapForm(usual=_usual_cap(run, page)),
        "settling_form": settling_form or SettlingForm(),
    }


def _usual_cap(run: GenerationRun, page: RunPage) -> Decimal | None:
    """The limit to propose: what is spent and set aside, one call at worst, and twice what the rest may cost.

    Less could stop the run before its last call, whose worst case has to fit. Of a few calls nothing is proposed
    that depends on what they took, which would tell a weak answer: what was allowed before and all at worst.
    """
    before = page.line.spend_cap or Decimal(0)
    if run.state not in ("planned", "stopped") or page.worst is None or page.estimated_rest is None:
        return page.line.spend_cap
    if page.line.spent is None:
        return before + page.worst
    try:
        return max(before, runs.least_cap(run) + 2 * page.estimated_rest)
    except Refused:  # starting says so as well
        return max(before, 2 * page.estimated_rest)


@person_posts
def start_run(request: PersonRequest, pk: int) -> HttpResponse:
    """Approve a plan with the most it may spend, or let a stopped run go on."""
    run = coordinated_run(request, pk)
    form = CapForm(request.POST)
    if taken(form, lambda: runs.start_run(run=run, by=request.user, **form.cleaned_data)):
        return redirect("run", pk)
    return render(request, "calls/run.html", _run_context(run, form), status=400)


@person_posts
def settle_run(request: PersonRequest, pk: int) -> HttpResponse:
    """Put what was billed in the place of what the run assumes at worst."""
    run = coordinated_run(request, pk)
    form = SettlingForm(request.POST)
    if taken(form, lambda: settle_assumed(run=run, by=request.user, **form.cleaned_data)):
        messages.success(request, f"{in_dollars(form.cleaned_data['billed'])} took the place of what was assumed.")
        return redirect("run", pk)
    return render(request, "calls/run.html", _run_context(run, settling_form=form), status=400)


@person_posts
def stop_run(request: PersonRequest, pk: int) -> HttpResponse:
    def stop(run: GenerationRun) -> str:
        runs.stop_run(run=run, reason=f"{request.user.name} stopped it.", by=request.user)
        return "The run is stopped. Replies on their way are still kept."

    return _act(request, pk, stop)


@person_posts
def retry_run(request: PersonRequest, pk: int) -> HttpResponse:
    def retry(run: GenerationRun) -> str:
        runs.retry_failed(run=run, by=request.user)
        return "What failed is asked for again."

    return _act(request, pk, retry)


@person_posts
def withdraw_run(request: PersonRequest, pk: int) -> HttpResponse:
    def withdraw(run: GenerationRun) -> str:
        runs.withdraw_plan(run=run, by=request.user)
        return "The plan is withdrawn. Nothing was sent."

    return _act(request, pk, withdraw)


def _act(request: PersonRequest, pk: int, verb: Callable[[GenerationRun], str]) -> HttpResponse:
    """Do `verb` to the run; it returns what to tell the coordinator."""
    run = coordinated_run(request, pk)
    attempt_and_tell(request, lambda: verb(run))
    return redirect("run", pk)
