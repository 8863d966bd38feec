"""From sources to prompts, at a glance."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.platform.views import PersonRequest
from annotation.study.views.membership import coordinated
from generation.prompts.selectors.pool import pool_of
from generation.prompts.selectors.pool_steps import way_steps


@require_safe
@login_required
@never_cache
def pool(request: PersonRequest, slug: str) -> HttpResponse:
    """Where the study stands at each step, how much is left of each source, and what comes next."""
    study = coordinated(request, slug)
    found = pool_of(study)
    context = {"study": study, "pool": found, "steps": way_steps(study, found)}
    return render(request, "prompts/overview.html", context)
