"""The tables of a release: where each is, what a row of it is, and what its columns mean."""

from typing import Final

from analysis.release.core.audit_layouts import AUDIT_LAYOUTS
from analysis.release.core.columns import Layout, number, rubric_columns, text, whole
from analysis.release.core.framing_layouts import framing_layouts
from analysis.release.core.panel_layouts import panel_layouts
from analysis.release.core.pool_layouts import POOL_LAYOUTS
from analysis.release.core.trial_layouts import TRIAL_LAYOUTS
from annotation.study.core.rubric import Rubric

_PROMPT_ID: Final = text("prompt_id", "the prompt")
_JUDGE_ID: Final = text("judge_id", "the judge, by pseudonym")
_RESPONSE_ID: Final = text("response_id", "the answer: the same as true_id in judgments")
_TRUE_ID: Final = text("true_id", "the answer: the same as response_id in the tables of answers")
_LABEL: Final = text("blinded_label", "what this judge knew the answer by under this prompt", "Response A, B, …")
_ITEM_TYPE: Final = text(
    "item_type",
    "ordinary, with a deliberately weak answer, or with models’ answers only",
    "standard, cal_quality_floor, cal_source_attribution",
)
_ORDER_SEEN: Final = whole("order_seen", "the place of this prompt among those of the judge", "from 1")
_TEXT: Final = (
    whole("words", "words of the text"),
    text("text_sha256", "SHA-256 of the text in UTF-8"),
    text("text", "the answer as judges saw it, in one format whoever wrote it"),
)
_ORIGIN: Final = (
    text("source", "where the scenario came from"),
    text("scenario_key", "the scenario in its source"),
    text("stratum", "what the sample was stratified by"),
    text("generator", "family of the model that wrote the prompt"),
    text("model_id", "the model that wrote the prompt"),
    whole("position", "the prompt’s place among those written in one call"),
)
_FILTERED: Final = (
    text("underlying_issue", "what the prompt is about, as its model said"),
    text("diversity_dimensions", "how it differs from the others, as its model said"),
    whole("pass_count", "models that passed it"),
    text("votes", "whether it passed, by family of the model that voted", "JSON"),
    text("review", "what people said who reviewed it; empty where nobody did", "pass, fail"),
)

PROMPTS: Final = Layout(
    "SCRuBSample",
    "train",
    "SCRuBSample/study_prompts",
    "a prompt of the study; the columns from source on are blank where it did not come out of the study’s pool",
    ("prompt_id",),
    (
        _PROMPT_ID,
        text("domain", "what the prompt belongs to"),
        _ITEM_TYPE,
        whole("version", "version of the wording, from 1"),
        text("prompt_sha256", "SHA-256 of the wording in UTF-8"),
        text("prompt", "the wording that writers, models and judges saw"),
        *_ORIGIN,
        *_FILTERED,
        text("candidate_sha256", "SHA-256 of the wording as the model wrote it"),
    ),
)
HUMAN_ANSWERS: Final = Layout(
    "SCRuBAnnotations",
    "task1_responses",
    "SCRuBAnnotations/task1_human_responses",
    "a person’s answer to a prompt",
    ("prompt_id", "response_id"),
    (_RESPONSE_ID, _PROMPT_ID, text("participant_id", "the writer, by pseudonym"), *_TEXT),
)


def _model_answers(split: str, row: str) -> Layout:
    return Layout(
        "SCRuBAnnotations",
        split,
        f"SCRuBAnnotations/{split}",
        row,
        ("prompt_id", "response_id"),
        (
            _RESPONSE_ID,
            _PROMPT_ID,
            text("model", "the name that the study gave the model"),
            text("model_id", "the model, as its provider calls it"),
            text("family", "whose model it is"),
            text("arm", "how it was asked", "model (as people were), weak (on purpose), maximum (all it can)"),
            *_TEXT,
        ),
    )


STANDARD_ANSWERS: Final = _model_answers("model_responses_standard", "a model’s answer to an ordinary prompt")
CALIBRATION_ANSWERS: Final = _model_answers(
    "model_responses_calibration", "a model’s answer to a prompt whose items calibrate judges"
)
MAXIMUM_ANSWERS: Final = _model_answers(
    "model_responses_maximum", "a model’s answer at maximum capability, which no person judged"
)
MODEL_ANSWERS: Final = (STANDARD_ANSWERS, CALIBRATION_ANSWERS, MAXIMUM_ANSWERS)
ITEMS: Final = Layout(
    "SCRuBAnnotations",
    "task2_items",
    "SCRuBAnnotations/task2_annotation_items",
    "an answer that a judge was given, with its label: the orders as they were",
    ("prompt_id", "judge_id", "blinded_label"),
    (
        _PROMPT_ID,
        _JUDGE_ID,
        _LABEL,
        _TRUE_ID,
        _ITEM_TYPE,
        _ORDER_SEEN,
        whole("human_set", "which set of human answers of the prompt the item has; blank where it has none"),
        text("replaces_judge", "the judge in whose place this one judged; empty for none"),
        whole("withdrawn", "whether whoever wrote the answer has withdrawn their consent", "0, 1"),
    ),
)
GUESSES: Final = Layout(
    "SCRuBAnnotations",
    "task2_guesses",
    "SCRuBAnnotations/task2_guesses",
    "a judge’s guess, after their last item, who wrote an answer",
    ("prompt_id", "judge_id", "true_id"),
    (
        _PROMPT_ID,
        _JUDGE_ID,
        _TRUE_ID,
        text(
            "guess",
            "who wrote it, as the judge thought; in constitutional trials the key of a condition, or unknown",
            "human, model, unknown",
        ),
        whole("confidence", "how sure the judge was; blank for unknown", "1 to 5"),
    ),
)
PARTICIPANTS: Final = Layout(
    "SCRuBStudy",
    "participants",
    "SCRuBStudy/participants",
    "a writer or judge, and what they said of themselves as far as it may be told",
    ("participant_id",),
    (
        text("participant_id", "the person, by pseudonym"),
        text("role", "what they did in the study", "writer, judge"),
        text("highest_degree", "highest degree", "none, master, doctorate, withheld"),
        text("r1_institution", "doctorate from a research-intensive institution", "1 (yes), 0 (no), withheld"),
        text("discipline", "group of disciplines, or withheld"),
        text("years_experience", "years of research experience, or a band of years, or withheld"),
        text("country", "country, or region of the world, or withheld"),
        text("ideology", "position on the study’s instrument, whose poles study.json names, or withheld"),
    ),
)
TOMBSTONES: Final = Layout(
    "SCRuBStudy",
    "withdrawn",
    "SCRuBStudy/withdrawn",
    "a person or something of theirs that is not published, because they have withdrawn their consent",
    ("kind", "id", "prompt_id"),
    (
        text("kind", "who has withdrawn, or what of theirs is gone", "writer, judge, answer, item"),
        text("id", "the answer, or the person’s pseudonym; for an item that of its judge"),
        text("prompt_id", "the prompt; empty for people"),
        text("reason", "why it is gone"),
    ),
)
POOL: Final = Layout(
    "SCRuBEval",
    "train",
    "SCRuBEval/evaluation_dataset",
    "a prompt of the study’s pool that passes the quality filter",
    ("source", "stratum", "scenario_key", "generator", "model_id", "position", "prompt_sha256"),
    (
        *_ORIGIN,
        text("prompt", "the wording"),
        *_FILTERED,
        text("prompt_sha256", "SHA-256 of the wording in UTF-8"),
    ),
)


def judgments_layout(rubric: Rubric) -> Layout:
    """The layout of judgments by this rubric: the published columns first, extra ones behind."""
    low, high = rubric.composite_range
    return Layout(
        "SCRuBAnnotations",
        "task2_judgments",
        "SCRuBAnnotations/task2_human_judgments",
        "what a judge said of an answer",
        ("prompt_id", "judge_id", "blinded_label"),
        (
            _PROMPT_ID,
            _TRUE_ID,
            _LABEL,
            _ITEM_TYPE,
            text("true_source", "who wrote the answer", "human, model"),
            text("model", "the study’s name of the model; empty for people"),
            whole("rank", "place in this judge’s ranking; equals share the best place", "1 (best), 2, …"),
            number("score", f"the {rubric.combine} of the dimensions", f"{low} to {high}"),
            _JUDGE_ID,
            *rubric_columns(rubric, "whole"),
            number("mid_rank", "place in the ranking; equals share the mean of their places"),
            text("justification", "what the judge wrote of the item as a whole, the same for all its answers"),
            number("seconds", "from opening the item to submitting it, the same for all its answers"),
            _ORDER_SEEN,
            text("rubric_sha256", "SHA-256 of the rubric’s file"),
        ),
    )


def layouts(rubric: Rubric) -> tuple[Layout, ...]:
    """Every table of a release, in the order in which its data card tells of them. Those of answers under pressure,
    of trials, of audits and of where prompts come from are in the releases of studies that have any.
    """
    return (
        PROMPTS,
        HUMAN_ANSWERS,
        *MODEL_ANSWERS,
        ITEMS,
        judgments_layout(rubric),
        GUESSES,
        *panel_layouts(rubric),
        PARTICIPANTS,
        TOMBSTONES,
        POOL,
        *framing_layouts(rubric_columns(rubric, "number")),
        *TRIAL_LAYOUTS,
        *POOL_LAYOUTS,
        *AUDIT_LAYOUTS,
    )
