"""Files of what a panel of judge models said, in the published layout, read into a study's tables."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

import pandas as pd

from analysis.data.core.framed import BASELINES
from analysis.data.core.identifiers import BETWEEN
from analysis.data.core.judgment_frame import HUMAN, MODEL, STANDARD, JudgmentFileError, domain_of_prompt
from analysis.data.core.rating_file import NO_PROMPTS, ColumnMap, ratings_in
from analysis.data.core.rating_frame import (
    ABSTAINED,
    NOBODY,
    OVERALL,
    PEOPLE,
    RANK,
    RATING,
    SCORE,
    Doubt,
    Ratings,
    judgments_of,
    side_by_side,
)
from analysis.data.core.study_tables import (
    ANSWERS,
    PANEL_EXPECTED,
    PANEL_LEADING,
    PANEL_TRAILING,
    PROMPTS,
    StudyTables,
    table,
)
from analysis.data.core.table_file import read_cells
from annotation.platform.core.phrases import counted

# Columns of the published layout, and those that our releases have besides.
OF_THE_LAYOUT: Final[Mapping[str, tuple[str, ...]]] = {
    "evaluator": ("judge_model",),
    "perspective": ("perspective_id",),
    "unit": ("response_id",),
    "respondent": ("respondent_id",),
    "condition": ("mode", "presentation"),
    "replicate": ("judge_id",),
}
OVERALL_SCORES: Final = ("overall_score", SCORE, "holistic", OVERALL)  # of ways of asking without dimensions
HOLISTIC, PER_DIMENSION, ALONE = "holistic", "per_dimension", "alone"
PUBLISHED_WAY: Final = (PER_DIMENSION, ALONE)
REPLY: Final = ["unit", "prompt", "respondent", "condition", "evaluator", "perspective", "replicate"]
UNDER_PRESSURE: Final = Doubt(
    "conditions are taken for ways in which the panel was asked; if they are ways in which models were, bring the "
    "file as answers under pressure (--framings)"
)
_ARM: Final = re.compile(r"(.{1,200}) \((weak|maximum)\)")


def read_panel(content: bytes, asked: ColumnMap) -> Ratings:
    """Rows are replies of judge models, whose columns are called as they were published where nobody says else.

    Raises JudgmentFileError as `read_ratings` does.
    """
    cells = read_cells(content)
    known = set(cells.table.columns) - asked.ignored
    taken = {name for names in asked.columns.values() for name in names} | set(asked.dimensions)
    usual = {
        ours: theirs
        for ours, theirs in OF_THE_LAYOUT.items()
        if ours not in asked.columns and known.issuperset(theirs) and not taken.intersection(theirs)
    }
    return ratings_in(cells, replace(asked, columns={**usual, **asked.columns}))


def with_other_ways(published: Ratings, others: Ratings) -> Ratings:
    """What a panel said in the published way, by dimension of each answer by itself, beside what it said otherwise.

    Raises JudgmentFileError for a rating that is there twice, or an answer with two sources.
    """
    condition = published.frame["condition"]
    told = published.frame.assign(condition=condition.where(condition != "", BETWEEN.join(PUBLISHED_WAY)))
    frame = pd.concat([told, others.frame], ignore_index=True)
    if (again := frame.duplicated(RATING)).any():
        row = frame[again].iloc[0]
        raise JudgmentFileError(
            f"{row['evaluator']!r} has rated {row['unit']!r} in the panel’s other file already, asked in the same "
            "way; delete one of both rows"
        )
    if (wrong := frame["respondent"] != frame.groupby("unit")["respondent"].transform("first")).any():
        unit = frame[wrong].iloc[0]["unit"]
        raise JudgmentFileError(f"the answer {unit!r} is somebody else’s in the panel’s other file")
    return Ratings(
        frame,
        {**published.item_types, **others.item_types},
        (*published.doubts, *others.doubts),
        {**published.conclusions, **others.conclusions},
    )


def panel_tables(
    ratings: Ratings, judgments: pd.DataFrame | None = None, *, people: frozenset[str] = PEOPLE
) -> tuple[StudyTables, tuple[Doubt, ...]]:
    """Tables of the panel's replies, beside people's `judgments` of the same answers, if there are any; without,
    judge models are those whose judgments are analysed, each with its mean over perspectives. With all doubts.

    What was wanted is a reply of every judge model from every perspective that the file has of a way of asking.
    Raises JudgmentFileError where an answer is somebody else's in the judgments.
    """
    replies = _replies(ratings)
    # People's judgments tell the prompts.
    doubts = [each for each in ratings.doubts if judgments is None or each != NO_PROMPTS]
    answers, item_types = _answers(replies, judgments, people, doubts)
    item_types = {**ratings.item_types, **item_types}
    prompts = list(dict.fromkeys(answers["prompt_id"]))
    if judgments is None:
        judgments = judgments_of(_main_way(ratings, doubts), people=people)
    return (
        StudyTables(
            judgments=judgments,
            prompts=table(
                [(each, domain_of_prompt(each), item_types.get(each, STANDARD), None, "", "") for each in prompts],
                PROMPTS,
            ),
            answers=answers,
            panel=_panel(replies),
            panel_expected=_expected(replies, answers),
        ),
        tuple(doubts),
    )


def _replies(ratings: Ratings) -> pd.DataFrame:
    """A row each, with REPLY, dimensions, `score`, `abstained`, `mode` and `presentation`."""
    frame = ratings.frame
    wide = side_by_side(frame, REPLY)
    abstained = (frame["status"] == ABSTAINED).groupby([frame[name] for name in REPLY], sort=False).any()
    names = dict.fromkeys(frame["dimension"])
    dimensions = [name for name in names if name not in (*OVERALL_SCORES, RANK)]
    overall = wide[[name for name in OVERALL_SCORES if name in names]].bfill(axis=1)
    score = overall.iloc[:, 0] if len(overall.columns) else pd.Series(float("nan"), index=wide.index)
    asked = wide["condition"].str.partition(BETWEEN)
    by_itself = PER_DIMENSION if dimensions else HOLISTIC
    return wide[[*REPLY, *dimensions]].assign(
        score=score.astype(float),
        abstained=abstained.to_numpy().astype(float),
        mode=asked[0].where(asked[0] != "", by_itself),
        presentation=asked[2].where(asked[2] != "", ALONE),
    )


def _answers(
    replies: pd.DataFrame, judgments: pd.DataFrame | None, people: frozenset[str], doubts: list[Doubt]
) -> tuple[pd.DataFrame, dict[str, str]]:
    """ANSWERS, and the item types of their prompts where judgments tell them."""
    shown = replies.drop_duplicates(["unit"])
    said = {unit: _arm_of(name, people) for unit, name in zip(shown["unit"], shown["respondent"], strict=True)}
    prompts = dict(zip(shown["unit"], shown["prompt"], strict=True))
    types: dict[str, str] = {}
    if judgments is not None:
        judged = judgments.drop_duplicates(["prompt_id", "true_id"])
        types = dict(zip(judged["prompt_id"], judged["item_type"], strict=True))
        _check_told_apart(judged)
        known = judged[["true_id", "prompt_id", "true_source", "model"]]
        for unit, prompt, kind, model in known.itertuples(index=False, name=None):
            own = (HUMAN, HUMAN) if kind == HUMAN else (MODEL, model or NOBODY)
            said[unit] = _agreed(unit, said[unit], own) if unit in said else own
            prompts[unit] = prompt
        if strange := [unit for unit in shown["unit"] if unit not in set(judged["true_id"])]:
            doubts.append(Doubt(f"people judged none of {counted(len(strange), 'answer')} that the panel scored"))
    rows = [(unit, prompts[unit], arm, source, "", source, None, "", "") for unit, (arm, source) in said.items()]
    return table(rows, ANSWERS), types


def _arm_of(respondent: str, people: frozenset[str]) -> tuple[str, str]:
    """The part of a study in which somebody answered, and who."""
    if respondent.casefold() in people:
        return HUMAN, HUMAN
    if found := _ARM.fullmatch(respondent):
        return found[2], found[1]
    return MODEL, respondent or NOBODY


def _agreed(unit: str, said: tuple[str, str], own: tuple[str, str]) -> tuple[str, str]:
    """Who answered, by people's file, whose writers have no names, and by the panel's, which knows more of models'
    answers.
    """
    if own[0] == HUMAN or said[1] == NOBODY:
        return own
    if said[1] != own[1]:
        raise JudgmentFileError(
            f"the answer {unit!r} is by {said[1]!r} in the panel’s file and by {own[1]!r} in the judgments"
        )
    return said


def _check_told_apart(judged: pd.DataFrame) -> None:
    if (again := judged.duplicated("true_id")).any():
        answer = judged[again].iloc[0]["true_id"]
        raise JudgmentFileError(
            f"the answer {answer!r} is to two prompts in the judgments: no panel can be told of it"
        )


def _panel(replies: pd.DataFrame) -> pd.DataFrame:
    dimensions = [
        name for name in replies.columns if name not in (*REPLY, "score", "abstained", "mode", "presentation")
    ]
    frame = pd.DataFrame(
        {
            "response_id": replies["unit"],
            "respondent_id": replies["respondent"],
            "judge_model": replies["evaluator"],
            "perspective_id": replies["perspective"],
            **{name: replies[name] for name in dimensions},
            "abstained": replies["abstained"],
            "score": replies["score"],
            "mode": replies["mode"],
            "presentation": replies["presentation"],
            "judge_family": "",
            "judge_id": replies["replicate"],
            "mentioned": "",
        }
    )
    return frame[[*PANEL_LEADING, *dimensions, *PANEL_TRAILING]]


def _expected(replies: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    return table(_wanted(replies, answers), PANEL_EXPECTED)


def _wanted(replies: pd.DataFrame, answers: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    for (mode, presentation), part in replies.groupby(["mode", "presentation"], sort=True):
        from_each = len(part[["evaluator", "perspective"]].drop_duplicates())
        most = part.groupby("unit").size()
        for answer in answers["response_id"]:
            yield mode, presentation, answer, float(max(from_each, most.get(answer, 0)))


def _main_way(ratings: Ratings, doubts: list[Doubt]) -> Ratings:
    """The ratings of the way of asking with most of them, if there are several."""
    ways = ratings.frame["condition"].value_counts()
    if len(ways) > 1:
        replies = ratings.frame.drop_duplicates(REPLY)["condition"].value_counts()
        main = str(ways.index[0])
        doubts.append(
            Doubt(
                f"agreement of judge models is that of the replies asked for as {main!r} alone, "
                f"{replies[main]:,} of {replies.sum():,}"
            )
        )
        if any(way and str(way).casefold() in BASELINES for way in ways.index):
            doubts.append(UNDER_PRESSURE)
    rows = ratings.frame[ratings.frame["condition"] == ways.index[0]]
    return replace(ratings, frame=rows.assign(condition=""))
