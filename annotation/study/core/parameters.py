"""The parameters of a study as people meet them: in sections, by phase, each under a plain name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Section:
    """What is decided together.

    `labels` are plain names by field of `Study`, in the order of asking; `help` is what stands under some of them
    in place of what studies of other kinds say there.
    """

    key: str
    title: str
    lead: str
    labels: Mapping[str, str]
    help: Mapping[str, str] = field(default_factory=dict)


SECTIONS: Final = (
    Section(
        "about",
        "Title and purpose",
        "What the study is called and what it is for, as its people and an ethics board read it.",
        {"title": "Title", "description": "Purpose"},
    ),
    Section(
        "people",
        "People and consent",
        "Who may take part, what they are asked about themselves, and what they agree to.",
        {
            "profile_questions": "Questions of the profile",
            "minimum_degree": "Lowest degree",
            "minimum_years_experience": "Years of research experience",
            "ideology_instrument": "Instrument for political orientation",
            "consent_text": "Consent text",
            "names_kept_months": "Months for which names are kept",
        },
    ),
    Section(
        "prompts",
        "Prompts",
        "How candidate prompts are written by models, filtered, compared and sampled.",
        {
            "prompts_per_scenario": "Prompts for each scenario",
            "quality_voting": "Who votes on a prompt",
            "quality_passes_needed": "Votes needed",
            "equivalence": "When two prompts count as the same",
            "mixed_pair_evaluators": "Who compares prompts of two models",
            "pair_order": "Order of two prompts compared",
            "diversity_after_filter": "Diversity after the filter",
            "prompts_per_source": "Prompts from each source",
            "sampling_seed": "Seed of the sample",
        },
    ),
    Section(
        "writing",
        "Writing",
        "What writers are asked to do, and in how much time.",
        {
            "answers_per_prompt": "Answers to each prompt",
            "every_writer_answers_every_prompt": "Every writer answers every prompt",
            "writing_minutes": "Minutes for an answer",
            "target_words": "Words aimed at",
            "target_words_low": "Fewest words on target",
            "target_words_high": "Most words on target",
            "prompts_per_session": "Prompts before a break",
            "break_minutes": "Minutes of a break",
            "transport_grace_seconds": "Seconds of grace",
            "feedback": "Feedback",
            "allow_prompt_rewrites": "Rewrites of prompts",
            "paste_policy": "Pasted text",
            "writing_aids": "Writing aids of the browser",
        },
    ),
    Section(
        "models",
        "Model answers",
        "Which answers models give to the same prompts.",
        {
            "model_targets_expected": "Models",
            "model_word_limit": "Word limit",
            "over_limit": "Answers over the limit",
            "over_limit_attempts": "Attempts at an answer over the limit",
            "matched_effort": "Effort for answers that judges see",
            "maximum_effort": "Effort for answers that are evaluated by models alone",
            "output_token_cap": "Most tokens for an answer",
        },
    ),
    Section(
        "judging",
        "Judging",
        "What judges see of each prompt, and what they give.",
        {
            "human_answers_per_item": "Human answers in an item",
            "model_answers_per_item": "Model answers in an item",
            "human_sets": "Sets of human answers",
            "ratings_per_prompt": "Ratings of each prompt",
            "judging_mode": "What judges give",
            "item_opens_with": "What an item opens with",
            "rationale": "Justification in words",
            "minutes_per_item": "Minutes for an item",
            "quality_floor_prompts": "Prompts with a deliberately weak answer",
            "source_attribution_prompts": "Prompts with model answers only",
            "answers_per_target_in_attribution": "Answers of one model where all are a model’s",
            "guess_items": "Items to guess about",
            "reopen_minutes": "Minutes to take an item back",
            "lease_hours": "Hours until an item counts as stalled",
            "asks_about_equal_scores": "Question about equal scores",
        },
    ),
    Section(
        "panel",
        "Panel",
        "How the automated panel of disciplinary perspectives scores the same answers.",
        {
            "panel_mode": "What the panel gives",
            "panel_judge_models": "Models for each perspective",
            "panel_rubric_parts": "What of the rubric it is told",
            "panel_gives_reasons": "Reasons beside scores",
            "panel_retries": "Retries after an unreadable reply",
            "panel_sees_abstentions": "Abstentions count",
        },
    ),
    Section(
        "fees",
        "Fees and days",
        "What people are paid, and by when their work should be done. All but the currency can change at any time.",
        {
            "writing_due_on": "Answers due on",
            "judging_due_on": "Items due on",
            "fee_per_answer": "Fee for an answer",
            "fee_per_item": "Fee for an item",
            "currency": "Currency",
        },
    ),
)

_BY_KEY: Final = {section.key: section for section in SECTIONS}

# Nobody writes or judges in an audit of benchmarks: it has fewer parameters, about its questions.
AUDIT_SECTIONS: Final = (
    _BY_KEY["about"],
    _BY_KEY["people"],
    Section(
        "models",
        "Models",
        "How models answer the questions, put them into other words and mark answers.",
        {
            "matched_effort": "Effort",
            "output_token_cap": "Most tokens for a reply",
            "panel_retries": "Retries after an unreadable reply",
        },
        {
            "matched_effort": "Of every model that knows degrees of it, unless the model has one of its own.",
            "output_token_cap": "Room for reasoning and answer; a benchmark can have a cap of its own.",
        },
    ),
    Section(
        "fees",
        "Fees and days",
        _BY_KEY["fees"].lead,
        {
            "judging_due_on": "Questions due on",
            "fee_per_item": "Fee for a question",
            "currency": "Currency",
        },
        {
            "judging_due_on": "Day by which all questions should be annotated and ruled on.",
            "fee_per_item": (
                "For a question annotated or ruled on, and for a mark. Applies to those already done as well; "
                "once there is one, the fee can only rise."
            ),
        },
    ),
)


def sections_of(preset: str) -> tuple[Section, ...]:
    """Sections in which a study of this kind has anything to decide."""
    return AUDIT_SECTIONS if preset == "audit" else SECTIONS


LABELS: Final[Mapping[str, str]] = {
    **{name: label for section in SECTIONS for name, label in section.labels.items()},
    "preset": "Protocol",
    "rubric_id": "Rubric",
    "consent_version": "Version of the consent text",
}


def labels_of(preset: str) -> Mapping[str, str]:
    """The name of every parameter, as a study of this kind has it."""
    own = {name: label for section in sections_of(preset) for name, label in section.labels.items()}
    return {**LABELS, **own}


# What forms say under a label; under all others stands the model's own help text.
HELP: Final[Mapping[str, str]] = {
    "description": "People of the study read it on the study’s page, an ethics board in the protocol.",
    "minimum_degree": "Whoever has a lower one cannot take part.",
    "minimum_years_experience": "Whoever has fewer cannot take part.",
    "ideology_instrument": (
        "The statements that people agree or disagree with, as a text file in the format TOML. Needed where "
        "political orientation is among the questions; fixed with the design."
    ),
    "consent_text": (
        "What participants agree to, in plain words. Blank lines part it; a part of several lines begins with its "
        "heading. Every change makes a new version, and whoever has agreed to the one before is asked again. "
        "A place to be filled in is written “[to fill in: …]”; the design is not locked before."
    ),
    "names_kept_months": (
        "Counted from the release, from 0 to 240. Then the site erases names and addresses of those who take "
        "part in no other study, which cannot be undone; what they contributed stays under their pseudonyms. "
        "Empty: names are kept until somebody asks for theirs to be erased."
    ),
    "quality_voting": "Models vote on every candidate prompt before it is compared with others.",
    "equivalence": "The answers of the models that compare the two.",
    "pair_order": "A model that is swayed by the order would otherwise be swayed in the same way throughout.",
    "mixed_pair_evaluators": "Where two different models wrote the two prompts.",
    "prompts_per_source": "Drawn at random from those left.",
    "writing_minutes": "Empty for writing without a time limit.",
    "judging_mode": "A score on each dimension of the rubric, or places from best to worst.",
    "panel_mode": "When it is validated against people.",
    "fee_per_answer": "Applies to answers already handed in as well; once there is one, the fee can only rise.",
    "fee_per_item": "Applies to items already submitted as well; once there is one, the fee can only rise.",
}
