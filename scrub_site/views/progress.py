"""Are we on time, who is stuck, what is at risk? A study's progress for its coordinator, joined from all apps."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.benchmarks.selectors.progress import audit_amounts
from annotation.coordination.selectors.at_risk import at_risk
from annotation.coordination.selectors.blocked import blocked, given_up
from annotation.coordination.selectors.heat_map import heat_map
from annotation.coordination.selectors.pace import course
from annotation.coordination.selectors.progress import texts_of, work_of
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.services.clock import database_now
from annotation.platform.views import PersonRequest
from annotation.study.models.studies import Study
from annotation.study.views.membership import coordinated
from generation.calls.selectors.run_concerns import run_concerns
from generation.model_steps import model_steps
from scrub_site.jobs import KINDS


@require_safe
@login_required
@never_cache
def progress(request: PersonRequest, slug: str) -> HttpResponse:
    """The whole page; htmx asks for what changes, and for a new page once the study is in another state."""
    study = coordinated(request, slug)
    if not request.htmx:
        return render(request, "coordination/progress.html", _context(study))
    if request.GET.get("state") != study.state:
        return HttpResponseClientRefresh()
    return render(request, "coordination/progress.html#now", _context(study))


def _context(study: Study) -> dict[str, Any]:
    now, works, texts = database_now(), work_of(study), texts_of(study)
    given_out = sorted(
        (work for work in works.values() if work.requested), key=lambda work: work.phase != study.state
    )
    return {
        "study": study,
        "is_open": STUDY.states.index(study.state) <= STUDY.states.index("judging"),
        "now": now,
        "courses": [course(work, study, now=now) for work in given_out],
        "of_models": [step for step in model_steps(study) if step.amount],
        "audit": audit_amounts(study) if study.audits_benchmarks else None,
        "maps": [heat_map(work) for work in given_out],
        "blocked": [*blocked(study, works, texts), *run_concerns(study), *given_up(study, KINDS)],
        "at_risk": at_risk(study, works, texts, now=now),
    }
