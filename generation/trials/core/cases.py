"""Cases: which model answers which scenario, and how much a design asks of models and people."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Final

from annotation.platform.core.phrases import counted
from annotation.platform.core.text import sha256_hex

CODE: Final = "CASE"
DOMAIN: Final = "Cases"
SECONDS_PER_CALL: Final = 20  # assumed where hours are shown, one call after the other


@dataclass(frozen=True)
class CaseNeed:
    """A scenario and a model that answers it, by their names, with the code of their prompt."""

    scenario: str
    model: str
    code: str


def allot_cases(
    scenarios: Sequence[tuple[str, bool]], models: Collection[str], *, per_new: int, per_known: int, seed: int
) -> tuple[CaseNeed, ...]:
    """Cases in the order of their codes, which tells neither scenarios nor models.

    Of the scenarios (key, whether it is new) each has `per_new` or `per_known` different models, or all where there
    are fewer; models take turns, in an order drawn with the seed, so that each answers about as often.
    """
    drawn = sorted(models, key=lambda model: sha256_hex(f"{seed}\x1fmodel\x1f{model}"))
    turns = cycle(drawn)
    pairs = []
    for key, is_new in scenarios:
        number = min(per_new if is_new else per_known, len(drawn))
        pairs += [(key, model) for model in islice(turns, number)]
    pairs.sort(key=lambda pair: sha256_hex(f"{seed}\x1fcase\x1f{pair[0]}\x1f{pair[1]}"))
    return tuple(CaseNeed(*pair, f"{CODE}_{number:02}") for number, pair in enumerate(pairs, start=1))


def left_unjudged(conditions: int, *, in_an_item: int, ratings: int) -> str:
    """What is wrong, in words, where people judge a case so often and see so many of its answers in an item; ""
    where each answer is judged, or nobody judges.
    """
    if not ratings or in_an_item == conditions:
        return ""
    if in_an_item > conditions:
        return (
            f"Items show {in_an_item} answers, and a case has {conditions}: judging cannot open. Show {conditions} "
            "model answers in an item, or 1."
        )
    if in_an_item > 1:
        return (
            f"Items show {in_an_item} of the {conditions} answers to a case: of each case nobody judges the other "
            f"{conditions - in_an_item}. Show {conditions} model answers in an item, or 1."
        )
    if ratings < conditions:
        return (
            f"Judges see one answer to a case, so that {counted(ratings, 'rating')} of each prompt cannot cover "
            f"{conditions} conditions: of each case nobody judges {counted(conditions - ratings, 'answer')}. "
            f"Ask for {conditions} ratings of each prompt, or a multiple."
        )
    return ""


@dataclass(frozen=True)
class ApproachLoad:
    """Calls of one way to ask evaluators, all of them together; `cost` in $, None where a price is not known."""

    letter: str
    key: str
    name: str
    calls: int
    cost: float | None


@dataclass(frozen=True)
class TrialLoad:
    """What a design takes. `answers` are those judged, beside them `control_answers`; costs in $.

    `people_hours` are judges', `model_hours` those of all calls, one after the other. `caution` says which answers
    nobody judges, "" where there are no such answers.
    """

    cases: int
    conditions: int
    answers: int
    control_answers: int
    answers_cost: float | None
    evaluators: int
    approaches: tuple[ApproachLoad, ...]
    people_hours: float
    caution: str = ""

    @property
    def evaluator_calls(self) -> int:
        return sum(each.calls for each in self.approaches)

    @property
    def calls(self) -> int:
        return self.answers + self.control_answers + self.evaluator_calls

    @property
    def seconds_per_call(self) -> int:
        return SECONDS_PER_CALL

    @property
    def model_hours(self) -> float:
        return self.calls * self.seconds_per_call / 3600

    @property
    def cost(self) -> float | None:
        costs = [self.answers_cost, *(each.cost for each in self.approaches)]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if len(known) == len(costs) else None
