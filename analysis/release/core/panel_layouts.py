"""The tables of what the panel of judge models said of a study's answers.

The published one has a row for each answer, judge model and perspective: a score for every dimension of an answer
that was shown by itself. Scripts that average over its rows would count an answer twice that was asked about in two
ways, and find no dimensions where a reply is one overall score. So whatever was asked otherwise is in a table of
its own, also where a panel was asked in one other way alone.
"""

from dataclasses import replace
from typing import Final, get_args

import pandas as pd

from analysis.release.core.columns import REASONS, Column, Layout, number, rubric_columns, text, truth, whole
from annotation.study.core.rubric import Rubric
from generation.panel.core.panel import Mode

PANEL: Final = "SCRuBPanel"
OVERALL_SCORE: Final = "overall_score"
# What is true of every row of the published table, which has no columns for it, nor an overall score.
PUBLISHED_WAY: Final = {"mode": "per_dimension", "presentation": "alone", "judge_id": "", "mentioned": ""}

_RESPONSE_ID: Final = text("response_id", "the answer: the same as true_id in judgments")
_ASKED: Final = (
    text("mode", "what the panel was asked for", ", ".join(get_args(Mode))),
    text(
        "presentation",
        "what the panel saw at once: one answer, or all answers of an item, labelled as its judge saw them",
        "alone, as_judged",
    ),
)
_FAMILY: Final = text("judge_family", "whose model it is that judged")

EXPECTED: Final = Layout(
    PANEL,
    "panel_expected",
    f"{PANEL}/panel_expected",
    "how many replies the design wants of the panel, for an answer and a way of asking",
    ("mode", "presentation", "response_id"),
    (
        *_ASKED,
        _RESPONSE_ID,
        whole("expected", "replies"),
    ),
)


def panel_layout(rubric: Rubric) -> Layout:
    """The layout of replies by this rubric that were asked for in the published way: the published columns first.

    None of these is called `score` or `dimension`: the published scripts make columns of these names.
    """
    return Layout(
        PANEL,
        "panel_scores",
        f"{PANEL}/panel_scores",
        "what a judge model said of an answer, shown by itself, from one perspective: a score for every dimension",
        ("response_id", "judge_model", "perspective_id"),
        (*_published(rubric), _FAMILY, REASONS),
    )


def other_ways_layout(rubric: Rubric) -> Layout:
    """The layout of replies that were asked for in any other way: the same columns, and those that tell the ways
    apart.
    """
    scale = rubric.scale
    return Layout(
        PANEL,
        "panel_scores_other_ways",
        f"{PANEL}/panel_scores_other_ways",
        "what a judge model said of an answer from one perspective, asked in any other way than in panel_scores",
        ("response_id", "mode", "presentation", "judge_model", "perspective_id", "judge_id"),
        (
            *_published(rubric),
            number(
                OVERALL_SCORE,
                "the overall score, where no dimensions are asked for",
                f"{scale.minimum} to {scale.maximum}",
            ),
            *_ASKED,
            _FAMILY,
            text("judge_id", "the person whose item or words the model read, by pseudonym; empty where none"),
            text("mentioned", "dimensions that the justification speaks of, by commas"),
            REASONS,
        ),
    )


def panel_layouts(rubric: Rubric) -> tuple[Layout, ...]:
    return panel_layout(rubric), other_ways_layout(rubric), EXPECTED


def earlier_panel_layouts(rubric: Rubric) -> tuple[Layout, Layout]:
    """The layouts of panel scores in earlier versions, the newest first: all ways of asking in one table, and
    before that with 0 and 1 for abstentions and the overall score in a column `score`.
    """
    today = panel_layout(rubric)
    together = replace(other_ways_layout(rubric), split=today.split, stem=today.stem)
    without_reasons = together.having(())
    return together, replace(without_reasons, columns=tuple(map(_earlier_column, without_reasons.columns)))


def in_published_way(panel: pd.DataFrame) -> "pd.Series[bool]":
    """Which rows of a study's table `panel` the published table tells without loss."""
    is_so: pd.Series[bool] = panel["score"].isna()
    for name, value in PUBLISHED_WAY.items():
        is_so &= panel[name] == value
    return is_so


def parted(panel: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A study's table `panel` as `panel_layout` and `other_ways_layout` have it."""
    is_so, named = in_published_way(panel), panel.rename(columns={"score": OVERALL_SCORE})
    published = named[is_so].drop(columns=[OVERALL_SCORE, *PUBLISHED_WAY])
    return _without_blank_reasons(published), _without_blank_reasons(named[~is_so])


def together(scores: pd.DataFrame, others: pd.DataFrame | None = None) -> pd.DataFrame:
    """A study's table `panel` from what `parted` made of it, or from an earlier version's one table."""
    if others is not None:
        told = scores.assign(**PUBLISHED_WAY, **{OVERALL_SCORE: float("nan")})
        types = {**dict.fromkeys(PUBLISHED_WAY, "str"), OVERALL_SCORE: "float64"}
        # In the order of the others' columns; one of both may have no reasons.
        scores = pd.concat([others, told.astype(types)], ignore_index=True).fillna({REASONS.name: ""})
    return scores.rename(columns={OVERALL_SCORE: "score"})


def _without_blank_reasons(scores: pd.DataFrame) -> pd.DataFrame:
    is_blank = REASONS.name in scores and not scores[REASONS.name].any()
    return scores.drop(columns=REASONS.name) if is_blank else scores


def _published(rubric: Rubric) -> tuple[Column, ...]:
    return (
        _RESPONSE_ID,
        text(
            "respondent_id",
            "who wrote it: a writer’s pseudonym or the study’s name of a model, with (weak) or (maximum) after "
            "it where the answer is one of that arm",
        ),
        text("judge_model", "the model that judged"),
        text("perspective_id", "the perspective it was asked to take"),
        *rubric_columns(rubric, "number"),
        truth("abstained", "it found that the answer does not take up the question"),
    )


def _earlier_column(column: Column) -> Column:
    if column.kind == "truth":
        return replace(column, kind="whole", values="0, 1")
    return replace(column, name="score") if column.name == OVERALL_SCORE else column
