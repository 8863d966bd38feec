"""What is known of the size of a study's trials: its own design, and the variance that was found."""

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from analysis.report.selectors.runs import newest_finished, report_of
from analysis.trials.core.trial_report import TrialReport
from analysis.trials.sections import TRIALS
from annotation.platform.core.phrases import counted
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.calls.models import Attempt, Call, GenerationRun
from generation.trials.core.cases import SECONDS_PER_CALL
from generation.trials.models import TrialScenario
from generation.trials.selectors.designs import approaches_of, conditions_of, design_of
from generation.trials.services.loads import load_of

Purpose: Final = GenerationRun.Purpose
ASSUMED_SD: Final = 5.0


@dataclass(frozen=True)
class Billed:
    """What calls of a kind took in the study: so many that have an outcome and a known bill, the mean `price` of
    one in $, with its failed attempts, and the mean of its `seconds`; None where nothing tells them. Beside these
    there are calls of `unknown` cost, of which an attempt is assumed to have cost what it could at worst.
    """

    calls: int
    price: float
    seconds: float | None
    unknown: int

    @property
    def words(self) -> str:
        said = f"the mean of {counted(self.calls, 'call')}, failed attempts among them"
        left_out = f"; {counted(self.unknown, 'call')} of unknown cost left out" if self.unknown else ""
        return f"Billed so far in this study: {said}{left_out}."


def billed(study: Study, purpose: str) -> Billed | None:
    """None before anything was billed for certain."""
    ended = _ended(study, purpose)
    calls = ended.exclude(Exists(Attempt.objects.filter(call=OuterRef("pk"), is_assumed=True)))
    spent = Attempt.objects.filter(call__in=calls.values("pk")).aggregate(
        cost=Sum("cost"), timed=Count("pk", filter=Q(milliseconds__isnull=False)), took=Sum("milliseconds")
    )
    number = calls.count()
    if not number or spent["cost"] is None:
        return None
    seconds = spent["took"] / number / 1000 if spent["timed"] else None
    return Billed(number, float(spent["cost"]) / number, seconds, ended.count() - number)


def _ended(study: Study, purpose: str) -> QuerySet[Call]:
    return Call.objects.filter(run__study=study, run__purpose=purpose, state__in=("accepted", "failed"))


def sources_of(study: Study) -> dict[str, str]:
    """Where the prices of `present_factors` and the seconds are from, in words."""
    answers, scores = billed(study, Purpose.TRIAL_ANSWER), billed(study, Purpose.TRIAL_SCORE)
    load = load_of(study)
    prices = [each.cost for each in load.approaches]
    return {
        "answer_price": (
            answers.words
            if answers
            else _assumed(_ended(study, Purpose.TRIAL_ANSWER).count(), is_known=load.answers_cost is not None)
        ),
        "score_price": (
            scores.words
            if scores
            else _assumed(_ended(study, Purpose.TRIAL_SCORE).count(), is_known=bool(prices) and None not in prices)
        ),
        "seconds": (
            "As the study’s calls took so far, one after the other."
            if any(each and each.seconds for each in (answers, scores))
            else "Assumed. One call after the other."
        ),
    }


def _assumed(ended: int, *, is_known: bool) -> str:
    """`ended` calls have an outcome, and nothing tells what any of them was billed."""
    if not is_known:
        return "No price is known yet: say one."
    why = f"the bill of none of {counted(ended, 'call')} so far is known" if ended else "nothing was billed yet"
    return f"Assumed from the models’ prices and the length of texts: {why}."


def report_of_trials(study: Study) -> TrialReport | None:
    """The report on trials of the newest analysis; `None` where there is none, or it has nothing of trials."""
    run = newest_finished(study)
    report = report_of(run) if run else None
    return report[TRIALS] if report is not None and TRIALS in report else None


def rounded(amount: float) -> float:
    """The number rounded to three significant digits."""
    return float(f"{amount:.3g}")


def present_factors(study: Study) -> dict[str, Any]:
    """The study as it is designed; of a study without scenarios, the protocol's validation. Prices are those that
    were billed, and before that follow from the models'.
    """
    design, load = design_of(study), load_of(study)
    scenarios = TrialScenario.objects.filter(study=study).count()
    priced = load.answers + load.control_answers
    evaluations = load.evaluator_calls
    prices = [each.cost for each in load.approaches]
    is_known = all(price is not None for price in prices)
    answers, scores = billed(study, Purpose.TRIAL_ANSWER), billed(study, Purpose.TRIAL_SCORE)
    timed = [each for each in (answers, scores) if each and each.seconds]
    calls = sum(each.calls for each in timed)
    took = sum((each.seconds or 0.0) * each.calls for each in timed)
    return {
        "scenarios": max(scenarios, 2) if load.cases else 8,
        "cases": max(load.cases, scenarios, 2) if load.cases else 14,
        "conditions": load.conditions,
        "controls": len(conditions_of(design).controls),
        "answers": 1,
        "evaluators": load.evaluators or study.panel_judge_models,
        "repeats": 1,
        "ratings": study.ratings_per_prompt,
        "answer_price": rounded(answers.price if answers else (load.answers_cost or 0.0) / max(priced, 1)),
        "score_price": rounded(
            scores.price if scores else sum(filter(None, prices)) / max(evaluations, 1) if is_known else 0.0
        ),
        "seconds": rounded(took / calls) if calls else SECONDS_PER_CALL,
        "minutes": study.minutes_per_item,
        "margin": design.margin,
        "smallest_effect": design.smallest_effect,
        "sd": ASSUMED_SD,
        "approaches": [letter for letter, *_ in approaches_of(rubric_by_hash(study.rubric_id))],
    }
