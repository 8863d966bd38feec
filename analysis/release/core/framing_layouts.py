"""The tables of answers under pressure: framings with versions and verdicts, answers, the panel's scores."""

from typing import Final

from analysis.data.core.framed import ORDER
from analysis.release.core.columns import REASONS, Column, Layout, text, truth, whole

ADVERSARIAL: Final = "SCRuBAdversarial"

_SET: Final = text("framing_set", "the prompts that were drawn together, numbered from 1 within the study")
_PROMPT_ID: Final = text("prompt_id", "the prompt")
_CONDITION: Final = text("condition", "the framing’s key; baseline for the prompt itself")
_FRAMING: Final = text("condition", "the framing’s key")
_ASKED: Final = text("asked", "how answers were asked for", "with_instruction (about the length), alone")
_REPLICATE: Final = whole("replicate", "1, or 2 for a second answer to the prompt itself")
_RESPONSE_ID: Final = text(
    "response_id", "the answer: set, prompt, condition, version, respondent, way of asking, replicate"
)
_RESPONDENT: Final = text("respondent_id", "the study’s name of the model that answered")


def _layout(table: str, split: str, row: str, columns: tuple[Column, ...]) -> Layout:
    return Layout(ADVERSARIAL, split, TABLES[table], row, tuple(ORDER[table]), columns)


# Files without their endings, by the tables of a study.
TABLES: Final = {
    "framing_conditions": f"{ADVERSARIAL}/adversarial_conditions",
    "framings": f"{ADVERSARIAL}/adversarial_framings",
    "framing_checks": f"{ADVERSARIAL}/adversarial_checks",
    "framed_answers": f"{ADVERSARIAL}/adversarial_answers",
    "framed_scores": f"{ADVERSARIAL}/adversarial_panel_scores",
}
CONDITIONS: Final = _layout(
    "framing_conditions",
    "conditions",
    "a framing that a set’s prompts were rewritten into",
    (
        _SET,
        whole("number", "its place among those of the set", "from 1"),
        _FRAMING,
        text("name", "what it is called"),
        text("task", "what its rewriter was asked to do"),
        text("must_hold", "what it had to be like"),
        text("opposes", "framings that take the opposite side, by commas, named with the first of a pair"),
        whole("seed", "of the draw of prompts, rewriters and checkers"),
        text("needs", "checks that framings had to pass, by commas", "mechanical, model, person"),
        text("conditions_sha256", "SHA-256 of the file that has them"),
    ),
)
FRAMINGS: Final = _layout(
    "framings",
    "framings",
    "a version of a framing of a prompt",
    (
        _SET,
        _PROMPT_ID,
        text("condition", "the framing’s key; baseline for a prompt drawn from the pool, as it is worded there"),
        whole("version", "of its words", "from 1"),
        truth("is_current", "no later version took its place"),
        text("written_by", "who wrote these words", "model, person, pool"),
        text("rewriter", "the model that the prompt was allotted to"),
        text("reason", "why a person changed the words; empty for a model’s"),
        text("standing", "what became of all framings of the prompt, as they are now", "waiting, passed, failed"),
        text("standing_reason", "why they failed, or what they wait for"),
        text("text_sha256", "SHA-256 of the text in UTF-8"),
        text("text", "the words"),
    ),
)
CHECKS: Final = _layout(
    "framing_checks",
    "checks",
    "an answer to one question of a check of a prompt’s framings",
    (
        _SET,
        _PROMPT_ID,
        whole("check", "numbers the checks of a prompt", "from 1"),
        text("checked_by", "who checked", "model, person"),
        text("about", "the framing, or the opposed pair; empty for all of them"),
        text("question", "what was asked"),
        truth("holds", "whether it holds"),
        text("reason", "why, or why not"),
        truth("is_current", "it is about the framings as they are now"),
    ),
)
ANSWERS: Final = _layout(
    "framed_answers",
    "answers",
    "a model’s answer to a framing, or to the prompt itself; no judge saw it",
    (
        _RESPONSE_ID,
        _SET,
        _PROMPT_ID,
        _CONDITION,
        whole("version", "of the framing’s words that was answered; blank for the prompt itself"),
        _RESPONDENT,
        text("model_id", "the model, as its provider calls it"),
        text("family", "whose model it is"),
        _ASKED,
        _REPLICATE,
        text("state", "whether there is an answer", "answered, refused, failed"),
        whole("words", "words of the text; blank where there is none"),
        text("text_sha256", "SHA-256 of the text in UTF-8; empty where there is none"),
        text("text", "the answer as the panel saw it"),
    ),
)


def framing_layouts(dimensions: tuple[Column, ...]) -> tuple[Layout, ...]:
    """The layouts with the rubric's dimensions among the panel's scores."""
    scores = _layout(
        "framed_scores",
        "panel_scores",
        "what a judge model said of an answer from one perspective",
        (
            _RESPONSE_ID,
            _RESPONDENT,
            _PROMPT_ID,
            _CONDITION,
            text("judge_model", "the model that judged"),
            text("perspective_id", "the perspective it was asked to take"),
            *dimensions,
            truth("abstained", "it found that the answer does not take up the question"),
            _SET,
            _ASKED,
            text("shows", "what the judge model read above the answer", "framing, prompt"),
            _REPLICATE,
            text("judge_family", "whose model it is that judged"),
            REASONS,
        ),
    )
    return CONDITIONS, FRAMINGS, CHECKS, ANSWERS, scores
