"""How different the prompts of a scenario are."""

import re
from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from annotation.platform.views import PersonRequest, asked_for, taken
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.prompts.core.diversity import MIXED, STAGES, Mixed, Stage
from generation.prompts.core.quality import SCHEMES
from generation.prompts.forms.reviews import ComparisonForm
from generation.prompts.selectors import diversity as selectors
from generation.prompts.services import pool, reviews
from generation.prompts.views.candidates import scheme_asked_for

AN_ID = re.compile(r"\d{1,18}")


@require_safe
@login_required
@never_cache
def diversity(request: PersonRequest, slug: str) -> HttpResponse:
    """Diversity of the prompts that the address asks for, or else of those that the study's own rules name."""
    study = coordinated(request, slug)
    asked = _asked(request, study)
    context = {
        "study": study,
        "asked": asked,
        "stages": STAGES,
        "schemes": SCHEMES,
        "mixed": MIXED,
        "page": selectors.diversity_of(study, asked, person=request.user),
    }
    return render(request, "prompts/diversity/diversity.html", context)


def _asked(request: PersonRequest, study: Study) -> selectors.Asked:
    stage, mixed = asked_for(request, "stage"), asked_for(request, "mixed")
    own_stage = "after" if study.diversity_after_filter else "before"
    return selectors.Asked(
        stage=cast(Stage, stage if stage in STAGES else own_stage),
        scheme=scheme_asked_for(request, study),
        mixed=cast(Mixed, mixed if mixed in MIXED else study.mixed_pair_evaluators),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def compare(request: PersonRequest, slug: str) -> HttpResponse:
    """The next pair for the person to compare, or the one the address names. What models say comes afterwards."""
    study = coordinated(request, slug)
    pair = _pair(request, study)
    context = {"study": study, "pair": pair, "closed": pool.closed_in(study)}
    if pair is None:
        return render(request, "prompts/diversity/compare.html", context)
    if request.method != "POST":
        own = {"is_equivalent": pair.own.is_equivalent, "reason": pair.own.reason} if pair.own else {}
        return render(request, "prompts/diversity/compare.html", context | {"form": ComparisonForm(initial=own)})
    form = ComparisonForm(request.POST)

    def verb() -> None:
        reviews.compare_pair(first=pair.first, second=pair.second, by=request.user, **form.cleaned_data)

    if taken(form, verb):
        address = reverse("compare_pairs", args=[study.slug])
        return redirect(f"{address}?first={pair.first.pk}&second={pair.second.pk}#said")
    return render(request, "prompts/diversity/compare.html", context | {"form": form}, status=400)


def _pair(request: PersonRequest, study: Study) -> selectors.PairPage | None:
    """The pair that the address names; the next one of this person's sample without; `None` when all are done."""
    named = [asked_for(request, name) for name in ("first", "second")]
    if not any(named):
        return selectors.next_pair(study, person=request.user)
    if not all(map(AN_ID.fullmatch, named)):
        raise Http404
    first, second = map(int, named)
    found = selectors.pair_page(study, first=first, second=second, person=request.user)
    if found is None:
        raise Http404
    return found
