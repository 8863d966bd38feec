"""How much a study's trials will take, before anything is asked."""

from collections.abc import Iterator, Sequence

from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.answers.services.answers import TOKENS_PER_TARGET_WORD
from generation.calls.core.estimates import Expected, estimator
from generation.catalogue.models import Target
from generation.catalogue.services.targets import price_of
from generation.panel.core.rubric_texts import rubric_text
from generation.panel.services.panel import EXPECTED_TOKENS
from generation.trials.core.cases import ApproachLoad, TrialLoad, allot_cases
from generation.trials.models import TrialCase, TrialScenario
from generation.trials.selectors.designs import (
    answering_models,
    approaches_of,
    caution_of,
    conditions_of,
    design_of,
    evaluators_of,
)
from generation.trials.services.scores import parts_told

CHARACTERS_PER_WORD = 7


def load_of(study: Study, *, repeats: int = 1) -> TrialLoad:
    """The load of the cases that are made, or would be; every evaluator scores each answer `repeats` times."""
    design = design_of(study)
    conditions = conditions_of(design)
    scenarios = list(TrialScenario.objects.filter(study=study))
    models, evaluators = answering_models(study), evaluators_of(study)
    cases = TrialCase.objects.filter(prompt__study=study).count() or len(
        allot_cases(
            [(scenario.key, scenario.is_new) for scenario in scenarios],
            [target.family for target in models],
            per_new=design.models_per_new,
            per_known=design.models_per_known,
            seed=design.seed,
        )
        if models
        else ()
    )
    answers, controls = cases * len(conditions.conditions), cases * len(conditions.controls)
    longest = max((len(scenario.text) for scenario in scenarios), default=0)
    told = max((len(each.text) for each in conditions.conditions), default=0)
    words = study.target_words
    rubric = rubric_by_hash(study.rubric_id)
    instrument = len(rubric_text(rubric, [each.key for each in rubric.dimensions], parts_told(rubric)))
    answer = _cost_of_one(study, models, longest + told, words * TOKENS_PER_TARGET_WORD)
    score = _cost_of_one(study, evaluators, longest + instrument + words * CHARACTERS_PER_WORD, EXPECTED_TOKENS)
    scored = (answers + controls) * repeats * len(evaluators)
    return TrialLoad(
        cases=cases,
        conditions=len(conditions.conditions),
        answers=answers,
        control_answers=controls,
        answers_cost=None if answer is None else answer * (answers + controls),
        evaluators=len(evaluators),
        approaches=tuple(
            ApproachLoad(letter, key, name, scored * number, None if score is None else score * scored * number)
            for letter, key, name, number in approaches_of(rubric)
        ),
        people_hours=cases * study.ratings_per_prompt * study.minutes_per_item / 60,
        caution=caution_of(study),
    )


def _cost_of_one(study: Study, targets: Sequence[Target], characters: int, tokens: int) -> float | None:
    """The cost of a call on average over the models, in $; None where one has no price, or there is no model."""
    costs = [each for each in _costs(study, targets, characters, tokens) if each is not None]
    return sum(costs) / len(costs) if costs and len(costs) == len(targets) else None


def _costs(study: Study, targets: Sequence[Target], characters: int, tokens: int) -> Iterator[float | None]:
    for target in targets:
        price = price_of(target)
        if price is None:
            yield None
        else:
            estimate = estimator(price, Expected(tokens), most=study.output_token_cap, in_batch=False)
            yield float(estimate(characters, 0).cost)
