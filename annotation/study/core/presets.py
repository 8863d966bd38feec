"""Protocol presets: what differs from the model fields' defaults, which are the full study of the paper."""

from collections.abc import Mapping

FULL: Mapping[str, object] = {}

PILOT: Mapping[str, object] = {
    "writing_minutes": 20,
    "feedback": "each_prompt",
    "allow_prompt_rewrites": True,
    "every_writer_answers_every_prompt": True,
    "answers_per_prompt": 5,
    "human_answers_per_item": 2,
    "model_answers_per_item": 2,
    "judging_mode": "ranking",
    "rationale": "required",
    "ratings_per_prompt": 5,
    "quality_floor_prompts": 0,
    "source_attribution_prompts": 0,
    "model_targets_expected": 2,
}

# Nobody writes and nobody judges: people annotate the questions of benchmarks.
AUDIT: Mapping[str, object] = {
    "answers_per_prompt": 0,
    "human_answers_per_item": 0,
    "model_answers_per_item": 1,
    "ratings_per_prompt": 0,
    "quality_floor_prompts": 0,
    "source_attribution_prompts": 0,
    "model_targets_expected": 1,
}

# Models answer each case under six conditions and models evaluate the answers; people judge, too, where the ratings
# of each prompt are more than none. Their last guesses name the condition.
TRIAL: Mapping[str, object] = {
    "answers_per_prompt": 0,
    "human_answers_per_item": 0,
    "model_answers_per_item": 6,
    "model_targets_expected": 6,
    "ratings_per_prompt": 0,
    "quality_floor_prompts": 0,
    "source_attribution_prompts": 0,
    "panel_mode": "per_dimension",
    "panel_judge_models": 5,
}

PRESETS: Mapping[str, Mapping[str, object]] = {"full": FULL, "pilot": PILOT, "audit": AUDIT, "trial": TRIAL}

RUBRICS: Mapping[str, str] = {"trial": "constitutional_reasoning-2"}
"""The rubric that a preset comes with, where it is another than the standard one."""
