"""Prompts written from sources: all of them, one of them, and a person's verdict on it."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.platform.views import PersonRequest, asked_for, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.prompts.core.quality import SCHEMES, Scheme
from generation.prompts.forms.reviews import ReviewForm
from generation.prompts.models import Candidate
from generation.prompts.selectors import candidate_pages as selectors
from generation.prompts.services import pool, reviews

PROMPTS_ON_A_PAGE = 25


def scheme_asked_for(request: PersonRequest, study: Study) -> Scheme:
    """Whose votes count: as the address says, or else as the study does."""
    scheme = asked_for(request, "scheme")
    return cast(Scheme, scheme if scheme in SCHEMES else study.quality_voting)


@require_safe
@login_required
@never_cache
def candidates(request: PersonRequest, slug: str) -> HttpResponse:
    """The study's prompts, or those that are as the address asks."""
    study = coordinated(request, slug)
    asked = _asked(request, study)
    found = selectors.find(study, asked)
    page = Paginator(found.facts, PROMPTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "asked": asked,
        "schemes": SCHEMES,
        "found": found,
        "page": page,
        "lines": selectors.lines(page.object_list),
        "next_unreviewed": found.next_unreviewed(),
        "has_any": bool(found.facts) or Candidate.objects.filter(bundle__study=study).exists(),
    }
    return render(request, "prompts/candidates.html", context)


@require_safe
@login_required
@never_cache
def candidate(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """One prompt among those of the list that it was opened from."""
    study = coordinated(request, slug)
    return _candidate_page(request, study, _candidate_of(study, pk))


@person_posts
def review(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """Take in the person's verdict; “next” leads to the next prompt of the list that nobody has reviewed."""
    study = coordinated(request, slug)
    reviewed = _candidate_of(study, pk)
    following = selectors.find(study, _asked(request, study)).next_unreviewed(after=pk)
    form = ReviewForm(request.POST)

    def verb() -> None:
        vote = reviews.review_quality(candidate=reviewed, by=request.user, **form.cleaned_data)
        messages.success(request, f"Kept: you {'pass' if vote.passes else 'fail'} “{reviewed.label}”.")

    if not taken(form, verb):
        return _candidate_page(request, study, reviewed, form, status=400)
    if "next" not in request.POST:
        return redirect(_address(study, pk, request.GET))
    if following is None:
        messages.info(request, "That was the last one of this list that nobody had reviewed.")
        return redirect(_address(study, pk, request.GET))
    return redirect(f"{_address(study, following, request.GET)}#id_depth_0")


def _candidate_of(study: Study, pk: int) -> Candidate:
    found = Candidate.objects.filter(pk=pk, bundle__study=study)
    shown = found.select_related("bundle__scenario__source", "bundle__target").first()
    if shown is None:
        raise Http404
    return shown


def _asked(request: PersonRequest, study: Study) -> selectors.Asked:
    return selectors.Asked(
        facets={name: asked_for(request, name) for name in selectors.FACETS},
        words=asked_for(request, "words"),
        scheme=scheme_asked_for(request, study),
    )


def _candidate_page(
    request: PersonRequest, study: Study, shown: Candidate, form: ReviewForm | None = None, *, status: int = 200
) -> HttpResponse:
    """What others make of the prompt is open once the person has said what they do, or cannot any more."""
    asked = _asked(request, study)
    position = selectors.find(study, asked).position(shown.pk)
    own = shown.votes.filter(reviewer=request.user).values(*ReviewForm.base_fields).first()
    closed = pool.closed_in(study)
    context = {
        "study": study,
        "prompt": selectors.candidate_page(study, shown, scheme=asked.scheme),
        "position": position,
        "page_of_list": (position.number - 1) // PROMPTS_ON_A_PAGE + 1 if position else None,
        "form": form or ReviewForm(initial=own),
        "closed": closed,
        "is_told": bool(own or closed),
    }
    return render(request, "prompts/candidate.html", context, status=status)


def _address(study: Study, pk: int, query: QueryDict) -> str:
    """The address of the prompt's page, among those of the same list."""
    address = reverse("candidate", args=[study.slug, pk])
    return f"{address}?{query.urlencode()}" if query else address
