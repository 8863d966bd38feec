"""A study's trials as they were designed."""

from functools import lru_cache

from annotation.study.core.rubric import Rubric
from annotation.study.models.studies import Study
from generation.catalogue.models import Target
from generation.trials.core.cases import left_unjudged
from generation.trials.core.conditions import SHIPPED_TOML, TrialConditions, read_trial_conditions
from generation.trials.models import TrialCase, TrialDesign

LETTERS = "ABCDEFGH"  # as analyses have them


def design_of(study: Study) -> TrialDesign:
    """The study's, or what it would have as it is; that is not kept."""
    return TrialDesign.objects.filter(study=study).first() or TrialDesign(study=study, conditions_toml=SHIPPED_TOML)


def conditions_of(design: TrialDesign) -> TrialConditions:
    return _read(design.conditions_toml)


@lru_cache(maxsize=16)
def _read(toml: str) -> TrialConditions:
    return read_trial_conditions(toml)


def caution_of(study: Study) -> str:
    """Which answers nobody judges, in words; "" where there are no such answers."""
    return left_unjudged(
        len(conditions_of(design_of(study)).conditions),
        in_an_item=study.model_answers_per_item,
        ratings=study.ratings_per_prompt,
    )


def has_trials(study: Study) -> bool:
    return TrialCase.objects.filter(prompt__study=study).exists()


def answering_models(study: Study) -> list[Target]:
    return _models(study, Target.Role.ANSWERS)


def evaluators_of(study: Study) -> list[Target]:
    return _models(study, Target.Role.PANEL)


def approaches_of(rubric: Rubric) -> list[tuple[str, str, str, int]]:
    """Letter, key and name of each way to ask by the rubric, and how many calls an answer takes."""
    return [
        (letter, variant.key, variant.name, len(rubric.dimensions) if variant.prompting == "separate" else 1)
        for letter, variant in zip(LETTERS, rubric.variants, strict=False)
    ]


def _models(study: Study, role: str) -> list[Target]:
    targets = Target.objects.filter(study=study, role=role, retired_at__isnull=True)
    return list(targets.select_related("study").order_by("family"))
