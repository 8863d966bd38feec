"""Results of a study: asked for, waited for, read, computed again and compared."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from analysis.data.core.parameters import WHOLE
from analysis.report.core.report_differences import differences_csv
from analysis.report.forms import AnalysisForm, ComparisonForm
from analysis.report.models import AnalysisRun
from analysis.report.policies import kind_of
from analysis.report.selectors.attempts import Trouble
from analysis.report.selectors.runs import (
    RESULTS,
    asks_the_usual,
    differences_between,
    earlier_run,
    findings,
    newest_finished,
    origins_of_both,
    parameters_of,
    runs_of,
    stage_of,
    step_of,
    trouble_of,
    waited_for,
)
from analysis.report.services import runs
from analysis.report.views.researcher_access import step_taken, study_for_researcher
from annotation.platform.views import PersonRequest, attempt, never_stored, person_posts, taken
from annotation.study.models.studies import Study

MAX_DIGITS = 9  # of a run's number; Python does not read numbers of thousands of digits


@require_safe
@login_required
@never_cache
def results(request: PersonRequest, slug: str) -> HttpResponse:
    """The newest run, or the one asked for; htmx asks how far the one is that is being waited for."""
    study = study_for_researcher(request, slug)
    if attempt(request, lambda: kind_of(study)) is None:
        return redirect("study", slug)
    chosen = _chosen(request, study)
    if request.htmx:
        return _progress(request, study, chosen)
    context = _context(request, study, chosen, AnalysisForm())
    if chosen and "run" in request.GET:
        context["name"] = f"Results of run {chosen.number}" if chosen.finished_at else f"Run {chosen.number}"
    return render(request, "report/results.html", context)


def compute_results(request: PersonRequest, slug: str) -> HttpResponse:
    """Where an analysis is asked for. A form shown again stands at this address, which leads back when opened; so
    do the links of the results above the form.
    """
    if request.method == "POST":
        return _asked(request, slug)
    return redirect(reverse("results", args=[slug], query=request.GET))


@person_posts
def _asked(request: PersonRequest, slug: str) -> HttpResponse:
    """Have the study analysed; what cannot be taken is shown again, below the newest results."""
    study = study_for_researcher(request, slug)
    if not step_taken(request, study, lambda: kind_of(study)):
        return redirect("study", slug)
    form = AnalysisForm(request.POST)
    asked: list[AnalysisRun] = []

    def ask() -> None:
        parameters = parameters_of(study, **form.cleaned_data)
        asked.append(runs.ask_for_run(study=study, parameters=parameters, by=request.user))

    if taken(form, ask):
        return redirect(_address(asked[0]))
    return render(
        request, "report/results.html", _context(request, study, newest_finished(study), form), status=400
    )


@person_posts
def run_again(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """Have a run computed once more, to see that it comes to the same."""
    study = study_for_researcher(request, slug)
    run = get_object_or_404(runs_of(study), number=number)
    again = attempt(request, lambda: runs.compute_again(run=run, by=request.user))
    return redirect(_address(again or run))


@require_safe
@login_required
@never_cache
def run_list(request: PersonRequest, slug: str) -> HttpResponse:
    """Every run, and the way to compare two."""
    study = study_for_researcher(request, slug)
    context = {"study": study, "runs": runs_of(study), "form": ComparisonForm(study)}
    return render(request, "report/runs.html", context)


@require_safe
@login_required
@never_cache
def compare_runs(request: PersonRequest, slug: str) -> HttpResponse:
    """What two finished runs rest on, and every figure in which they differ."""
    study = study_for_researcher(request, slug)
    form = ComparisonForm(study, request.GET or None)
    context: dict[str, Any] = {"study": study, "form": form}
    if form.is_valid():
        one, other = form.cleaned_data["one"], form.cleaned_data["other"]
        origins, found = origins_of_both(one, other), differences_between(one, other)
        context |= {"one": one, "other": other, "origins": origins, "differences": found}
    return render(request, "report/comparison.html", context)


@require_safe
@login_required
@never_stored
def comparison_csv(request: PersonRequest, slug: str) -> HttpResponse:
    """Every figure in which two finished runs differ, with all its digits."""
    form = ComparisonForm(study_for_researcher(request, slug), request.GET)
    if not form.is_valid():
        raise Http404
    one, other = form.cleaned_data["one"], form.cleaned_data["other"]
    found = differences_between(one, other)
    if found is None:
        raise Http404
    content = differences_csv(found, f"run {one.number}", f"run {other.number}")
    name = f"{slug}-run-{one.number}-and-{other.number}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=headers)


def _chosen(request: PersonRequest, study: Study) -> AnalysisRun | None:
    number = request.GET.get("run")
    if number is None:
        return newest_finished(study)
    if not number.isdecimal() or len(number) > MAX_DIGITS:
        raise Http404
    return get_object_or_404(runs_of(study), number=int(number))


def _progress(request: PersonRequest, study: Study, run: AnalysisRun | None) -> HttpResponse:
    if run is None:
        raise Http404
    if run.finished_at or run.problem or trouble_of(run) is Trouble.GIVEN_UP:
        return HttpResponseClientRefresh()
    if request.GET.get("seen") == step_of(run):
        return HttpResponse(status=204)
    return render(request, "report/results.html#progress", {"study": study, **_waiting(run)})


def _context(
    request: PersonRequest, study: Study, chosen: AnalysisRun | None, form: AnalysisForm
) -> dict[str, Any]:
    finished = chosen if chosen and chosen.finished_at else None
    try:
        found = findings(finished, request.GET.get("domain", WHOLE)) if finished else None
    except LookupError as unknown:
        raise Http404 from unknown
    return {
        "study": study,
        "name": "Results",
        "form": form,
        "run": finished,
        "is_usual": finished is None or asks_the_usual(finished),
        **(_addresses(finished) if finished else {}),
        "found": found,
        "is_masked": (finished.kind if finished else kind_of(study)) == AnalysisRun.Kind.MASKED,
        **_waiting(chosen if chosen and not finished else waited_for(study, after=finished)),
    }


def _addresses(run: AnalysisRun) -> dict[str, Any]:
    """Addresses of a finished run: what names it in links, and where its files are."""
    of_run = [run.study.slug, run.number]
    return {
        "pinned": run.number,
        "files_at": reverse("run_file", args=[*of_run, RESULTS]).removesuffix(RESULTS),
        "archive_at": reverse("run_archive", args=of_run),
    }


def _waiting(run: AnalysisRun | None) -> dict[str, Any]:
    if run is None:
        return {}
    return {
        "waiting": run,
        "step": step_of(run),
        "stage": stage_of(run),
        "earlier": earlier_run(run),
        "trouble": (trouble := trouble_of(run)),
        "is_busy": not run.problem and trouble is not Trouble.GIVEN_UP,
    }


def _address(run: AnalysisRun) -> str:
    return f"{reverse('results', args=[run.study.slug])}?run={run.number}"
