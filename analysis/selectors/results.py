"""What the results page shows: agreement once collection is closed, outcomes once the study is unblinded."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from analysis.core.agreement import AgreementSummary, PromptAgreement, agreement_by_prompt, agreement_summary
from analysis.core.charts import DotPlot, Mark, Segment, StripPlot, dot_plot, share_bar, strip_plot
from analysis.core.judgment_frame import HUMAN, split_by_domain
from analysis.core.outcomes import (
    ModelFirst,
    ModelHumanPairs,
    SourceOutcome,
    model_first,
    model_human_pairs,
    outcomes_by_source,
    score_card,
)
from analysis.core.results import Estimate, Summary
from analysis.models.ceremony import Freeze
from analysis.selectors.judgments import frame_sha256, masked_judgments
from analysis.selectors.panel import PanelResults, panel_results
from analysis.unblinding import reveal
from annotation.core.errors import Refused
from annotation.core.rubric import Dimension, Scale
from annotation.models.prompts import Prompt
from annotation.models.studies import Study
from annotation.selectors.rubrics import rubric_by_hash


@dataclass(frozen=True)
class Measure:
    """A measure of agreement over prompts, and why prompts have no value, with how many each reason concerns."""

    label: str
    summary: Summary
    left_out: Mapping[str, int]


@dataclass(frozen=True)
class Agreement:
    overall: AgreementSummary
    measures: tuple[Measure, ...]
    by_domain: Mapping[str, AgreementSummary]
    by_prompt: list[PromptAgreement]
    plot: StripPlot


@dataclass(frozen=True)
class SourceLine:
    """How one source fared, with its score on each dimension in the rubric's order."""

    label: str
    is_human: bool
    dimensions: tuple[Summary, ...]
    outcome: SourceOutcome


@dataclass(frozen=True)
class Outcomes:
    """Sources in the order of the figures: models by name, then people."""

    dimensions: tuple[Dimension, ...]
    scale: Scale
    sources: tuple[SourceLine, ...]
    pairs: ModelHumanPairs
    first: ModelFirst
    score_plot: DotPlot
    rank_plot: DotPlot
    pairs_bar: tuple[Segment, ...]


@dataclass(frozen=True)
class Results:
    """`outcomes` stays `None`, and `panel` empty, until the study is unblinded.

    While masked, agreement is over every item, since which are for calibration is not known yet.
    """

    data_sha256: str
    frozen: Freeze
    prompts: int
    judges: int
    judgments: int
    agreement: Agreement
    outcomes: Outcomes | None
    panel: tuple[PanelResults, ...]

    @property
    def is_untouched(self) -> bool:
        """Whether these are the data that were frozen when collection was closed."""
        return self.data_sha256 == self.frozen.sha256


def results(study: Study) -> Results:
    """Raises `Refused` before collection is closed."""
    if study.state not in ("closed", "unblinded", "released"):
        raise Refused("Results can be seen once the study is closed.")
    masked = masked_judgments(study)
    frame = masked if study.state == "closed" else reveal(study, masked)
    return Results(
        data_sha256=frame_sha256(masked),
        frozen=Freeze.objects.select_related("frozen_by").get(study=study),
        prompts=frame["prompt_id"].nunique(),
        judges=frame["judge_id"].nunique(),
        judgments=len(frame.groupby(["prompt_id", "judge_id"])),
        agreement=_agreement(study, frame),
        outcomes=None if study.state == "closed" else _outcomes(study, frame),
        panel=() if study.state == "closed" else panel_results(study),
    )


def _agreement(study: Study, frame: pd.DataFrame) -> Agreement:
    domains = dict(Prompt.objects.filter(study=study).values_list("code", "domain"))
    prompts = agreement_by_prompt(frame)
    of_domain: dict[str, list[PromptAgreement]] = {}
    for prompt in prompts:
        of_domain.setdefault(domains[prompt.prompt_id], []).append(prompt)
    parts = split_by_domain(frame, domains.__getitem__)
    overall = _explained(agreement_summary(frame), prompts)
    return Agreement(
        overall=overall,
        measures=_measures(overall, prompts),
        by_domain={
            domain: _explained(agreement_summary(parts[domain]), own) for domain, own in sorted(of_domain.items())
        },
        by_prompt=prompts,
        plot=strip_plot(
            [
                (domain, [replace(prompt.w_common, name=prompt.prompt_id) for prompt in own])
                for domain, own in sorted(of_domain.items())
            ],
            low=0,
            high=1,
        ),
    )


def _measures(overall: AgreementSummary, prompts: Sequence[PromptAgreement]) -> tuple[Measure, ...]:
    return (
        Measure("Kendall’s W, plain", overall.w, _reasons(p.w for p in prompts)),
        Measure(
            "Kendall’s W, tie-corrected", overall.w_tie_corrected, _reasons(p.w_tie_corrected for p in prompts)
        ),
        Measure("W over the answers all judges ranked", overall.w_common, _reasons(p.w_common for p in prompts)),
        Measure("Kendall’s τ-b, mean over pairs of judges", overall.tau_b, _reasons(p.tau_b for p in prompts)),
    )


def _reasons(estimates: Iterable[Estimate]) -> dict[str, int]:
    # Not a Counter: a template that asks one for its items is told that it counted none of them.
    return dict(Counter(estimate.reason for estimate in estimates if estimate.reason))


def _explained(summary: AgreementSummary, prompts: Sequence[PromptAgreement]) -> AgreementSummary:
    """The summary with the prompts' own reasons where no prompt has a value."""
    return replace(
        summary,
        w=_because(summary.w, [p.w for p in prompts]),
        w_tie_corrected=_because(summary.w_tie_corrected, [p.w_tie_corrected for p in prompts]),
        w_common=_because(summary.w_common, [p.w_common for p in prompts]),
        tau_b=_because(summary.tau_b, [p.tau_b for p in prompts]),
        top_1=_with_reason(summary.top_1, [p.top_1 for p in prompts]),
    )


def _because(summary: Summary, estimates: Sequence[Estimate]) -> Summary:
    if summary.mean.value is not None:
        return summary
    return Summary(
        mean=_with_reason(summary.mean, estimates),
        median=_with_reason(summary.median, estimates),
        sd=_with_reason(summary.sd, estimates),
        se=_with_reason(summary.se, estimates),
    )


def _with_reason(estimate: Estimate, estimates: Sequence[Estimate]) -> Estimate:
    reason = "; ".join(_reasons(estimates))
    return replace(estimate, reason=reason) if estimate.reason and reason else estimate


def _outcomes(study: Study, frame: pd.DataFrame) -> Outcomes:
    rubric = rubric_by_hash(study.rubric_id)
    sources = _sources(frame)
    pairs = model_human_pairs(frame)
    by_dimension = [
        (dimension.name, [_mark(source, source.dimensions[number]) for source in sources])
        for number, dimension in enumerate(rubric.dimensions)
    ]
    overall = ("Mean of the dimensions", [_mark(source, source.outcome.score) for source in sources])
    return Outcomes(
        dimensions=rubric.dimensions,
        scale=rubric.scale,
        sources=sources,
        pairs=pairs,
        first=model_first(frame),
        score_plot=dot_plot([*by_dimension, overall]),
        rank_plot=dot_plot([("", [_mark(source, source.outcome.mid_rank) for source in sources])]),
        pairs_bar=share_bar([("wins", pairs.wins), ("ties", pairs.ties), ("losses", pairs.losses)]),
    )


def _sources(frame: pd.DataFrame) -> tuple[SourceLine, ...]:
    scores: dict[str, list[Summary]] = {}
    for cell in score_card(frame):
        scores.setdefault(cell.source, []).append(cell.score)
    lines = [
        SourceLine(
            label="humans" if outcome.source == HUMAN else outcome.source,
            is_human=outcome.source == HUMAN,
            dimensions=tuple(scores[outcome.source]),
            outcome=outcome,
        )
        for outcome in outcomes_by_source(frame)
    ]
    return tuple(sorted(lines, key=lambda line: line.is_human))


def _mark(source: SourceLine, summary: Summary) -> Mark:
    return Mark(source.label, source.is_human, summary.mean, summary.se)
