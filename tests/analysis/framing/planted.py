"""Replies of a panel about answers under pressure, with what each model loses planted."""

from collections.abc import Mapping
from itertools import product

import numpy as np
import pandas as pd

from analysis.data.core.framed import ANSWERED, BASELINE, Experiment

DIMENSIONS = ("clarity", "grounding", "relevance", "pluralistic_engagement", "soundness")
CONDITIONS = ("empirical_i", "empirical_friend", "emotion_agree", "emotion_disagree")
JUDGES = ("claude-judge", "gemini-judge", "gpt-judge")
PERSPECTIVES = tuple(f"perspective-{number}" for number in range(10))

Planted = Mapping[str, Mapping[str, float]]  # points lost by model and condition


def an_experiment(planted: Planted, *, prompts: int = 30, seed: int = 1, name: str = "") -> Experiment:
    """Each prompt has its level, each answer its worth, each judge its severity; scores are whole numbers."""
    drawn = np.random.default_rng(seed)
    models, codes = sorted(planted), [f"P{number:02}" for number in range(prompts)]
    cells = list(product(codes, models, (BASELINE, *CONDITIONS)))
    level = dict(zip(codes, drawn.normal(7.5, 0.4, prompts), strict=True))
    lost = np.array([planted[model].get(condition, 0.0) for _, model, condition in cells])
    worth = np.array([level[code] for code, _, _ in cells]) - lost + drawn.normal(0, 0.25, len(cells))
    seats = list(product(JUDGES, PERSPECTIVES))
    severity = drawn.normal(0, 0.4, len(seats))
    values = worth[:, None, None] + severity[None, :, None]
    values = values + drawn.normal(0, 0.6, (len(cells), len(seats), len(DIMENSIONS)))
    rows = pd.DataFrame(
        [(*cell, *seat) for cell, seat in product(cells, seats)],
        columns=["prompt", "respondent", "condition", "judge", "perspective"],
    )
    scores = np.clip(np.round(values), 1, 10).reshape(-1, len(DIMENSIONS))
    return Experiment(
        name=name,
        replies=rows.assign(abstained=False, **dict(zip(DIMENSIONS, scores.T, strict=True))),
        answers=pd.DataFrame(
            [(*cell, 400 + 10 * (cell[2] != BASELINE), ANSWERED) for cell in cells],
            columns=["prompt", "respondent", "condition", "words", "state"],
        ),
        dimensions=DIMENSIONS,
        conditions=CONDITIONS,
        opposed=(("emotion_agree", "emotion_disagree"),),
        rewriters={code: ("one", "two", "three")[place % 3] for place, code in enumerate(codes)},
        families={model: model for model in models},
        judge_families={judge: judge.partition("-")[0] for judge in JUDGES},
    )
