"""How people and models fared, over all prompts, in each domain and on every prompt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from analysis.data.core.judgment_frame import HUMAN
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Estimate
from analysis.outcomes.core.davidson import davidson
from analysis.outcomes.core.outcomes import (
    AnswerOutcome,
    DimensionOutcome,
    HeadToHead,
    ModelFirst,
    ModelHumanPairs,
    PromptOutcome,
    SourceOutcome,
    heads,
    lead_of_models,
    model_first,
    model_human_pairs,
    outcomes_by_answer,
    outcomes_by_prompt,
    outcomes_by_source,
    prompts_led_by_models,
    score_card,
)
from analysis.outcomes.core.paired_comparison import Clusters, Strengths
from analysis.outcomes.core.plackett_luce import plackett_luce
from analysis.sections.core.inputs import Unblinded
from analysis.uncertainty.core.crossed import with_more_judges
from analysis.uncertainty.core.judgment_arrays import JudgmentArrays

STAGE: Final = "outcomes"
MORE_JUDGES: Final = (0, 5, 10, 20)
MAX_ANSWERS: Final = 2_000  # that a picture shows one by one


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Outcomes over all prompts, or over one domain's.

    `lead` is how many points of the scale models' answers were scored above people's, judgment by judgment.
    `strengths` are Davidson's, over pairs of answers of a judgment by different sources; `plackett_luce` those of
    its whole rankings.
    """

    sources: tuple[SourceOutcome, ...]
    card: tuple[DimensionOutcome, ...]
    lead: Estimate
    pairs: ModelHumanPairs
    heads: tuple[HeadToHead, ...]
    first: ModelFirst
    led_by_models: Estimate
    strengths: Strengths
    plackett_luce: Strengths

    @property
    def has_both(self) -> bool:
        """Whether there are answers by people and by models, that one can be held against the other."""
        return len({each.source == HUMAN for each in self.sources}) > 1


@dataclass(frozen=True, slots=True)
class AllOutcomes:
    """`outcomes` by scope: `WHOLE` and the domains; `prompts` one by one."""

    outcomes: Mapping[str, Outcomes]
    prompts: tuple[PromptOutcome, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to all prompts, for a picture; none where they are more than MAX_ANSWERS."""

    answers: tuple[AnswerOutcome, ...]


@dataclass(frozen=True, slots=True)
class Precision:
    """What so many `more` judges would bring: the standard error of the models' lead over people, in points, and
    how far its interval would `reach` to either side.
    """

    more: int
    se: Estimate
    reach: Estimate


@dataclass(frozen=True, slots=True)
class Precisions:
    precision: tuple[Precision, ...]


def all_outcomes(unblinded: Unblinded) -> AllOutcomes:
    asked = unblinded.parameters
    outcomes, prompts = {}, []
    for scope, rows in unblinded.by_scope(STAGE):
        judged = JudgmentArrays.of(rows, as_given=asked.mode == "paper", scale=asked.scale)
        outcomes[scope] = _outcomes(judged, asked)
        if scope == WHOLE:
            prompts = outcomes_by_prompt(judged, level=asked.level)
    return AllOutcomes(outcomes, tuple(prompts))


def answers_one_by_one(unblinded: Unblinded) -> Answers:
    answers = outcomes_by_answer(unblinded.standard, as_given=unblinded.parameters.mode == "paper")
    return Answers(tuple(answers) if len(answers) <= MAX_ANSWERS else ())


def precision_of_the_lead(unblinded: Unblinded) -> Precisions:
    level = unblinded.parameters.level
    lead = lead_of_models(JudgmentArrays.of(unblinded.standard, scale=unblinded.parameters.scale), level=level)
    return Precisions(tuple(Precision(more, *with_more_judges(lead, more, level=level)) for more in MORE_JUDGES))


def _outcomes(judged: JudgmentArrays, parameters: Parameters) -> Outcomes:
    level, clusters = parameters.level, Clusters(judged.prompts, judged.judges)
    return Outcomes(
        sources=tuple(outcomes_by_source(judged, level=level)),
        card=tuple(score_card(judged, level=level)),
        lead=lead_of_models(judged, level=level).mean,
        pairs=model_human_pairs(judged, level=level),
        heads=tuple(heads(judged, level=level)),
        first=model_first(judged, level=level),
        led_by_models=prompts_led_by_models(judged, draws=parameters.draws, seed=parameters.seed, level=level),
        strengths=davidson(judged.sources, *judged.between_sources, clusters=clusters, level=level),
        plackett_luce=plackett_luce(
            judged.sources, judged.ranked_sources, judged.ranks, clusters=clusters, level=level
        ),
    )
