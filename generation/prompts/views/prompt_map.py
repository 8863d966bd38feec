"""Prompts on a map."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.platform.views import PersonRequest, person_posts, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.prompts.core.map_picture import LINE, SIZE, picture
from generation.prompts.core.prompt_map import Drawing
from generation.prompts.forms.prompt_maps import MapForm, ShownForm
from generation.prompts.models import PromptMap
from generation.prompts.selectors.prompt_maps import (
    legend,
    maps_of,
    prompt_lines,
    sources_with_prompts,
    star,
    written_since,
)
from generation.prompts.services import prompt_maps
from generation.sources.models import Scenario

PROMPTS_ON_A_PAGE = 50


@require_safe
@login_required
@never_cache
def prompt_map(request: PersonRequest, slug: str) -> HttpResponse:
    """The newest map, or the one asked for. htmx asks for the table of what is shown, and whether it is drawn."""
    study = coordinated(request, slug)
    context = _context(request, study)
    if not request.htmx:
        return render(request, "prompts/map/map.html", context)
    shown = context["map"]
    if shown is None:
        raise Http404
    if "waiting" in request.GET or shown.drawn_at is None:
        is_waiting = shown.drawn_at is None and not shown.problem
        return HttpResponse(status=204) if is_waiting else HttpResponseClientRefresh()
    return render(request, "prompts/map/map.html#prompts", context)


@person_posts
def draw(request: PersonRequest, slug: str) -> HttpResponse:
    """Have a map drawn; what cannot be taken is shown again."""
    study = coordinated(request, slug)
    form = MapForm(study, request.POST)
    asked: list[PromptMap] = []
    if taken(
        form, lambda: asked.append(prompt_maps.ask_for_map(study=study, by=request.user, **form.cleaned_data))
    ):
        return redirect(f"{reverse('prompt_map', args=[slug])}?map={asked[0].pk}")
    return render(request, "prompts/map/map.html", _context(request, study, form), status=400)


@require_safe
@login_required
@never_cache
@gzip_page
def points(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """All that is on the map, as the service has kept it."""
    return JsonResponse(_drawn(request, slug, pk).drawing)


@require_safe
@login_required
@never_cache
def scenario_texts(request: PersonRequest, slug: str, pk: int, scenario: int) -> HttpResponse:
    """What a scenario and the prompts written from it say."""
    drawn = _drawn(request, slug, pk)
    return JsonResponse(star(drawn, get_object_or_404(Scenario, pk=scenario, source=drawn.source_id)))


@require_safe
@login_required
@never_cache
def picture_file(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """What is shown of the map, as a file that needs no other."""
    drawn = _drawn(request, slug, pk)
    drawing = Drawing.of(drawn.drawing)
    shown = ShownForm(drawing, request.GET).taken()
    context = {
        "map": drawn,
        "picture": picture(drawing, shown),
        "size": SIZE,
        "line": LINE,
        "stratum": None if shown.stratum is None else drawing.strata[shown.stratum],
    }
    name = f"prompt-map-{slug}-{drawn.source.slug}.svg"
    headers = {"Content-Disposition": f'inline; filename="{name}"'}
    return HttpResponse(
        render_to_string("prompts/map/map.svg", context), content_type="image/svg+xml", headers=headers
    )


def _drawn(request: PersonRequest, slug: str, pk: int) -> PromptMap:
    study = coordinated(request, slug)
    maps = PromptMap.objects.filter(study=study, drawn_at__isnull=False).select_related("study", "source")
    return get_object_or_404(maps, pk=pk)


def _context(request: PersonRequest, study: Study, form: MapForm | None = None) -> dict[str, Any]:
    maps = list(maps_of(study))
    asked = request.GET.get("map")
    shown = next((each for each in maps if asked in (None, str(each.pk))), None)
    if asked and not shown:
        raise Http404
    return {
        "study": study,
        "maps": maps,
        "map": shown,
        "form": form or MapForm(study),
        "has_prompts": sources_with_prompts(study).exists(),
        **(_drawing(request, shown) if shown and shown.drawn_at else {}),
    }


def _drawing(request: PersonRequest, drawn: PromptMap) -> dict[str, Any]:
    drawing = Drawing.of(drawn.drawing)
    shown = ShownForm(drawing, request.GET).taken()
    page = Paginator(shown.prompts(drawing), PROMPTS_ON_A_PAGE).get_page(request.GET.get("page"))
    return {
        "drawing": drawing,
        "legend": legend(drawing),
        "shown": shown,
        "page": page,
        "prompts": prompt_lines(drawing, list(page)),
        "written_since": written_since(drawn, drawing),
    }
