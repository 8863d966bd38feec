"""The whole analysis of a study's tables, once it is known who wrote what."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pandas as pd

from analysis.blinding.core.blinding_index import blinding_indices, guesses_by_judge
from analysis.blinding.core.source_leaks import source_leaks
from analysis.data.core.judgment_frame import domain_of_prompt, standard_only
from analysis.data.core.parameters import DEFAULTS, Parameters
from analysis.data.core.ranks import ranked
from analysis.data.core.study_tables import StudyTables
from analysis.masked.core.masked_report import analyse_masked, scopes_of
from analysis.outcomes.core.calibration import quality_floor, source_attribution
from analysis.outcomes.core.davidson import davidson
from analysis.outcomes.core.outcomes import (
    heads,
    lead_of_models,
    model_first,
    model_human_pairs,
    outcomes_by_prompt,
    outcomes_by_source,
    prompts_led_by_models,
    score_card,
)
from analysis.outcomes.core.paired_comparison import Clusters
from analysis.outcomes.core.participants import participant_groups
from analysis.outcomes.core.plackett_luce import plackett_luce
from analysis.panel.core.panel_analysis import panel_reports
from analysis.report.core.report import SILENT, Outcomes, Precision, Progress, Report, Sources
from analysis.uncertainty.core.crossed import with_more_judges
from analysis.uncertainty.core.judged import Judged

MORE_JUDGES: Final = (0, 5, 10, 20)


def analyse(tables: StudyTables, *, parameters: Parameters = DEFAULTS, progress: Progress = SILENT) -> Report:
    """Everything that the tables tell; what a table would be needed for that is empty is undefined, and says so."""
    frame, domain_of, level = tables.judgments, _domain_of(tables), parameters.level
    report = analyse_masked(
        frame, parameters=parameters, scale=tables.scale, domain_of=domain_of, progress=progress
    )
    counted, _ = ranked(frame, parameters)
    standard, as_given = standard_only(counted), parameters.mode == "paper"
    drawn = replace(parameters, draws=report.data.draws)
    scopes = scopes_of(standard, domain_of)
    found = {}
    for number, (scope, part) in enumerate(scopes.items()):
        progress.tell("outcomes", number, len(scopes))
        found[scope] = _outcomes(Judged.of(part, as_given=as_given), drawn)
    progress.tell("panel", 0, 1)
    whole = Judged.of(standard)
    guesses = guesses_by_judge(tables.guesses, tables.answers)
    return replace(
        report,
        participants=participant_groups(tables.participants, tables.ideology, level=level),
        sources=Sources(
            outcomes=found,
            floor=quality_floor(counted, _weak(tables), level=level),
            attribution=tuple(source_attribution(counted, level=level)),
            prompts=tuple(outcomes_by_prompt(whole, level=level)),
            precision=_precision(whole, level),
            blinding=blinding_indices(guesses, level=level),
            guesses=tuple((int(of[0]), int(of[1]), int(of[2])) for of in guesses.counts.sum(axis=0)),
            leaks=source_leaks(tables.answers, draws=drawn.draws, seed=drawn.seed, level=level),
            panel=panel_reports(tables, counted, drawn),
        ),
    )


def _domain_of(tables: StudyTables) -> Callable[[str], str]:
    """As the prompts say, or else as their ids do."""
    domains = tables.domains
    return lambda prompt: domains.get(prompt) or domain_of_prompt(prompt)


def _weak(tables: StudyTables) -> "pd.Series[bool] | None":
    """Which rows are of deliberately weak answers, where the answers are known."""
    if tables.answers.empty:
        return None
    weak = tables.answers.loc[tables.answers["arm"] == "weak", "response_id"]
    return tables.judgments["true_id"].isin(set(weak))


def _outcomes(judged: Judged, parameters: Parameters) -> Outcomes:
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


def _precision(judged: Judged, level: float) -> tuple[Precision, ...]:
    lead = lead_of_models(judged, level=level)
    return tuple(Precision(more, *with_more_judges(lead, more, level=level)) for more in MORE_JUDGES)
