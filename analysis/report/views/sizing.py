"""How large trials would be, and what they can be expected to show."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from analysis.report.selectors.trial_sizing import present_factors, report_of_trials, sources_of
from analysis.report.sizing_forms import SizingForm
from analysis.sections.exhibits.wording import dimension_name
from analysis.trials.core.sizing import Asked, expected, size
from analysis.trials.core.trial_report import TrialReport
from annotation.platform.views import PersonRequest
from annotation.study.policies.roles import can_coordinate, can_research
from annotation.study.policies.unblinding import is_unblinded
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.study.views.membership import supervised
from generation.trials.selectors.designs import approaches_of


@require_safe
@login_required
@never_cache
def trial_sizing(request: PersonRequest, slug: str) -> HttpResponse:
    """Calls, cost, hours and widths of intervals for any numbers; nothing is kept."""
    study = supervised(request, slug)
    found = report_of_trials(study) if is_unblinded(study) and can_research(request.user, study) else None
    approaches = [
        (letter, name, calls) for letter, _, name, calls in approaches_of(rubric_by_hash(study.rubric_id))
    ]
    spreads = found.spreads if found else ()
    is_asked = "cases" in request.GET
    form = SizingForm(
        approaches,
        request.GET if is_asked else present_factors(study),
        sources=sources_of(study),
        needs_spread=not spreads,
    )
    context: dict[str, Any] = {
        "study": study,
        "form": form,
        "is_found": bool(spreads),
        "coordinates": can_coordinate(request.user, study),
    }
    if form.is_valid():
        asked, said = form.asked, form.cleaned_data
        taken = size(asked)
        context |= {
            "asked": asked,
            "size": taken,
            "approaches": [
                (letter, name, taken.calls[letter], taken.costs[letter])
                for letter, name, _ in approaches
                if letter in taken.calls
            ],
            "expected": [
                (found.called(each.dimension) if found else dimension_name(each.dimension), each)
                for each in expected(
                    asked,
                    _sds(asked, said, found),
                    scenarios=said["scenarios"],
                    integrity=found.integrity if found and found.spreads else "integrity",
                    margin=said["margin"],
                    smallest_effect=said["smallest_effect"],
                )
            ],
            "margin": said["margin"],
            "smallest_effect": said["smallest_effect"],
        }
    return render(request, "trials/sizing.html", context, status=200 if form.is_valid() else 400)


def _sds(asked: Asked, said: Mapping[str, Any], found: TrialReport | None) -> dict[str, float]:
    """Standard deviations by dimension: as was found for numbers such as these, or else as is assumed."""
    if found is None or not found.spreads:
        return {"integrity": said["sd"], "transparency": said["sd"]}
    models = asked.cases / said["scenarios"]
    numbers = {"evaluators": asked.evaluators, "answers": asked.answers, "repeats": asked.repeats}
    return {each.dimension: each.sd(models=models, **numbers) for each in found.spreads}
