"""A study's sources: what was read, and what each step removed."""

from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.platform.views import PersonRequest, asked_for, attempt_and_tell, person_posts
from annotation.study.views.membership import coordinated
from generation.sources.core.shapes import SHAPES, ShapeName
from generation.sources.models import Source
from generation.sources.policies import why_not_change_concepts
from generation.sources.selectors import sources as selectors
from generation.sources.selectors.proposals import has_proposals, open_proposals
from generation.sources.services import sources as services

REMOVED_ON_A_PAGE = 50
SCENARIOS_ON_A_PAGE = 20


def source_named(slug: str) -> Source:
    """A source of the site: they belong to no study, and every coordinator may look at them."""
    found = Source.objects.filter(slug=slug).select_related("imported_by").first()
    if found is None:
        raise Http404
    return found


@require_safe
@never_cache
@login_required
def sources(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    context = {
        "study": study,
        "drawn_on": selectors.sources_of(study),
        "others": selectors.other_sources(study),
    }
    return render(request, "sources/sources.html", context)


@require_safe
@never_cache
@login_required
def source(request: PersonRequest, slug: str, source: str) -> HttpResponse:
    """The source's funnel, what it is, and what is left of it: its scenarios or concepts."""
    study, found = coordinated(request, slug), source_named(source)
    is_of_concepts = found.kind == Source.Kind.CONCEPTS
    context = {
        "study": study,
        "page": selectors.source_page(found, study),
        **(_concepts(request, found) if is_of_concepts else _scenarios(request, found)),
    }
    return render(request, "sources/source.html", context)


def _concepts(request: PersonRequest, source: Source) -> dict[str, Any]:
    return {
        "concepts": selectors.concepts_of(source),
        "documents": selectors.documents_of(source),
        "open_proposals": open_proposals(source),
        "has_proposals": has_proposals(source),
        "stays_because": why_not_change_concepts(request.user, source),
    }


def _scenarios(request: PersonRequest, source: Source) -> dict[str, Any]:
    stratum, words = asked_for(request, "stratum"), asked_for(request, "words")
    found = selectors.scenarios_of(source, stratum=stratum, words=words)
    page = Paginator(found, SCENARIOS_ON_A_PAGE).get_page(request.GET.get("page"))
    shape = SHAPES[cast(ShapeName, source.shape)]
    return {
        "stratum": stratum,
        "words": words,
        "scenario_page": page,
        "scenarios": [selectors.scenario_line(scenario, shape) for scenario in page],
    }


@require_safe
@never_cache
@login_required
def removed(request: PersonRequest, slug: str, source: str, step: int) -> HttpResponse:
    """What a step removed: all of it, what one of its rules did, what has some words in it."""
    study, found = coordinated(request, slug), source_named(source)
    steps = selectors.steps_of(found)
    if not 0 < step < len(steps):
        raise Http404
    rule, words = asked_for(request, "rule"), asked_for(request, "words")
    rule = rule if rule in dict(steps[step].rules) else ""
    ids = selectors.removed_ids(found, step, rule=rule, words=words)
    page = Paginator(ids, REMOVED_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "source": found,
        "step": steps[step],
        "rule": rule,
        "words": words,
        "page": page,
        "items": selectors.removed_items(list(page)),
    }
    return render(request, "sources/removed.html", context)


@person_posts
def source_use(request: PersonRequest, slug: str) -> HttpResponse:
    """Let the study draw on a source that is there already."""
    study, found = coordinated(request, slug), source_named(request.POST.get("source", ""))

    def verb() -> str:
        services.use_source(study=study, source=found, by=request.user)
        return f"The study draws on {found.name}."

    attempt_and_tell(request, verb)
    return redirect("pool_sources", slug)


@person_posts
def source_drop(request: PersonRequest, slug: str, source: str) -> HttpResponse:
    study, found = coordinated(request, slug), source_named(source)

    def verb() -> str:
        services.drop_source(study=study, source=found, by=request.user)
        return f"The study does not draw on {found.name} any more. It stays on the site."

    attempt_and_tell(request, verb)
    return redirect("pool_sources", slug)
