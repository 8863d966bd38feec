"""Closing, unblinding by two people, and the record of it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from analysis.ceremony.models import UnblindingRequest
from analysis.ceremony.selectors.ceremony import closing, freeze_of, seed_of
from analysis.ceremony.selectors.record import record_of
from analysis.ceremony.services import ceremony
from analysis.data.core.judgment_frame import csv_bytes
from analysis.report.selectors.runs import parameters_of
from analysis.report.services import runs
from analysis.report.views.researcher_access import auditing_refusals, step_taken, study_for_researcher
from analysis.unblinded.selectors.unblinding import unblinded_judgments
from annotation.platform.second_factor import ask_for_second_factor
from annotation.platform.views import PersonRequest, never_stored, person_posts
from annotation.study.models.studies import Study
from annotation.study.policies.unblinding import is_unblinded
from annotation.unblinders.selectors.published import unblinders_of

DECIDED = {
    "approve": "Every label was verified and the study is unblinded.",
    "decline": "The request was declined.",
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def close_study(request: PersonRequest, slug: str) -> HttpResponse:
    """What closing would leave out, and closing itself; what can be known with sources masked is computed next."""
    study = study_for_researcher(request, slug)
    if request.method == "POST":
        return _close(request, study)
    if study.state != "judging":
        return redirect("study", slug)
    return render(request, "ceremony/ceremony_close.html", {"study": study, "page": closing(study)})


def _close(request: PersonRequest, study: Study) -> HttpResponse:
    despite = request.POST.get("despite_missing") == "on"

    def close() -> None:
        ceremony.close_study(study=study, by=request.user, despite_missing=despite)
        runs.ask_for_run(study=study, parameters=parameters_of(study), by=request.user)

    if step_taken(request, study, close):
        frozen = "its judgments are frozen" if study.has_judging else "what it collected is frozen"
        messages.success(request, f"The study is closed and {frozen}.")
        return redirect("study", study.slug)
    return redirect("close_study", study.slug)


@person_posts
def request_unblinding(request: PersonRequest, slug: str) -> HttpResponse:
    study = study_for_researcher(request, slug)
    if owed := ask_for_second_factor(request):
        return owed
    reason = request.POST.get("reason", "")
    if step_taken(request, study, lambda: ceremony.request_unblinding(study=study, reason=reason, by=request.user)):
        messages.success(request, "Unblinding was asked for. Another unblinder must approve it.")
    return redirect("study", study.slug)


@person_posts
def decide_unblinding(request: PersonRequest, pk: int) -> HttpResponse:
    """Approve or decline; once sources are known, everything is computed next."""
    asked = UnblindingRequest.objects.filter(pk=pk).select_related("study").first()
    if asked is None:
        raise Http404
    study = study_for_researcher(request, asked.study.slug)
    if owed := ask_for_second_factor(request):
        return owed
    decision = request.POST.get("decision")
    if decision not in DECIDED:
        messages.error(request, "Approve the request or decline it.")
    elif _decide(request, study, asked, approve=decision == "approve"):
        messages.success(request, DECIDED[decision])
    return redirect("study", study.slug)


def _decide(request: PersonRequest, study: Study, asked: UnblindingRequest, *, approve: bool) -> bool:
    def decide() -> None:
        reason = request.POST.get("reason", "")
        ceremony.decide_unblinding(request=asked, approve=approve, by=request.user, reason=reason)
        if approve:
            runs.ask_for_run(study=study, parameters=parameters_of(study), by=request.user)

    return step_taken(request, study, decide)


@require_safe
@login_required
@never_cache
def record(request: PersonRequest, slug: str) -> HttpResponse:
    """Every step of the ceremony with its hashes, and how an outsider checks them."""
    study = study_for_researcher(request, slug)
    frozen = freeze_of(study)
    context = {
        "study": study,
        "lines": record_of(study),
        "seed": seed_of(study),
        "unblinders": unblinders_of(study),
        "frozen": frozen,
        "tables": sorted(frozen.tables.items()) if frozen else [],
        "is_unblinded": is_unblinded(study),
    }
    return render(request, "ceremony/ceremony_record.html", context)


@require_safe
@login_required
@never_stored
def judgments_csv(request: PersonRequest, slug: str) -> HttpResponse:
    """The published file of judgments, once the study is unblinded; who asks for it before is noted."""
    study = study_for_researcher(request, slug)
    with auditing_refusals(request, study):
        judgments = unblinded_judgments(study)
    return HttpResponse(
        csv_bytes(judgments),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="task2_human_judgments.csv"'},
    )
