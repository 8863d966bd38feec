"""What masked judgments tell, section by section: this code cannot look up who wrote an answer."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pandas as pd

from analysis.data.core.judgment_frame import (
    JUDGMENT,
    dimensions_of,
    domain_of_prompt,
    split_by_domain,
    standard_only,
)
from analysis.data.core.parameters import DEFAULTS, WHOLE, Parameters
from analysis.data.core.ranks import dense, ranked
from analysis.data.core.scales import inferred_scale
from analysis.report.sections import registered
from analysis.sections.core.inputs import Masked, nobody_judged
from analysis.sections.core.report import SILENT, Data, Progress, Report
from analysis.uncertainty.core.resampling import MIN_DRAWS
from annotation.study.core.rubric import Scale

# Of a figure over everything there are as many resamples as asked for; of very many judgments fewer, since each one
# tells less then and takes longer.
ROWS_RESAMPLED: Final = 20_000_000


def analyse_masked(
    frame: pd.DataFrame,
    *,
    parameters: Parameters = DEFAULTS,
    scale: Scale | None = None,
    domain_of: Callable[[str], str] = domain_of_prompt,
    progress: Progress = SILENT,
) -> Report:
    """Every section of masked judgments: nothing here looks at who wrote an answer.

    `scale` is the rubric's; the ends of the parameters' scale go before its own. Raises ValueError where a judge
    has an answer twice in one prompt.
    """
    inputs, data = prepared(frame, parameters=parameters, scale=scale, domain_of=domain_of, progress=progress)
    return with_masked_sections(Report(parameters, data, is_masked=True), inputs)


def prepared(
    frame: pd.DataFrame,
    *,
    parameters: Parameters,
    scale: Scale | None,
    domain_of: Callable[[str], str],
    progress: Progress,
    taken: tuple[float, float] | None = None,
) -> tuple[Masked, Data]:
    """What sections of masked judgments are computed from, and what it is of. `taken` are the ends of the scale
    where nobody told them; without, judgments suggest them.
    """
    _check_unique(frame)
    counted, changed = ranked(frame, parameters)
    standard = standard_only(counted)
    draws = draws_for(standard, parameters)
    known = parameters.scale or _ends(scale)
    inputs = Masked(
        ranked=counted,
        standard=standard,
        scopes=scopes_of(standard, domain_of),
        scale=scale,
        parameters=replace(parameters, draws=draws, scale=known),
        progress=progress,
    )
    ends = known or taken or inferred_scale(frame)
    return inputs, _data(frame, ends, changed, draws, is_scale_inferred=known is None)


def with_masked_sections(report: Report, inputs: Masked) -> Report:
    """The report with each of them that applies."""
    for section in registered("file"):
        if section.from_masked is None:
            continue
        if reason := nobody_judged(inputs) or section.not_applicable(inputs):
            report = replace(report, not_applicable={**report.not_applicable, section.name: reason})
        else:
            report = report.having(section, section.from_masked(inputs))
    return report


def _check_unique(frame: pd.DataFrame) -> None:
    again = frame[frame.duplicated([*JUDGMENT, "true_id"])]
    for prompt, judge, answer in again[[*JUDGMENT, "true_id"]].head(1).itertuples(index=False):
        raise ValueError(f"{prompt}: judge {judge} has answer {answer} twice")


def scopes_of(standard: pd.DataFrame, domain_of: Callable[[str], str]) -> dict[str, pd.DataFrame]:
    """The rows of every scope: all of them, and those of each domain."""
    return {WHOLE: standard, **(split_by_domain(standard, domain_of) if len(standard) else {})}


def draws_for(standard: pd.DataFrame, parameters: Parameters) -> int:
    """How many resamples are drawn of so many rows."""
    return min(parameters.draws, max(MIN_DRAWS, ROWS_RESAMPLED // max(len(standard), 1)))


def _data(
    frame: pd.DataFrame, scale: tuple[float, float], changed: int, draws: int, *, is_scale_inferred: bool
) -> Data:
    judgments = frame.drop_duplicates(JUDGMENT)
    given = frame[["score", "rank"]].notna().groupby([frame[name] for name in JUDGMENT])
    return Data(
        rows=len(frame),
        prompts=frame["prompt_id"].nunique(),
        judges=frame["judge_id"].nunique(),
        judgments=len(judgments),
        answers=len(frame.drop_duplicates(["prompt_id", "true_id"])),
        dimensions=tuple(dimensions_of(frame)),
        scale=scale,
        is_scale_inferred=is_scale_inferred,
        item_types={str(kind): int(count) for kind, count in judgments["item_type"].value_counts().items()},
        scored=int(given["score"].all().sum()),
        ranked=int(given["rank"].any().sum()),
        reranked=changed,
        dense=int(dense(frame).groupby([frame[name] for name in JUDGMENT]).any().sum()),
        draws=draws,
    )


def _ends(scale: Scale | None) -> tuple[float, float] | None:
    return (float(scale.minimum), float(scale.maximum)) if scale else None
