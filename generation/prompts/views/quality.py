"""What models and people make of the prompts."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.platform.views import PersonRequest
from annotation.study.views.membership import coordinated
from generation.prompts.core.quality import SCHEMES
from generation.prompts.selectors.coverage import coverage_of, too_technical
from generation.prompts.selectors.quality import quality_of


@require_safe
@login_required
@never_cache
def quality(request: PersonRequest, slug: str) -> HttpResponse:
    study = coordinated(request, slug)
    context = {
        "study": study,
        "quality": quality_of(study),
        "schemes": SCHEMES,
        "coverage": coverage_of(study),
        "too_technical": too_technical(study),
    }
    return render(request, "prompts/quality.html", context)
