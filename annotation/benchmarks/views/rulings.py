"""Adjudication: what both annotators say side by side, a ruling, and the subsets that follow."""

from collections.abc import Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotation.benchmarks.core.adjudication import CORRECTABLE
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.rulings import Ruling, Subset
from annotation.benchmarks.selectors.rulings import (
    RulingPage,
    adjudicator_of,
    flags_csv,
    ruling_of,
    ruling_page,
    rulings_csv,
    rulings_of,
    subset_files,
)
from annotation.benchmarks.services import adjudicating
from annotation.benchmarks.views.own import NOT_YOURS, own
from annotation.platform.core.errors import Refused
from annotation.platform.core.phrases import counted
from annotation.platform.views import PersonRequest, attempt_and_tell, never_stored, person_posts
from annotation.study.views.membership import coordinated, supervised


@login_required
@require_safe
@never_stored
def ruling(request: PersonRequest, pk: int) -> HttpResponse:
    found = own(ruling_of(request.user, pk))
    page = ruling_page(found)
    return _shown(request, found, page, page.filled_in)


@person_posts
@never_stored
def rule(request: PersonRequest, pk: int) -> HttpResponse:
    """Keep a ruling and go to the next question that waits for one. Refused, the page keeps what was typed."""
    found = own(ruling_of(request.user, pk))
    posted = request.POST
    over = posted.get("over", "")
    try:
        adjudicating.rule(
            pk=pk,
            category=posted.get("category", ""),
            fate=posted.get("fate", ""),
            reason=posted.get("reason", ""),
            changes={name: posted.get(name, "") for name in CORRECTABLE},
            over=int(over) if over.isascii() and over.isdigit() and len(over) < 10 else -1,
            by=request.user,
        )
    except PermissionDenied as error:
        raise Http404(NOT_YOURS) from error
    except Refused as refusal:
        found = own(ruling_of(request.user, pk))
        return _shown(request, found, ruling_page(found), posted.dict(), refusal=str(refusal))
    study = found.question.story.benchmark.study
    waiting = rulings_of(study).next
    return redirect("ruling", waiting) if waiting else redirect("study", study.slug)


def _shown(
    request: PersonRequest, found: Ruling, page: RulingPage, filled: Mapping[str, str], *, refusal: str = ""
) -> HttpResponse:
    """The page with its form as it is `filled` in. Where nothing can be ruled any more, it says so by itself."""
    adjudicator = adjudicator_of(page.study, request.user)
    obstacle = ""
    try:
        if adjudicator is not None:
            adjudicating.check_may_rule(found, adjudicator)
    except Refused as refused:
        obstacle = str(refused)
    if refusal and not obstacle:
        messages.error(request, refusal)
    context = {"page": page, "study": page.study, "filled": filled, "is_refused": refusal, "obstacle": obstacle}
    return render(request, "benchmarks/ruling.html", context, status=409 if refusal else 200)


@person_posts
def open_adjudication(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    found = _benchmark(coordinated(request, slug).pk, pk)

    def verb() -> str:
        number = adjudicating.open_adjudication(benchmark=found, by=request.user)
        return f"Adjudication has begun: {counted(number, 'question')} to rule on."

    attempt_and_tell(request, verb)
    return redirect("benchmark", slug, pk)


@person_posts
def freeze_subsets(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    found = _benchmark(coordinated(request, slug).pk, pk)

    def verb() -> str:
        adjudicating.freeze_subsets(benchmark=found, by=request.user)
        return "The subsets are frozen."

    attempt_and_tell(request, verb)
    return redirect("benchmark", slug, pk)


@login_required
@require_safe
def subset_file(request: PersonRequest, slug: str, pk: int, kind: str, name: str) -> HttpResponse:
    """A file of a frozen subset, in the benchmark's layout."""
    found = _readable(request, slug, pk)
    subset = Subset.objects.filter(benchmark=found, kind=kind).select_related("benchmark").first()
    files = subset_files(subset) if subset else {}
    if name not in files:
        raise Http404
    stem, _, ending = name.partition(".")
    return _download(files[name], f"{slug}-{pk}-{kind}-{stem}.{ending}", "application/octet-stream")


@login_required
@require_safe
@never_stored
def audit_file(request: PersonRequest, slug: str, pk: int, name: str) -> HttpResponse:
    """Flags and rulings as `analyse_audit` reads them, once adjudication has begun."""
    found = _readable(request, slug, pk)
    make = {"flags": flags_csv, "rulings": rulings_csv}.get(name)
    if make is None or found.adjudication_opened_at is None:
        raise Http404
    return _download(make(found).encode(), f"{slug}-{pk}-{name}.csv", "text/csv; charset=utf-8")


def _readable(request: PersonRequest, slug: str, pk: int) -> Benchmark:
    """For coordinators and researchers: 404 for people outside the study, 403 for its other members."""
    return _benchmark(supervised(request, slug).pk, pk)


def _benchmark(study: int, pk: int) -> Benchmark:
    found = Benchmark.objects.filter(study=study, pk=pk).select_related("study").first()
    if found is None:
        raise Http404
    return found


def _download(data: bytes, name: str, content_type: str) -> HttpResponse:
    return HttpResponse(
        data, content_type=content_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
