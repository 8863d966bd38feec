"""The report of an analysis: a tree whose leaves are figures, each with its interval or the reason why it has none.

`masked_report` and `full_report` compute it; pages, tables, pictures, texts and files are views of it and compute
nothing. On one kind of processor the same data and parameters give the same report to the last digit.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from analysis.agreement.core.agreement import AgreementSummary, PromptAgreement
from analysis.agreement.core.dimensions import Component, Correlation
from analysis.agreement.core.evaluators import EvaluatorAgreement
from analysis.agreement.core.judges import Severity
from analysis.blinding.core.blinding_index import BlindingIndices
from analysis.blinding.core.leak_report import SourceLeak
from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate
from analysis.outcomes.core.calibration import Attribution, QualityFloor
from analysis.outcomes.core.outcomes import (
    DimensionOutcome,
    HeadToHead,
    ModelFirst,
    ModelHumanPairs,
    PromptOutcome,
    SourceOutcome,
)
from analysis.outcomes.core.paired_comparison import Strengths
from analysis.outcomes.core.participants import ParticipantGroup
from analysis.panel.core.panel_report import PanelReport


@dataclass(frozen=True, slots=True)
class Data:
    """What was analysed. Of the judgments, `scored` have a score for every answer and `ranked` a rank for one at
    least; `reranked` are those whose scores order the answers otherwise than the ranks given.

    `is_scale_inferred`: nobody told the ends of the scale, so that it was taken from the scores.
    """

    rows: int
    prompts: int
    judges: int
    judgments: int
    answers: int
    dimensions: tuple[str, ...]
    scale: tuple[float, float]
    is_scale_inferred: bool
    item_types: Mapping[str, int]
    scored: int
    ranked: int
    reranked: int
    draws: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of all prompts or of one domain's. `permutation_p` is of the mean W over the answers all judges ranked.

    `icc` has the intraclass correlations of scores, answers × judges of a prompt, of components of variance pooled
    over prompts, as `intraclass.COEFFICIENTS`.
    """

    summary: AgreementSummary
    permutation_p: Estimate
    icc: Mapping[str, Estimate]
    prompts: tuple[PromptAgreement, ...]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Of all prompts or of one domain's.

    `lead` is by how many points of the scale models' answers were scored above people's, judgment by judgment.
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


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """A judge's severity, and the figures of agreement if that judge were left out; `r_without` is the mean
    pairwise correlation of mean scores (see `evaluators`).
    """

    severity: Severity
    w_without: Estimate
    tau_b_without: Estimate
    alpha_without: Estimate
    r_without: Estimate


@dataclass(frozen=True, slots=True)
class Precision:
    """What so many `more` judges would bring: the standard error of the models' lead over people, in points, and
    how far its interval would `reach` to either side.
    """

    more: int
    se: Estimate
    reach: Estimate


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """`evaluators` has the mean of the dimensions first, then each of them."""

    correlations: tuple[Correlation, ...]
    components: tuple[Component, ...]
    evaluators: tuple[EvaluatorAgreement, ...]
    judges: tuple[JudgeLine, ...]


@dataclass(frozen=True, slots=True)
class Sources:
    """What can be said once it is known who wrote what. `outcomes` by scope; `prompts` one by one.

    `guesses` counts them by true source and guess (`blinding_index.SOURCES` × `GUESSES`).
    """

    outcomes: Mapping[str, Outcomes]
    prompts: tuple[PromptOutcome, ...]
    floor: QualityFloor
    attribution: tuple[Attribution, ...]
    precision: tuple[Precision, ...]
    blinding: BlindingIndices
    guesses: tuple[tuple[int, int, int], ...]
    leaks: tuple[SourceLeak, ...]
    panel: tuple[PanelReport, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """`agreement` by scope: `WHOLE` and the domains. Without `sources` the report is of masked judgments.

    `participants` are those whose profiles are known; there are none in a file of judgments.
    """

    parameters: Parameters
    data: Data
    agreement: Mapping[str, Agreement]
    diagnostics: Diagnostics
    participants: tuple[ParticipantGroup, ...] = ()
    sources: Sources | None = None


@dataclass(frozen=True)
class Progress:
    """Told, as work goes on, what is done and out of how many steps."""

    tell: Callable[[str, int, int], None] = field(default=lambda _what, _done, _of: None)


SILENT: Final = Progress()
