"""A study's audits of benchmarks: the tables that its release publishes."""

from collections.abc import Mapping, Sequence
from typing import Final

AUDIT_QUESTIONS: Final = (
    *("benchmark", "layout", "item", "story", "cluster", "source", "story_kind", "kind"),
    *("story_text", "question_text", "options", "gold", "gold_option"),
)
AUDIT_FLAGS: Final = ("benchmark", "item", "participant_id", "category", "verdict", "flaws", "notes", "evaluation")
AUDIT_RULINGS: Final = ("benchmark", "item", "category", "fate", "how", "correction", "changes", "reason", "weight")
AUDIT_SUBSETS: Final = ("benchmark", "subset", "item", "sha256")
AUDIT_PREDICTIONS: Final = (
    *("benchmark", "item", "respondent_id", "model_id", "mode", "wording", "number", "state", "prediction"),
)
AUDIT_REPHRASINGS: Final = ("benchmark", "item", "number", "model_id", "story_text", "question_text", "options")
AUDIT_MARKS: Final = (
    *("benchmark", "item", "respondent_id", "mode", "wording", "number", "by", "marker", "verdict"),
)
TEXT_COLUMNS: Final = frozenset(
    (
        *("benchmark", "layout", "story", "cluster", "source", "story_kind", "kind", "story_text"),
        *("question_text", "options", "gold", "participant_id", "category", "verdict"),
        *("flaws", "notes", "evaluation", "fate", "how"),
        *("correction", "changes", "reason", "subset", "sha256", "respondent_id", "model_id", "mode", "wording"),
        *("state", "prediction", "by", "marker"),
    )
)
COLUMNS: Final[Mapping[str, Sequence[str]]] = {
    "audit_questions": AUDIT_QUESTIONS,
    "audit_flags": AUDIT_FLAGS,
    "audit_rulings": AUDIT_RULINGS,
    "audit_subsets": AUDIT_SUBSETS,
    "audit_predictions": AUDIT_PREDICTIONS,
    "audit_rephrasings": AUDIT_REPHRASINGS,
    "audit_marks": AUDIT_MARKS,
}
_ASKED: Final = ("benchmark", "item", "respondent_id", "mode", "wording", "number")
ORDER: Final[Mapping[str, Sequence[str]]] = {
    "audit_questions": ("benchmark", "item"),
    "audit_flags": ("benchmark", "item", "participant_id"),
    "audit_rulings": ("benchmark", "item"),
    "audit_subsets": ("benchmark", "subset", "item"),
    "audit_predictions": _ASKED,
    "audit_rephrasings": ("benchmark", "item", "number"),
    "audit_marks": (*_ASKED, "by", "marker"),
}
PERSON, MODEL = "person", "model"
"""Who marked."""
