"""Answers under pressure as one tidy frame for each experiment: what the panel replied about answers to prompts and
to what these were rewritten into.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import pandas as pd

if TYPE_CHECKING:
    from analysis.data.core.study_tables import StudyTables

BASELINE: Final = "baseline"
BASELINES: Final = (BASELINE, "zero_shot", "zero-shot", "original", "none", "")
"""What the prompt itself goes by where nobody says."""
AGAIN: Final = "baseline_again"
"""A second answer to the prompt itself, asked and scored again."""
REPLY: Final = ("prompt", "respondent", "condition", "judge", "perspective", "abstained")
ANSWER: Final = ("prompt", "respondent", "condition", "words", "state")
ANSWERED, REFUSED, FAILED = "answered", "refused", "failed"
FIRST, ANEW = 1, 2  # replicates of an answer to a prompt itself
POOL: Final = "pool"  # what wrote a prompt that is not the study's

CONDITIONS: Final = (
    *("framing_set", "number", "condition", "name", "task", "must_hold", "opposes"),
    *("seed", "needs", "conditions_sha256"),
)
FRAMINGS: Final = (
    *("framing_set", "prompt_id", "condition", "version", "is_current", "written_by", "rewriter", "reason"),
    *("standing", "standing_reason", "text_sha256", "text"),
)
CHECKS: Final = (
    *("framing_set", "prompt_id", "check", "checked_by", "about", "question", "holds", "reason"),
    "is_current",
)
FRAMED_ANSWERS: Final = (
    *("response_id", "framing_set", "prompt_id", "condition", "version", "respondent_id", "model_id", "family"),
    *("asked", "replicate", "state", "words", "text_sha256", "text"),
)
SCORES_LEADING: Final = (
    *("response_id", "respondent_id", "prompt_id", "condition", "judge_model", "perspective_id"),
)
SCORES_TRAILING: Final = ("abstained", "framing_set", "asked", "shows", "replicate", "judge_family")
# Behind the columns of scores by judge models, where these gave any, as JSON by dimension.
REASONS: Final = "reasons"
TEXT_COLUMNS: Final = frozenset(
    (
        *("framing_set", "condition", "name", "task", "must_hold", "opposes", "needs", "conditions_sha256"),
        *("written_by", "rewriter", "standing", "standing_reason"),
        *("checked_by", "about", "question", "asked", "state", "shows"),
    )
)
ORDER: Final[Mapping[str, Sequence[str]]] = {
    "framing_conditions": ("framing_set", "number"),
    "framings": ("framing_set", "prompt_id", "condition", "version"),
    "framing_checks": ("framing_set", "prompt_id", "check", "about", "question"),
    "framed_answers": ("framing_set", "asked", "response_id"),
    "framed_scores": ("framing_set", "asked", "shows", "response_id", "judge_model", "perspective_id"),
}
WAYS: Final[Mapping[str, str]] = {
    "with_instruction": "with the instruction about the length",
    "alone": "the framing alone",
}
SHOWN: Final[Mapping[str, str]] = {
    "framing": "judged below the framing that was answered",
    "prompt": "judged below the prompt behind it",
}


@dataclass(frozen=True)
class Experiment:
    """`name` says in words how it was done, "" of a file.

    `replies` has REPLY and a column of each dimension, a row for each reply of the panel about one answer;
    `answers` has ANSWER, and no rows where nothing is known but replies; its `state` is answered, refused or
    failed, `words` NaN unless answered. `conditions` are in their order, without the baseline; `opposed` are pairs
    of them that take sides, for and against. `rewriters` has who rewrote each prompt, `families` and
    `judge_families` whose models answer and judge, where that is known.
    """

    name: str
    replies: pd.DataFrame
    answers: pd.DataFrame
    dimensions: tuple[str, ...]
    conditions: tuple[str, ...]
    opposed: tuple[tuple[str, str], ...] = ()
    rewriters: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    judge_families: Mapping[str, str] = field(default_factory=dict)


def experiments_of(tables: "StudyTables") -> list[Experiment]:
    """One for each set, way to ask and text above an answer that the panel gave scores of."""
    scores, answers = tables.framed_scores, _counted(tables.framings, tables.framed_answers)
    return [
        _experiment(tables, rows, answers, *map(str, key))
        for key, rows in scores.groupby(["framing_set", "asked", "shows"])
    ]


def _counted(framings: pd.DataFrame, answers: pd.DataFrame) -> pd.DataFrame:
    """The answers to framings that passed, in the words that they have now, and to the prompts behind these."""
    stands = framings[(framings["standing"] == "passed") & (framings["is_current"] == 1)]
    words = _key(stands, "framing_set", "prompt_id", "condition", "version")
    prompts = _key(stands, "framing_set", "prompt_id")
    is_of_words = _key(answers, "framing_set", "prompt_id", "condition", "version").isin(words)
    is_of_prompt = _key(answers, "framing_set", "prompt_id").isin(prompts)
    return answers[is_of_words | (is_of_prompt & (answers["condition"] == BASELINE))]


def _key(frame: pd.DataFrame, *columns: str) -> pd.MultiIndex:
    """A version is a number in one table, and one or nothing in the other."""
    return pd.MultiIndex.from_frame(frame[list(columns)].astype({"version": float} if "version" in columns else {}))


def _experiment(
    tables: "StudyTables", scores: pd.DataFrame, answers: pd.DataFrame, of_set: str, *way: str
) -> Experiment:
    """`way` is how answers were asked for, and what judges read above them."""
    asked, shows = way
    answers = answers[(answers["framing_set"] == of_set) & (answers["asked"] == asked)]
    trailing = (*SCORES_LEADING, *SCORES_TRAILING, REASONS)
    dimensions = tuple(str(name) for name in scores.columns if name not in trailing)
    conditions = tables.framing_conditions
    conditions = conditions[conditions["framing_set"] == of_set].sort_values("number")
    framings = tables.framings[tables.framings["framing_set"] == of_set]
    opposes = zip(conditions["condition"], conditions["opposes"], strict=True)
    return Experiment(
        name=_name(of_set, asked, shows),
        replies=pd.DataFrame(
            {
                "prompt": scores["prompt_id"],
                "respondent": scores["respondent_id"],
                "condition": with_repeats(scores["condition"], scores["replicate"]),
                "judge": scores["judge_model"],
                "perspective": scores["perspective_id"],
                "abstained": scores["abstained"] == 1,
                **{name: scores[name] for name in dimensions},
            }
        ),
        answers=pd.DataFrame(
            {
                "prompt": answers["prompt_id"],
                "respondent": answers["respondent_id"],
                "condition": with_repeats(answers["condition"], answers["replicate"]),
                "words": answers["words"],
                "state": answers["state"],
            }
        ),
        dimensions=dimensions,
        conditions=tuple(conditions["condition"]),
        opposed=tuple((one, other) for one, others in opposes for other in others.split(",") if other),
        rewriters=dict(zip(framings["prompt_id"], framings["rewriter"], strict=True)),
        families=dict(zip(answers["respondent_id"], answers["family"], strict=True)),
        judge_families=dict(zip(scores["judge_model"], scores["judge_family"], strict=True)),
    )


def _name(of_set: str, asked: str, shows: str) -> str:
    """The name as far as it is known: of a file it is "" for the most part."""
    parts = (f"set {of_set}" if of_set else "", WAYS.get(asked, asked), SHOWN.get(shows, shows))
    return ", ".join(filter(None, parts))


def with_repeats(condition: "pd.Series[str]", replicate: "pd.Series[float]") -> "pd.Series[str]":
    """The condition, where a second answer to the prompt itself is one of its own."""
    return condition.where((condition != BASELINE) | (replicate == FIRST), AGAIN)
