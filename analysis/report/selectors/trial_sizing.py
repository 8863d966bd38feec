"""What is known of the size of a study's trials: its own design, and the variance that was found."""

from typing import Any, Final

from analysis.report.selectors.runs import newest_finished, report_of
from analysis.trials.core.trial_report import TrialReport
from analysis.trials.sections import TRIALS
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.trials.core.cases import SECONDS_PER_CALL
from generation.trials.models import TrialScenario
from generation.trials.selectors.designs import approaches_of, conditions_of, design_of
from generation.trials.services.loads import load_of

ASSUMED_SD: Final = 5.0


def report_of_trials(study: Study) -> TrialReport | None:
    """Of the newest analysis; `None` where there is none, or it has nothing of trials."""
    run = newest_finished(study)
    report = report_of(run) if run else None
    return report[TRIALS] if report is not None and TRIALS in report else None


def present_factors(study: Study) -> dict[str, Any]:
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
