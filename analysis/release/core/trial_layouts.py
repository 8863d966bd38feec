"""The tables of constitutional trials: what was asked under which conditions, answered, and scored."""

from typing import Final

from analysis.data.core.study_trials import ORDER
from analysis.release.core.columns import Column, Layout, number, text, truth, whole

TRIALS: Final = "ConstitutionalTrials"

_CONDITION: Final = text("condition", "the condition’s key")
_SCENARIO: Final = text("scenario", "the scenario’s key")
_ANSWER_ID: Final = text("answer_id", "the answer: case, condition, replicate and take")


def _layout(table: str, split: str, row: str, columns: tuple[Column, ...]) -> Layout:
    return Layout(TRIALS, split, TRIAL_TABLES[table], row, tuple(ORDER[table]), columns)


# Files without their endings, by the tables of a study.
TRIAL_TABLES: Final = {
    "trial_conditions": f"{TRIALS}/trial_conditions",
    "trial_scenarios": f"{TRIALS}/trial_scenarios",
    "trial_answers": f"{TRIALS}/trial_answers",
    "trial_scores": f"{TRIALS}/trial_scores",
    "trial_conclusions": f"{TRIALS}/trial_conclusions",
}
TRIAL_LAYOUTS: Final = (
    _layout(
        "trial_conditions",
        "conditions",
        "a condition that cases were answered under, or a positive control",
        (
            _CONDITION,
            whole("number", "its place in the file", "from 1"),
            text("kind", "what it is", "baseline, framework, control"),
            text("name", "what it is called"),
            text("text", "what a model was told; empty for the baseline"),
            text("turn", "where a model was told it", "system, user"),
            text("integrity", "the dimension that is tested for equality"),
            number("margin", "the points within which integrity counts as equal, fixed with the design"),
            number("smallest_effect", "the smallest difference of other dimensions that matters, in points"),
            whole("seed", "of who answered what, and of the codes of cases"),
            text("conditions_sha256", "SHA-256 of the file that has them"),
        ),
    ),
    _layout(
        "trial_scenarios",
        "scenarios",
        "a scenario with established facts",
        (
            _SCENARIO,
            whole("number", "its place among them", "from 1"),
            text("title", "what it is called"),
            text("situation", "who decides, and where"),
            text("facts", "what is true for the purpose of the trial, a fact in each line"),
            text("question", "what is to be decided"),
            text("tensions", "what is at stake, a line each; sent to no model"),
            truth("is_new", "it was written for the study"),
        ),
    ),
    _layout(
        "trial_answers",
        "answers",
        "an answer that was asked for",
        (
            _ANSWER_ID,
            text("prompt_id", "the case: a scenario and a model"),
            _SCENARIO,
            _CONDITION,
            whole("replicate", "numbers answers to a case under one condition", "from 1"),
            text("respondent_id", "the study’s name of the model that answered"),
            text("model_id", "the model, as its provider calls it"),
            text("family", "whose model it is"),
            text("state", "whether there is an answer", "answered, failed"),
            text("response_id", "the answer among those that people may have judged; empty for others"),
            text("recommendation", "what the answer recommends, in its own words"),
            whole("words", "words of the text; blank where there is none"),
            text("text_sha256", "SHA-256 of the text in UTF-8; empty where there is none"),
            text("text", "the answer as it was evaluated"),
        ),
    ),
    _layout(
        "trial_scores",
        "scores",
        "what an evaluator gave an answer on a dimension",
        (
            _ANSWER_ID,
            text(
                "approach", "the way the evaluator was asked, by the letter of its place in the rubric", "A, B, …"
            ),
            text("variant", "the same by the rubric’s own key"),
            text("judge_model", "the study’s name of the evaluator"),
            text("judge_family", "whose model it is"),
            whole("replicate", "numbers scores of an answer by one evaluator", "from 1"),
            text("dimension", "the rubric’s dimension"),
            number("value", "the score, on the scale of the approach; blank where the reply failed"),
            text("state", "why there is no score", "failed"),
            whole("together", "how many dimensions the call asked about, a row for each", "from 1"),
            number("cost", "what the call cost with its failed attempts, in US dollars, an equal part in each row"),
            Column("reason", "text", "what the evaluator wrote beside the score", optional=True),
        ),
    ),
    _layout(
        "trial_conclusions",
        "conclusions",
        "what a coder took an answer to recommend",
        (
            _ANSWER_ID,
            text(
                "coder",
                "a coder, who knew neither condition nor model: a person by number, a model by name; or that "
                "coders’ difference was settled",
            ),
            text("conclusion", "the category, which is one of the scenario’s own; a model may say “none of these”"),
        ),
    ),
)
