"""The texts a study has, and those it still lacks before judging can open. For coordinators and assembling."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import comb
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from annotation.platform.core.phrases import counted
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.texts.models.model_readings import TextReading
from annotation.texts.models.provenance import Arm, Kind, PromptPlan, Stimulus, TextClearance, TextEdit

# Whether the text of a writing assignment was rejected or withdrawn, so that it fills no place.
IS_OUT: Final = Exists(Stimulus.objects.filter(response=OuterRef("response"), state__in=("rejected", "withdrawn")))

WAITING: Final[Mapping[str, str]] = {"received": "still being read", "quarantined": "in quarantine"}


@dataclass(frozen=True)
class Text:
    """An admitted text by response id."""

    response: UUID
    source_code: str


@dataclass(frozen=True)
class PromptTexts:
    """The admitted texts of one prompt that items can show, in a stable order, and what its items are for."""

    prompt_id: int
    code: str
    kind: Kind
    human: tuple[Text, ...]
    model: Mapping[str, tuple[Text, ...]]
    weak: tuple[Text, ...]


@dataclass(frozen=True)
class Shortfall:
    """One thing that stands between a prompt and its items, in words.

    `is_waiting` where the texts are there and merely wait: to be read, or for a decision.
    """

    code: str
    lacks: str
    is_waiting: bool = False


def texts_by_prompt(study: Study) -> list[PromptTexts]:
    """Every prompt of the study with its admitted texts, in the prompts' order."""
    kinds = dict(PromptPlan.objects.filter(prompt__study=study).values_list("prompt_id", "kind"))
    found: dict[tuple[int, str], list[Text]] = {}
    for stimulus in Stimulus.objects.filter(study=study, state="admitted").order_by("response_id"):
        text = Text(stimulus.response_id, stimulus.source_code)
        found.setdefault((stimulus.prompt_id, stimulus.arm), []).append(text)
    return [
        PromptTexts(
            prompt_id=prompt.pk,
            code=prompt.code,
            kind=Kind(kinds.get(prompt.pk, Kind.STANDARD)),
            human=tuple(found.get((prompt.pk, Arm.HUMAN), ())),
            model=_by_source(found.get((prompt.pk, Arm.MODEL), ())),
            weak=tuple(found.get((prompt.pk, Arm.WEAK), ())),
        )
        for prompt in Prompt.objects.filter(study=study)
    ]


def _by_source(texts: Iterable[Text]) -> dict[str, tuple[Text, ...]]:
    grouped: dict[str, list[Text]] = {}
    for text in texts:
        grouped.setdefault(text.source_code, []).append(text)
    return {source: tuple(grouped[source]) for source in sorted(grouped)}


def unread_texts(study: Study) -> int:
    """How many texts were received and are still being read."""
    return Stimulus.objects.filter(study=study, state="received").count()


def waiting_for_decision(study: Study) -> QuerySet[Stimulus]:
    """Texts that judges may yet be shown, and that are being read or in quarantine."""
    return Stimulus.objects.filter(study=study, state__in=WAITING).exclude(arm=Arm.MAXIMUM)


def never_quarantined(study: Study) -> QuerySet[Stimulus]:
    """Admitted texts that judges may see and that nobody had to decide about, so that no decision adds one."""
    shown = Stimulus.objects.filter(study=study, state="admitted", flags=[]).exclude(arm=Arm.MAXIMUM)
    return shown.exclude(
        Exists(TextClearance.objects.filter(response=OuterRef("pk")))
        | Exists(TextEdit.objects.filter(response=OuterRef("pk")))
        | Exists(TextReading.objects.filter(response=OuterRef("pk"), verdict__gt=0))
    )


def shortfalls(study: Study) -> list[Shortfall]:
    """What is needed before judging can open; empty when every needed text is admitted.

    What else a prompt lacks is shown once none of its texts waits: the one that does may be all of it. Asking for
    more meanwhile would tell whose it is, or what the prompt is for.
    """
    waiting = Counter(waiting_for_decision(study).values_list("prompt__code", "state"))
    found = [
        Shortfall(code, f"{counted(number, 'text')} {WAITING[state]}", is_waiting=True)
        for (code, state), number in sorted(waiting.items())
    ]
    waits = {code for code, _ in waiting}
    for prompt in texts_by_prompt(study):
        if prompt.code in waits:
            continue
        found += [Shortfall(prompt.code, lack) for lack in _lacks(study, prompt)]
    return found


def _lacks(study: Study, prompt: PromptTexts) -> list[str]:
    """What is lacking, in words that are the same whatever the prompt's items are for: coordinators read them.

    So human answers are asked for on every prompt, also where items show none.
    """
    lacks = []
    if lack := human_shortfall(study, len(prompt.human)):
        lacks.append(lack)
    if missing := _missing_models(study, prompt):
        by = f"under {counted(missing, 'condition')}" if study.is_trial else f"by {counted(missing, 'model')}"
        lacks.append(f"answers {by}")
    return lacks


def human_shortfall(study: Study, number: int) -> str:
    """What a prompt with that many human answers lacks of them before judging can open; empty for nothing."""
    shown, sets = study.human_answers_per_item, comb(number, study.human_answers_per_item)
    if number < shown:
        return counted(shown - number, "human answer")
    if shown and study.sets_rotate and sets < study.ratings_per_prompt:
        have, ratings = counted(number, "human answer"), study.ratings_per_prompt
        return f"more human answers: {have} give {counted(sets, 'set')} for {ratings} ratings"
    return ""


def weak_answers_out_of_range(study: Study) -> int:
    """How many deliberately weak answers that items can show are set apart by their length alone.

    Such a one has fewer or more words than every other answer to its prompt; texts that were ever in quarantine are
    left out. Which prompt that is, is not told: coordinators do not know what prompts are for.
    """
    lengths: dict[tuple[int, bool], list[int]] = {}
    shown = never_quarantined(study).order_by("response_id")
    for prompt, arm, words in shown.values_list("prompt_id", "arm", "response__word_count"):
        lengths.setdefault((prompt, arm == Arm.WEAK), []).append(words)
    weak = {prompt: words[0] for (prompt, is_weak), words in lengths.items() if is_weak}  # the first is shown
    others = {prompt: words for (prompt, is_weak), words in lengths.items() if not is_weak}
    return sum(
        not min(others[prompt]) <= words <= max(others[prompt])
        for prompt, words in weak.items()
        if prompt in others
    )


def _missing_models(study: Study, prompt: PromptTexts) -> int:
    """How many models have not given all the answers that the prompt's items need of them."""
    each = study.answers_per_target_in_attribution if prompt.kind == Kind.SOURCE_ATTRIBUTION else 1
    complete = sum(len(texts) >= each for texts in prompt.model.values())
    missing = max(0, study.model_targets_expected - complete)
    is_weak_missing = prompt.kind == Kind.QUALITY_FLOOR and not prompt.weak
    return max(missing, int(is_weak_missing))
