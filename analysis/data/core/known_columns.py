"""What columns of files of ratings are called, where nobody says what they are."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import pandas as pd

from analysis.data.core.cell_numbers import names_a_measure, numbers, parted
from analysis.data.core.rated_columns import advice

# What columns of identifiers go by, where nobody says which they are.
ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "unit": ("true_id", "response_id", "answer_id", "unit_id", "answer", "response", "item"),
    "prompt": (
        *("prompt_id", "question_id", "question", "scenario", "story", "passage", "passage_id", "document"),
        *("document_id", "doc", "doc_id", "article", "article_id", "dialogue", "dialogue_id", "query", "query_id"),
        *("instruction", "instruction_id"),
    ),
    "respondent": ("respondent_id", "model", "system", "source", "writer", "author"),
    "condition": ("condition_id", "framing"),
    "evaluator": (
        *("judge_id", "judge_model", "evaluator_id", "rater", "rater_id", "annotator", "annotator_id", "worker"),
        *("worker_id", "judge", "coder", "coder_id", "reviewer", "reviewer_id", "participant", "participant_id"),
        *("prolific_pid", "prolific_id", "user", "user_id"),
    ),
    "perspective": ("perspective_id",),
    "replicate": ("repeat", "run"),
    "item_type": (),
    "conclusion": ("conclusion_code",),
    "dimension": ("criterion", "aspect"),
    "value": ("rating",),
    "status": (),
    "abstained": (),
}
# A row for every single rating says both.
SINGLE: Final = frozenset(("dimension", "value"))
NEEDED: Final[Mapping[str, str]] = {"unit": "the answer", "evaluator": "the rater"}
ANSWERED: Final = ("prompt", "respondent")  # what names an answer where no column does by itself
BY_RATER: Final = "by_rater"  # what a column is called that has what the rater of its name gave
EVALUATOR: Final = "evaluator"


def called_so(columns: Collection[str], names: Sequence[str]) -> str | None:
    """The first of the columns that is called so; else one that is but for capitals and separators of words."""
    alike: dict[str, str] = {}
    for column in columns:
        alike.setdefault("_".join(re.split(r"[\W_]+", parted(column).casefold().strip())), column)
    return next((name for name in names if name in columns), None) or next(
        (alike[name] for name in names if name in alike), None
    )


def names_something(column: str) -> bool:
    """Whether a column is called as those of prompts, sources or raters are, one of which another column may be."""
    return any(called_so((column,), (ours, *ALSO[ours])) for ours in ("prompt", "respondent", "evaluator"))


def how_answers(
    table: pd.DataFrame, found: Mapping[str, tuple[str, ...]], codes: Mapping[str, float], is_by_rater: bool
) -> str:
    """What to do where nothing names answers: they have sources, or columns of their own."""
    if "respondent" in found:
        source = "+".join(found["respondent"])
        return f". If an answer is what “{source}” gives to a prompt, say which column names the prompt (prompt)"
    if is_by_rater:
        return ""
    two = _two_of_numbers(table, found, codes)
    return two and f". If columns such as {two} are each of one answer, write a row for each answer"


def how_raters(table: pd.DataFrame, found: Mapping[str, tuple[str, ...]], codes: Mapping[str, float]) -> str:
    """What to do where nothing names raters: they have columns of their own, or there is only one."""
    if crossing := advice(list(table.columns)):
        return crossing
    two = _two_of_numbers(table, found, codes)
    own = two and f". If columns such as {two} have what the rater of that name gave, say so of each ({BY_RATER})"
    return f"{own}. If one rated everything, let {EVALUATOR}=NAME hold for every row"


def _two_of_numbers(table: pd.DataFrame, found: Mapping[str, tuple[str, ...]], codes: Mapping[str, float]) -> str:
    """The first two columns of numbers that are of nothing known; "" where there are fewer."""
    used = {name for names in found.values() for name in names}
    others = [name for name in table.columns if name not in used and not names_a_measure(name, table.columns)]
    names = [name for name in others if numbers(table[name], codes).notna().any()]
    return f"“{names[0]}” and “{names[1]}”" if len(names) > 1 else ""
