"""How large trials would be, and what they can be expected to show."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from analysis.report.selectors.runs import newest_finished, report_of
from analysis.report.sizing_forms import SizingForm
from analysis.trials.core.sizing import Asked, half_width, power_of_difference, power_of_equality, size
from analysis.trials.core.trial_report import TrialReport
from analysis.trials.sections import TRIALS
from annotation.platform.views import PersonRequest
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.study.policies.roles import can_coordinate, can_research, check_role
from annotation.study.policies.unblinding import is_unblinded
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.study.views.membership import own_participation
from generation.trials.core.cases import SECONDS_PER_CALL
from generation.trials.models import TrialScenario
from generation.trials.selectors.designs import approaches_of, conditions_of, design_of
from generation.trials.services.loads import load_of

LEVEL = 0.95
ASSUMED_SD = 5.0


@dataclass(frozen=True)
class Expected:
    """On a dimension, with so many scenarios that spread by `sd` points: half of the interval of a condition less
    the baseline, and the chance, 0 to 1, of what is tested there: `is_equality`, or else a difference.
    """

    dimension: str
    sd: float
    half_width: float
    is_equality: bool
    chance: float


@require_safe
@login_required
@never_cache
def trial_sizing(request: PersonRequest, slug: str) -> HttpResponse:
    """Calls, cost, hours and widths of intervals for any numbers; nothing is kept."""
    study = own_participation(request, slug).study
    check_role(request.user, study, Role.COORDINATOR, Role.RESEARCHER)
    found = _found(study) if is_unblinded(study) and can_research(request.user, study) else None
    approaches = [
        (letter, name, calls) for letter, _, name, calls in approaches_of(rubric_by_hash(study.rubric_id))
    ]
    spreads = found.spreads if found else ()
    is_asked = "cases" in request.GET
    form = SizingForm(approaches, request.GET if is_asked else _present(study), needs_spread=not spreads)
    context: dict[str, Any] = {
        "study": study,
        "form": form,
        "is_found": bool(spreads),
        "coordinates": can_coordinate(request.user, study),
    }
    if form.is_valid():
        asked = form.asked
        taken = size(asked)
        context |= {
            "asked": asked,
            "size": taken,
            "approaches": [
                (letter, name, taken.calls[letter], taken.costs[letter])
                for letter, name, _ in approaches
                if letter in taken.calls
            ],
            "expected": list(_expected(form.cleaned_data, asked, found)),
            "margin": form.cleaned_data["margin"],
            "smallest_effect": form.cleaned_data["smallest_effect"],
        }
    return render(request, "trials/sizing.html", context, status=200 if form.is_valid() else 400)


def _found(study: Study) -> TrialReport | None:
    run = newest_finished(study)
    report = report_of(run) if run else None
    return report[TRIALS] if report is not None and TRIALS in report else None


def _present(study: Study) -> dict[str, Any]:
    """The study as it is designed; of a study without scenarios, the protocol's validation."""
    design, load = design_of(study), load_of(study)
    scenarios = TrialScenario.objects.filter(study=study).count()
    priced = load.answers + load.control_answers
    evaluations = load.evaluator_calls
    prices = [each.cost for each in load.approaches]
    is_known = all(price is not None for price in prices)
    return {
        "scenarios": max(scenarios, 2) if load.cases else 8,
        "cases": max(load.cases, scenarios, 2) if load.cases else 14,
        "conditions": load.conditions,
        "controls": len(conditions_of(design).controls),
        "answers": 1,
        "evaluators": load.evaluators or study.panel_judge_models,
        "repeats": 1,
        "ratings": study.ratings_per_prompt,
        "answer_price": round((load.answers_cost or 0.0) / priced, 5) if priced else 0,
        "score_price": round(sum(filter(None, prices)) / evaluations, 5) if evaluations and is_known else 0,
        "seconds": SECONDS_PER_CALL,
        "minutes": study.minutes_per_item,
        "margin": design.margin,
        "smallest_effect": design.smallest_effect,
        "sd": ASSUMED_SD,
        "approaches": [letter for letter, *_ in approaches_of(rubric_by_hash(study.rubric_id))],
    }


def _expected(said: dict[str, Any], asked: Asked, found: TrialReport | None) -> Iterator[Expected]:
    scenarios, tests = said["scenarios"], asked.conditions - 1
    models = asked.cases / scenarios
    if found and found.spreads:
        of_dimensions = {
            each.dimension: each.sd(
                models=models, evaluators=asked.evaluators, answers=asked.answers, repeats=asked.repeats
            )
            for each in found.spreads
        }
        integrity = found.integrity
    else:
        of_dimensions, integrity = {"integrity": said["sd"], "transparency": said["sd"]}, "integrity"
    for dimension, sd in of_dimensions.items():
        is_equality = dimension == integrity
        yield Expected(
            dimension.replace("_", " ").capitalize(),
            sd,
            half_width(sd, scenarios, LEVEL),
            is_equality,
            power_of_equality(sd, scenarios, said["margin"], LEVEL)
            if is_equality
            else power_of_difference(sd, scenarios, said["smallest_effect"], tests=tests, level=LEVEL),
        )
