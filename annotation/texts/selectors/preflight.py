"""Texts as a coordinator looks at them before judging opens: in aggregates alone.

Which text is by a model stays unknown, and which prompt serves calibration. So figures are shown once no text waits
for a decision, and are of one set of texts everywhere: those that never were in quarantine, without deliberately
weak ones. Whoever clears a text, or takes that back, changes none of them. By arm they are of five texts or more.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.phrases import counted, percent
from annotation.platform.core.text import sha256_hex
from annotation.study.models.protocol import ModelAnswerRules
from annotation.study.models.studies import Study
from annotation.texts.core.arm_contrast import MIN_TEXTS, ArmText, Contrast, at_least, contrast
from annotation.texts.core.near_duplicates import near_duplicates
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.selectors.stimuli import never_quarantined, waiting_for_decision, weak_answers_out_of_range

TELLING: Final = 0.75
"""The share of texts told from which on length or format counts as a warning; ½ is what guessing gives."""


@dataclass(frozen=True)
class OverLimit:
    """How many of `texts` or more by models have more words than the study's `limit`, where they are kept."""

    limit: int
    texts: int
    over: int

    def __str__(self) -> str:
        have = f"{counted(self.over, 'answer')} of at least {self.texts} by models"
        return f"{have} {'has' if self.over == 1 else 'have'} more than {self.limit} words, the study’s limit."


@dataclass(frozen=True)
class NearPairs:
    """How many pairs of answers to the same prompt are nearly the same, and prompts with such a pair by people."""

    number: int
    by_people: tuple[str, ...]

    def __str__(self) -> str:
        are = "is" if self.number == 1 else "are"
        return f"{counted(self.number, 'pair')} of answers to the same prompt {are} nearly the same."


@dataclass(frozen=True)
class Preflight:
    """`contrast` and `over_limit` are `None` below five texts of an arm; `warnings` are what opening ignores."""

    contrast: Contrast | None
    over_limit: OverLimit | None
    near_pairs: NearPairs
    warnings: tuple[str, ...]

    @property
    def warnings_sha256(self) -> str:
        """What whoever opens judging in spite of the warnings has seen."""
        return sha256_hex("\n".join(self.warnings))


def is_told(study: Study) -> bool:
    """Whether figures are shown: writing has closed, and no text that judges may see is unread or in quarantine."""
    return study.state == "assembling" and not waiting_for_decision(study).exists()


def preflight(study: Study) -> Preflight | None:
    """Figures of texts that never were in quarantine; `None` as long as figures are not told."""
    if not is_told(study):
        return None
    shown = list(
        never_quarantined(study)
        .exclude(arm=Arm.WEAK)
        .select_related("prompt", "response")
        .order_by("prompt__position", "response_id")
    )
    found = contrast(
        [ArmText(stimulus.prompt.code, stimulus.arm == Arm.MODEL, stimulus.response.text) for stimulus in shown]
    )
    over, near = over_limit(study), _near_pairs(shown)
    return Preflight(
        contrast=found, over_limit=over, near_pairs=near, warnings=tuple(_warnings(study, found, over, near))
    )


def over_limit(study: Study) -> OverLimit | None:
    """How many answers by models are longer than models were told; `None` as long as figures are not told."""
    words = list(never_quarantined(study).filter(arm=Arm.MODEL).values_list("response__word_count", flat=True))
    if len(words) < MIN_TEXTS or not is_told(study):
        return None
    limit = study.model_word_limit
    return OverLimit(limit, at_least(len(words)), sum(each > limit for each in words))


def _near_pairs(shown: list[Stimulus]) -> NearPairs:
    by_prompt: defaultdict[str, list[Stimulus]] = defaultdict(list)
    for stimulus in shown:
        by_prompt[stimulus.prompt.code].append(stimulus)
    number, people = 0, []
    for code, stimuli in by_prompt.items():
        pairs = near_duplicates({place: stimulus.response.text for place, stimulus in enumerate(stimuli)})
        number += len(pairs)
        if any(stimuli[one].arm == stimuli[other].arm == Arm.HUMAN for one, other in pairs):
            people.append(code)
    return NearPairs(number, tuple(people))


def _warnings(study: Study, found: Contrast | None, over: OverLimit | None, near: NearPairs) -> list[str]:
    warnings = []
    for name, share in (("length", found.length), ("format", found.format)) if found else ():
        if share is not None and share >= TELLING:
            warnings.append(
                f"An outsider who guesses from {name} alone who, or what, wrote a text "
                f"would be right in {percent(share)} of cases if half were by models."
            )
    if over and over.over and study.over_limit == ModelAnswerRules.OverLimit.KEEP:
        warnings.append(str(over))
    if near.number:
        warnings.append(str(near))
    if weak_answers_out_of_range(study):
        warnings.append(
            "At least one deliberately weak answer has fewer or more words than every other answer to the same "
            "prompt: length alone may give it away."
        )
    return warnings
