"""Closing, unblinding, results and the published file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from analysis.models.ceremony import UnblindingRequest
from analysis.policies.ceremony import check_researcher
from analysis.selectors.judgments import csv_bytes
from analysis.selectors.results import results as results_of
from analysis.services import ceremony
from analysis.unblinding import unblinded_judgments
from annotation.core.errors import Refused
from annotation.models.studies import Study
from annotation.services import audit
from annotation.views.common import PersonRequest, attempt, person_posts
from annotation.views.membership import own_participation

DECIDED = {
    "approve": "Every label was verified and the study is unblinded.",
    "decline": "The request was declined.",
}


@contextmanager
def _witnessed(request: PersonRequest, study: Study) -> Iterator[None]:
    """Leave an audit row of a step that was tried too early, by the wrong person or by one person alone."""
    try:
        yield
    except (PermissionDenied, Refused) as refusal:
        if request.method == "POST" and request.resolver_match:
            verb = f"{request.resolver_match.url_name}.refused"
            audit.record(verb=verb, by=request.user, study=study, subject=study.slug, reason=str(refusal))
        raise


def _researched(request: PersonRequest, slug: str) -> Study:
    """The study, for its researchers: 404 for people outside it, 403 for its other members."""
    participation = own_participation(request, slug)
    with _witnessed(request, participation.study):
        check_researcher(request.user, participation.study)
    return participation.study


def _act(request: PersonRequest, study: Study, verb: Callable[[], object], done: str) -> HttpResponse:
    def witnessed_verb() -> bool:
        with _witnessed(request, study):
            verb()
        return True

    if attempt(request, witnessed_verb):
        messages.success(request, done)
    return redirect("study", study.slug)


@person_posts
def close_study(request: PersonRequest, slug: str) -> HttpResponse:
    study = _researched(request, slug)
    despite = request.POST.get("despite_missing") == "on"
    return _act(
        request,
        study,
        lambda: ceremony.close_study(study=study, by=request.user, despite_missing=despite),
        "The study is closed and its judgments are frozen.",
    )


@person_posts
def request_unblinding(request: PersonRequest, slug: str) -> HttpResponse:
    study = _researched(request, slug)
    reason = request.POST.get("reason", "")
    return _act(
        request,
        study,
        lambda: ceremony.request_unblinding(study=study, reason=reason, by=request.user),
        "Unblinding was asked for. Another researcher must approve it.",
    )


@person_posts
def decide_unblinding(request: PersonRequest, pk: int) -> HttpResponse:
    asked = UnblindingRequest.objects.filter(pk=pk).select_related("study").first()
    if asked is None:
        raise Http404
    study = _researched(request, asked.study.slug)
    decision = request.POST.get("decision")
    if decision not in DECIDED:
        messages.error(request, "Approve the request or decline it.")
        return redirect("study", study.slug)
    return _act(
        request,
        study,
        lambda: ceremony.decide_unblinding(request=asked, approve=decision == "approve", by=request.user),
        DECIDED[decision],
    )


@require_safe
@login_required
def results(request: PersonRequest, slug: str) -> HttpResponse:
    study = _researched(request, slug)
    found = attempt(request, lambda: results_of(study))
    if found is None:
        return redirect("study", slug)
    return render(request, "analysis/results.html", {"study": study, "results": found})


@require_safe
@login_required
def judgments_csv(request: PersonRequest, slug: str) -> HttpResponse:
    """The published file of judgments, once the study is unblinded."""
    study = _researched(request, slug)
    return HttpResponse(
        csv_bytes(unblinded_judgments(study)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="task2_human_judgments.csv"'},
    )


@person_posts
def publish_release(request: PersonRequest, slug: str) -> HttpResponse:
    study = _researched(request, slug)
    return _act(
        request,
        study,
        lambda: ceremony.publish_release(study=study, by=request.user),
        "The release was recorded with the hash of its file.",
    )
