"""What the panel of judge models said: by source and dimension, beside people, and what else it follows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from analysis.data.core.results import Estimate, Summary
from analysis.outcomes.core.outcomes import DimensionOutcome
from analysis.panel.core.panel_effects import LengthEffect
from analysis.panel.core.panel_raters import PanelRaters

# Ways of asking, the one that is compared with people first.
MODES: Final = {
    "holistic": "One score, the rubric as framework",
    "per_dimension": "One score for each dimension",
    "no_rubric": "One score, without the rubric",
    "inferred": "Read out of judges’ words",
}


@dataclass(frozen=True, slots=True)
class PanelSource:
    """How the panel scored a source's answers; `score` counts answers, and leaves out those that nobody scored.

    `given` of `expected` replies count; `abstentions` found that the answer does not take up the question.
    `is_maximum` marks answers at maximum capability, which no person judged.
    """

    source: str
    is_maximum: bool
    score: Summary
    given: int
    expected: int
    abstentions: int


@dataclass(frozen=True, slots=True)
class Validity:
    """Kendall's τ-b between the panel's composite and minus the mean rank that people gave an answer.

    `pooled` is over all answers that both judged, and counts them; of those that people judged, the panel has not
    scored what is left out. Its p-value takes answers as independent. `within` is over prompts' own τ-b.
    """

    pooled: Estimate
    pooled_p: Estimate
    within: Summary


@dataclass(frozen=True, slots=True)
class PanelOutcomes:
    """The panel's outcomes over all prompts, or over one domain's. Neither `card` nor `validity` has answers at
    maximum capability.
    """

    sources: tuple[PanelSource, ...]
    card: tuple[DimensionOutcome, ...]
    validity: Validity

    @property
    def replies(self) -> tuple[int, int]:
        """How many count, of answers that people judged too, and how many of these are wanted."""
        sources = [each for each in self.sources if not each.is_maximum]
        return sum(each.given for each in sources), sum(each.expected for each in sources)


@dataclass(frozen=True, slots=True)
class PanelJudge:
    """What a judge model's scores may follow besides quality; of the whole panel, called "", the length alone."""

    judge: str
    self_family: Summary | None
    length: LengthEffect


@dataclass(frozen=True, slots=True)
class Frontier:
    """How many points of the scale a model's answers at maximum capability were scored above its ordinary ones,
    over prompts that have both.
    """

    source: str
    gain: Summary


@dataclass(frozen=True, slots=True)
class Mention:
    """How often judges' words about an answer of this source speak of a dimension, 0 to 1; `n` counts answers, each
    as often as a judge gave words about it, which several models may have read.
    """

    source: str
    dimension: str
    share: Estimate


@dataclass(frozen=True, slots=True)
class PanelReport:
    """One way in which the panel was asked: `mode` and `presentation` as in the tables; `outcomes` by scope.

    `is_alone`: nobody else's judgments of the same answers are known.
    """

    mode: str
    presentation: str
    outcomes: Mapping[str, PanelOutcomes]
    judges: tuple[PanelJudge, ...]
    frontier: tuple[Frontier, ...]
    mentions: tuple[Mention, ...]
    is_alone: bool = False


def asked_for(panel: PanelReport | PanelRaters) -> str:
    """How the panel was asked, in words."""
    words = MODES.get(panel.mode, panel.mode)
    is_by_item = panel.presentation == "as_judged" and panel.mode != "inferred"
    return f"{words}, all of an item’s answers at once" if is_by_item else words
