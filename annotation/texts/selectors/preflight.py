"""Texts as a coordinator looks at them before judging opens: in aggregates alone.

Which text is by a model stays unknown: figures by arm are of five texts or more, and a figure that would fit one
text alone is not told by arm. Deliberately weak answers, and prompts, are in no figure by arm or by number: they
would tell what serves calibration.
"""

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.phrases import counted
from annotation.study.models.protocol import ModelAnswerRules
from annotation.study.models.studies import Study
from annotation.texts.core.arm_contrast import LEAST, ArmText, Contrast, contrast
from annotation.texts.core.near_duplicates import near_duplicates
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.selectors.clearances import cleared_texts
from annotation.texts.selectors.stimuli import weak_answers_out_of_range

TELLING: Final = 0.75
"""The share of texts told from which on length or format counts as a warning; ½ is what guessing gives."""


@dataclass(frozen=True)
class OverLimit:
    """Of `texts` by models those with more words than the study's `limit`, where they are kept and reported."""

    limit: int
    texts: int
    over: int


@dataclass(frozen=True)
class NearPairs:
    """Pairs of nearly identical answers: two people's by the prompt's code, and how many all others are."""

    people: tuple[tuple[str, int], ...]
    others: int

    @property
    def number(self) -> int:
        return self.others + sum(number for _, number in self.people)


@dataclass(frozen=True)
class Cleared:
    """How many texts were cleared; by arm only where five or more of either were."""

    number: int
    people: int | None
    models: int | None


@dataclass(frozen=True)
class Preflight:
    """`contrast` and `over_limit` are `None` below five texts of an arm; `warnings` are what opening ignores."""

    contrast: Contrast | None
    over_limit: OverLimit | None
    near_pairs: NearPairs
    cleared: Cleared
    warnings: tuple[str, ...]


def preflight(study: Study) -> Preflight:
    """Of the texts that are admitted by now."""
    shown = list(
        Stimulus.objects.filter(study=study, state="admitted")
        .exclude(arm=Arm.MAXIMUM)
        .select_related("prompt", "response")
        .order_by("prompt__position", "response_id")
    )
    found = contrast(
        [
            ArmText(stimulus.prompt.code, stimulus.arm == Arm.MODEL, stimulus.response.text)
            for stimulus in shown
            if stimulus.arm != Arm.WEAK
        ]
    )
    over, near = over_limit(study), _near_pairs(shown)
    return Preflight(
        contrast=found,
        over_limit=over,
        near_pairs=near,
        cleared=_cleared(study),
        warnings=tuple(_warnings(study, found, over, near)),
    )


def over_limit(study: Study) -> OverLimit | None:
    """How many admitted answers by models, weak ones among them, are longer than models were told."""
    lengths = Stimulus.objects.filter(study=study, state="admitted", arm__in=(Arm.MODEL, Arm.WEAK))
    words = list(lengths.values_list("response__word_count", flat=True))
    if len(words) < LEAST:
        return None
    return OverLimit(study.model_word_limit, len(words), sum(each > study.model_word_limit for each in words))


def _near_pairs(shown: list[Stimulus]) -> NearPairs:
    by_prompt: defaultdict[str, list[Stimulus]] = defaultdict(list)
    for stimulus in shown:
        by_prompt[stimulus.prompt.code].append(stimulus)
    people, others = [], 0
    for code, stimuli in by_prompt.items():
        pairs = near_duplicates({place: stimulus.response.text for place, stimulus in enumerate(stimuli)})
        by_people = sum(stimuli[one].arm == stimuli[other].arm == Arm.HUMAN for one, other in pairs)
        people += [(code, by_people)] if by_people else []
        others += len(pairs) - by_people
    return NearPairs(tuple(people), others)


def _cleared(study: Study) -> Cleared:
    cleared = [clearance.response for clearance in cleared_texts(study)]
    arms = list(Stimulus.objects.filter(pk__in=cleared).values_list("arm", flat=True))
    people = arms.count(Arm.HUMAN)
    models = len(arms) - people
    tells = min(people, models) >= LEAST
    return Cleared(len(cleared), people if tells else None, models if tells else None)


def _warnings(study: Study, found: Contrast | None, over: OverLimit | None, near: NearPairs) -> list[str]:
    warnings = []
    for name, share in (("length", found.length), ("format", found.format)) if found else ():
        if share is not None and share >= TELLING:
            warnings.append(f"An outsider could guess the arm of {share:.0%} of the texts from {name} alone.")
    if over and over.over and study.over_limit == ModelAnswerRules.OverLimit.KEEP:
        have = counted(over.over, "answer")
        warnings.append(f"{have} of {over.texts} by models have more than {over.limit} words, what they were told.")
    if near.number:
        warnings.append(f"{counted(near.number, 'pair')} of answers to the same prompt nearly the same.")
    if number := weak_answers_out_of_range(study):
        has = "A deliberately weak answer has" if number == 1 else f"{number} deliberately weak answers have"
        warnings.append(
            f"{has} fewer or more words than every other answer to the same prompt: length alone may give it away."
        )
    return warnings
