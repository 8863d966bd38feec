"""A study's own constitutional trials: the tables that its release publishes, and the frame made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pandas as pd

from analysis.data.core.judgment_frame import HUMAN, dimensions_of
from analysis.data.core.trials import COLUMNS as RATINGS
from analysis.data.core.trials import (
    PEOPLE,
    UNKNOWN,
    AskedScale,
    Effort,
    TrialDesign,
    Trials,
    scales_of_rubric,
)
from annotation.platform.core.coding import SETTLED, counted_as

if TYPE_CHECKING:
    from analysis.data.core.study_tables import StudyTables

BASELINE, FRAMEWORK, CONTROL = "baseline", "framework", "control"
ANSWERED, FAILED = "answered", "failed"

TRIAL_CONDITIONS: Final = (
    *("condition", "number", "kind", "name", "text", "turn", "integrity"),
    *("margin", "smallest_effect", "seed", "conditions_sha256"),
)
TRIAL_SCENARIOS: Final = ("scenario", "number", "title", "situation", "facts", "question", "tensions", "is_new")
TRIAL_ANSWERS: Final = (
    *("answer_id", "prompt_id", "scenario", "condition", "replicate", "respondent_id", "model_id", "family"),
    *("state", "response_id", "recommendation", "words", "text_sha256", "text"),
)
TRIAL_SCORES: Final = (
    *("answer_id", "approach", "variant", "judge_model", "judge_family", "replicate"),
    *("dimension", "value", "state", "together", "cost"),
)
REASON: Final = "reason"  # behind the columns of scores, where evaluators gave any
TRIAL_CONCLUSIONS: Final = ("answer_id", "coder", "conclusion")
TEXT_COLUMNS: Final = frozenset(
    (
        *("condition", "kind", "name", "text", "turn", "integrity", "conditions_sha256"),
        *("scenario", "title", "situation", "facts", "question", "tensions"),
        *("answer_id", "prompt_id", "respondent_id", "model_id", "family", "state", "response_id"),
        *("recommendation", "text_sha256", "approach", "variant", "judge_model", "judge_family", "dimension"),
        *("coder", "conclusion"),
    )
)
COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "trial_conditions": TRIAL_CONDITIONS,
    "trial_scenarios": TRIAL_SCENARIOS,
    "trial_answers": TRIAL_ANSWERS,
    "trial_scores": TRIAL_SCORES,
    "trial_conclusions": TRIAL_CONCLUSIONS,
}
ORDER: Final[Mapping[str, Sequence[str]]] = {
    "trial_conditions": ("number",),
    "trial_scenarios": ("number",),
    "trial_answers": ("answer_id",),
    "trial_scores": ("answer_id", "approach", "judge_model", "replicate", "dimension"),
    "trial_conclusions": ("answer_id", "coder"),
}


def with_named_sources(tables: "StudyTables") -> "StudyTables":
    """The tables, where the source of an answer to a case, its condition, goes by the name that people read.

    Keys stay where names tell conditions no better apart than keys, or sound like people.
    """
    conditions = tables.trial_conditions
    names = dict(zip(conditions["condition"], conditions["name"], strict=True))
    if not names or len(set(names.values())) < len(names) or HUMAN in map(str.casefold, names.values()):
        return tables
    judgments, answers = tables.judgments, tables.answers
    return replace(
        tables,
        judgments=judgments.assign(model=judgments["model"].replace(names)),
        answers=answers.assign(source=answers["source"].replace(names)),
    )


def trials_in(tables: "StudyTables") -> Trials | None:
    """Trials of the file that the tables are from, or the study's own; None where there are neither."""
    return tables.trials or _own(tables)


def _own(tables: "StudyTables") -> Trials | None:
    conditions, answers = tables.trial_conditions, tables.trial_answers
    told = answers.set_index("answer_id")[["scenario", "respondent_id", "condition"]]
    rows = pd.concat([_models_scores(tables.trial_scores), _peoples_scores(tables.judgments, answers)])
    if rows.empty:
        return None
    frame = rows.join(told, on="answer").rename(columns={"respondent_id": "model"})[list(RATINGS)]
    first = conditions.iloc[0]
    by_kind = {kind: tuple(conditions.loc[conditions["kind"] == kind, "condition"]) for kind in (BASELINE, CONTROL)}
    design = TrialDesign(
        baseline=by_kind[BASELINE][0],
        controls=tuple(name for name in by_kind[CONTROL] if name in set(frame["condition"])),
        integrity=str(first["integrity"]),
        margin=float(first["margin"]),
        smallest_effect=float(first["smallest_effect"]),
    )
    codes: dict[str, dict[str, str]] = {}
    for answer, coder, code in tables.trial_conclusions[list(TRIAL_CONCLUSIONS)].itertuples(index=False):
        codes.setdefault(answer, {})[coder] = code
    counted = {
        answer: counted_as([code for coder, code in said.items() if coder != SETTLED], said.get(SETTLED, ""))
        for answer, said in codes.items()
    }
    by_coder = {
        answer: {coder: code for coder, code in said.items() if coder != SETTLED} for answer, said in codes.items()
    }
    long = answers.dropna(subset=["words"])
    words = {answer: float(number) for answer, number in zip(long["answer_id"], long["words"], strict=True)}
    return Trials(
        frame.reset_index(drop=True),
        counted,
        design,
        by_coder,
        words,
        _guesses(tables, answers),
        _efforts(tables.trial_scores),
        _scales(tables),
        _names(tables),
    )


def _scales(tables: "StudyTables") -> dict[str, AskedScale]:
    """Scales of approaches, by the letters that the study gave them, and of people."""
    people = {PEOPLE: AskedScale.of(tables.scale)} if tables.scale else {}
    if tables.rubric is None:
        return people
    known = scales_of_rubric(tables.rubric)
    letters = tables.trial_scores[["approach", "variant"]].drop_duplicates().itertuples(index=False, name=None)
    return {**people, **{letter: known[variant] for letter, variant in letters if variant in known}}


def _names(tables: "StudyTables") -> dict[str, str]:
    """Names of conditions, and of the rubric's dimensions."""
    conditions = tables.trial_conditions
    dimensions = tables.rubric.dimensions if tables.rubric else ()
    return {
        **{each.key: each.name for each in dimensions},
        **dict(zip(conditions["condition"], conditions["name"], strict=True)),
    }


def _guesses(tables: "StudyTables", answers: pd.DataFrame) -> pd.DataFrame:
    """What judges guessed of answers to cases; guesses of people and models are not among these."""
    conditions = answers[answers["response_id"] != ""].set_index("response_id")["condition"]
    found = pd.DataFrame(
        {
            "judge": tables.guesses["judge_id"],
            "condition": tables.guesses["true_id"].map(conditions),
            "guess": tables.guesses["guess"],
        }
    ).dropna(subset=["condition"])
    known = [*tables.trial_conditions["condition"], UNKNOWN]
    return found[found["guess"].isin(known)].reset_index(drop=True)


def _efforts(scores: pd.DataFrame) -> tuple[Effort, ...]:
    """A call that asked about several dimensions has as many rows."""
    return tuple(
        Effort(str(approach), round(float((1 / rows["together"]).sum())), float(rows["cost"].sum()))
        for approach, rows in scores.groupby("approach", sort=True)
    )


def _models_scores(scores: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "answer": scores["answer_id"],
            "approach": scores["approach"],
            "evaluator": scores["judge_model"],
            "replicate": scores["replicate"].astype(int).astype(str),
            "dimension": scores["dimension"],
            "value": scores["value"],
            "status": scores["state"],
        }
    )


def _peoples_scores(judgments: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """What judges gave the answers that are responses of the study, without those who ranked them directly."""
    by_response = answers[answers["response_id"] != ""].set_index("response_id")["answer_id"]
    judged = judgments.assign(answer=judgments["true_id"].map(by_response)).dropna(subset=["answer"])
    rows = judged.melt(
        id_vars=["answer", "judge_id"],
        value_vars=dimensions_of(judgments),
        var_name="dimension",
        value_name="value",
    ).dropna(subset=["value"])
    return rows.rename(columns={"judge_id": "evaluator"}).assign(approach=PEOPLE, replicate="1", status="")
