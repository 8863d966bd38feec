"""Parameters whose values cannot go together, however many prompts and people there are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from annotation.study.core.parameters import LABELS, SECTIONS
from annotation.study.core.workload import NO_PLACE_FOR_A_WEAK_ANSWER

MAX_ANSWERS: Final = 8  # in an item, labelled A to H


class Parameters(Protocol):
    """What of a study is compared."""

    @property
    def answers_per_item(self) -> int: ...

    target_words: int
    target_words_low: int
    target_words_high: int
    answers_per_prompt: int
    every_writer_answers_every_prompt: bool
    human_answers_per_item: int
    model_answers_per_item: int
    quality_floor_prompts: int
    judging_mode: str
    profile_questions: list[str]
    ideology_instrument: str


@dataclass(frozen=True)
class Contradiction:
    """What two or more parameters, named by their fields, say against each other."""

    names: Sequence[str]
    says: str


def contradictions(study: Parameters) -> Iterator[Contradiction]:
    """Yield what does not go together, each with its parameters by label and section."""
    outside = "the band has to contain the target"
    if study.target_words_low > study.target_words:
        yield _between(study, outside, "target_words_low", "target_words")
    if study.target_words_high < study.target_words:
        yield _between(study, outside, "target_words_high", "target_words")
    if not 1 <= study.answers_per_item <= MAX_ANSWERS:
        together = f"together an item shows between 1 and {MAX_ANSWERS} answers"
        yield _between(study, together, "human_answers_per_item", "model_answers_per_item")
    if study.answers_per_prompt < study.human_answers_per_item:
        more = "an item cannot show more human answers than its prompt collects"
        yield _between(study, more, "answers_per_prompt", "human_answers_per_item")
    if study.quality_floor_prompts and not study.model_answers_per_item:
        weak = NO_PLACE_FOR_A_WEAK_ANSWER[0].lower() + NO_PLACE_FOR_A_WEAK_ANSWER[1:].rstrip(".")
        yield _between(study, weak, "quality_floor_prompts", "model_answers_per_item")
    if study.every_writer_answers_every_prompt and not study.answers_per_prompt:
        nobody = "then no prompt collects an answer"
        yield _between(study, nobody, "every_writer_answers_every_prompt", "answers_per_prompt")
    if study.judging_mode == "ranking" and study.answers_per_item == 1:
        alone = "one answer alone cannot be ranked: show more, or let judges score it"
        yield _between(study, alone, "judging_mode", "human_answers_per_item", "model_answers_per_item")
    if "ideology" in study.profile_questions and not study.ideology_instrument:
        yield Contradiction(
            ("ideology_instrument", "profile_questions"),
            f"Political orientation is among {_called('profile_questions')}, so its instrument is needed: write it "
            f"in {_called('ideology_instrument')}, or leave the question out.",
        )
    if "r1_institution" in study.profile_questions and "highest_degree" not in study.profile_questions:
        yield Contradiction(
            ("profile_questions",),
            f"The doctorate’s institution is among {_called('profile_questions')}, so the highest degree has to be "
            "too.",
        )


def _between(study: Parameters, why: str, *names: str) -> Contradiction:
    values = [f"{_called(name)} is {_told(getattr(study, name))}" for name in names]
    return Contradiction(names, f"{', '.join(values[:-1])} and {values[-1]}: {why}.")


def _called(name: str) -> str:
    """A parameter by its label and where it is found."""
    section = next(section for section in SECTIONS if name in section.labels)
    return f"“{LABELS[name]}” (section “{section.title}”)"


def _told(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else f"{value}"
