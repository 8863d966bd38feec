"""The rubric's dimensions: how they hang together, and how alike judges use them."""

from dataclasses import dataclass

from analysis.agreement.core.dimensions import Component, Correlation, correlations_and_components, of_consensus
from analysis.agreement.core.evaluators import EvaluatorAgreement, evaluator_agreement
from analysis.sections.core.inputs import Masked


@dataclass(frozen=True, slots=True)
class Rubric:
    correlations: tuple[Correlation, ...]
    components: tuple[Component, ...]


@dataclass(frozen=True, slots=True)
class Consensus:
    """Figures of the rubric over consensus scores, which are what most studies of rubrics publish."""

    consensus_correlations: tuple[Correlation, ...]
    consensus_components: tuple[Component, ...]


@dataclass(frozen=True, slots=True)
class Evaluators:
    """The mean of the dimensions first, then each of them."""

    evaluators: tuple[EvaluatorAgreement, ...]


def rubric(masked: Masked) -> Rubric:
    """Figures of the rubric over all ratings of ordinary items."""
    asked = masked.parameters
    found = correlations_and_components(masked.standard, draws=asked.draws, seed=asked.seed, level=asked.level)
    return Rubric(*found)


def of_answers(masked: Masked) -> Consensus:
    """Figures of the rubric over the means of all ordinary answers."""
    asked = masked.parameters
    return Consensus(*of_consensus(masked.standard, draws=asked.draws, seed=asked.seed, level=asked.level))


def evaluators(masked: Masked) -> Evaluators:
    """Agreement of all pairs of judges of ordinary items; bands are those of the rubric's scale."""
    asked, bands = masked.parameters, masked.scale.bands if masked.scale else ()
    return Evaluators(
        tuple(evaluator_agreement(masked.standard, bands, draws=asked.draws, seed=asked.seed, level=asked.level))
    )
