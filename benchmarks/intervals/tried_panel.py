"""A panel of judge models whose replies are simulated, beside people's ranks of the same answers."""

from itertools import product
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.judgment_frame import HUMAN, MODEL, STANDARD
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Estimate
from analysis.data.core.study_tables import (
    ANSWERS,
    PANEL_EXPECTED,
    PANEL_LEADING,
    PANEL_TRAILING,
    PROMPTS,
    StudyTables,
    table,
)
from analysis.panel.core.panel_analysis import MAXIMUM, panel_reports, raters_of_panel
from benchmarks.intervals.given_raters import given_raters, marks_of_given
from benchmarks.intervals.simulated_studies import BY_MODEL, DIMENSIONS, MODELS, SHOWN, Generator, judged

WAY: Final = ("per_dimension", "alone")
PERSPECTIVES: Final = 2
PEOPLE: Final = 5
BETTER: Final = 0.7  # points, at maximum capability
ABSTAINED: Final = 0.05  # of replies
ALL_SHOWN: Final = (*SHOWN, *MODELS)  # those at maximum capability last
POINTS_A_WORD, WORDS, SPREAD = 0.004, 250, 60


def panel_figures(
    generator: Generator, prompts: int, parameters: Parameters, rng: np.random.Generator
) -> dict[str, Estimate]:
    """The figures of one study with so many prompts."""
    tables = _tables(generator, prompts, rng)
    [report] = panel_reports(tables, tables.judgments, parameters)
    [raters] = raters_of_panel(tables, tables.judgments, parameters)
    whole = report.outcomes[WHOLE]
    panel, first = report.judges[:2]
    assert first.self_family is not None
    agreement = raters.agreement[0]
    by_kind = {each.kind: each for each in raters.raters}
    return {
        "panel: mean score of a model": whole.sources[0].score.mean,
        "panel: mean score on a dimension": whole.card[0].score.mean,
        "panel: more at maximum capability": report.frontier[0].gain.mean,
        "panel: points per 100 words": panel.length.slope,
        "panel: favour of one's own family": first.self_family.mean,
        "panel: r of judge models": agreement.r,
        "panel: τ-b of judge models": agreement.tau_b,
        "panel: α of judge models": agreement.alpha,
        "panel: severity of a judge model": by_kind["judge model"].lead.mean,
        "panel: severity of a perspective": by_kind["perspective"].lead.mean,
        "panel: τ-b with people, over all": whole.validity.pooled,
        "panel: τ-b with people, within prompts": whole.validity.within.mean,
    }


def _tables(generator: Generator, prompts: int, rng: np.random.Generator) -> StudyTables:
    ordinary = generator.qualities(prompts, rng)
    words = np.maximum(WORDS + SPREAD * rng.normal(0, 1, (prompts, len(ALL_SHOWN))), 20).round()
    qualities = np.hstack([ordinary, ordinary[:, BY_MODEL] + BETTER])
    qualities = qualities + POINTS_A_WORD * (words - WORDS)
    # A judge model's perspectives are replies of its own, each as noisy.
    replies = np.concatenate(
        [marks_of_given(generator, qualities, len(MODELS), rng) for _ in range(PERSPECTIVES)], axis=1
    )
    who = np.tile(np.arange(PEOPLE), (prompts, 1))
    shown = qualities[:, : SHOWN.size]
    names = [[f"{prompt}-{place}" for place in range(len(ALL_SHOWN))] for prompt in map(str, range(prompts))]
    people = judged(generator, shown, who, given_raters(generator, PEOPLE), rng)
    places = np.arange(len(people)) % SHOWN.size
    prompt_ids = people["prompt_id"].astype(str)
    people = people.assign(
        prompt_id=prompt_ids,
        judge_id="J" + people["judge_id"].astype(str),
        true_id=[f"{prompt}-{place}" for prompt, place in zip(prompt_ids, places, strict=True)],
    )
    by_whom = list(product(range(PERSPECTIVES), MODELS))
    leading = [
        (answer, "", judge, f"P{perspective}")
        for of_prompt in names
        for perspective, judge in by_whom
        for answer in of_prompt
    ]
    panel = pd.DataFrame(leading, columns=list(PANEL_LEADING))
    panel[list(DIMENSIONS)] = replies.reshape(-1, len(DIMENSIONS))
    panel = panel.assign(
        abstained=(rng.random(len(panel)) < ABSTAINED).astype(float),
        score=np.nan,
        mode=WAY[0],
        presentation=WAY[1],
        judge_family=panel["judge_model"],
        judge_id="",
        mentioned="",
    )
    answers = [
        (answer, str(prompt), _arm(place), source or "W", source, source, words[prompt, place], "", "")
        for prompt, of_prompt in enumerate(names)
        for place, (answer, source) in enumerate(zip(of_prompt, ALL_SHOWN, strict=True))
    ]
    return StudyTables(
        people,
        prompts=table([(str(prompt), "", STANDARD, 1.0, "", "") for prompt in range(prompts)], PROMPTS),
        answers=table(answers, ANSWERS),
        panel=panel[[*PANEL_LEADING, *DIMENSIONS, *PANEL_TRAILING]],
        panel_expected=table([(*WAY, answer[0], float(len(by_whom))) for answer in answers], PANEL_EXPECTED),
    )


def _arm(place: int) -> str:
    if place >= SHOWN.size:
        return MAXIMUM
    return MODEL if BY_MODEL[place] else HUMAN
