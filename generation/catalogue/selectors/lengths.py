"""Wordings that tell models another length than the study tells its writers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from annotation.study.core.workload import MAX_LENGTH_RATIO, Concern
from annotation.study.models.studies import Study
from generation.catalogue.core.lengths_said import numbers_of_words, tells_length
from generation.catalogue.selectors.templates import TemplateLine, templates_of

SHOWN: Final = ("answer", "weak_answer")  # what judges see beside people's answers was asked by these


@dataclass(frozen=True)
class WordingConcern(Concern):
    """`template` names the template whose wording may not be meant."""

    template: str = ""


def lengths_told_apart(study: Study) -> list[WordingConcern]:
    """Whose wordings name a number of words far from what writers aim at, or none; only where judges see both."""
    if not study.human_answers_per_item or not study.model_answers_per_item:
        return []
    return [found for line in templates_of(study) if line.kind.name in SHOWN for found in _concerns(study, line)]


def _concerns(study: Study, line: TemplateLine) -> Iterator[WordingConcern]:
    target, text, name = study.target_words, line.current.text, line.kind.name
    called, about = f"The wording “{line.kind.title}”", ("target_words",)
    if not tells_length(text):
        says = f"{called} tells models no length; writers aim at {target:,} words."
        yield WordingConcern(says, about, name)
    for number in dict.fromkeys(numbers_of_words(text)):
        if not target / MAX_LENGTH_RATIO <= number <= MAX_LENGTH_RATIO * target:
            says = f"{called} tells models {number:,} words; writers aim at {target:,}."
            yield WordingConcern(says, about, name)
