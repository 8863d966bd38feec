"""Composes prompts, and verdicts on prompts, for demonstrations and tests. Nothing in them depends on chance."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from generation.calls.core.retries import FaultOfBundle
from generation.demo.core.deterministic_rng import DeterministicRng, chance
from generation.demo.core.synthetic import DATA, SLOT, STOCK, topics_of
from generation.demo.core.synthetic_scores import words_of
from generation.prompts.core.prompt_replies import WrittenBundle, WrittenPrompt, tagged
from generation.prompts.core.quality import CRITERIA, REJECTIONS

_STOCK = tomllib.loads((DATA / "synthetic_prompts.toml").read_text(encoding="utf-8"))
_FLAWS: Mapping[str, Mapping[str, Any]] = _STOCK["flaws"]
FAULTS: Sequence[FaultOfBundle] = ("untagged", "not_five", "label_length", "question_length")

# Of a generator without any quality this share of prompts is flawed.
_FLAWED = 0.6
# How often a judge notices a flaw, and how often at most one finds a fault where there is none.
_NOTICES, _WRONGLY = 0.85, 0.12
# Two prompts with this share of their words in common, more or less, ask for the same.
_ALIKE, _TASTE = 0.34, 0.2


@dataclass(frozen=True, slots=True)
class _Aspect:
    """One side of what a prompt asks for, and the frame of the sentence that brings it in."""

    name: str
    frame: str


@dataclass(frozen=True, slots=True)
class _Angle:
    """What a prompt asks for: where the matter shows, what the difficulty is, and through whose eyes it is seen."""

    institution: _Aspect
    reasoning: _Aspect
    discipline: _Aspect

    @property
    def in_words(self) -> str:
        return f"{self.discipline.name}; {self.reasoning.name}; {self.institution.name}"


def compose_bundle(material: str, *, number: int, seed: str, quality: float, variety: float) -> WrittenBundle:
    """`number` prompts that take their topics from the material, each in the form asked of models.

    The same arguments give the same prompts on every Python. `quality` and `variety` run from 0 to 1: the higher,
    the fewer prompts are flawed, or repeat what the first one asks for in another setting.
    """
    writer = _Writer(DeterministicRng("\x1f".join((seed, material))), topics_of(material), quality, variety)
    angles = writer.angles(number)
    prompts = tuple(writer.prompt(angle) for angle in angles)
    lines = (f"{place}. {angle.in_words}" for place, angle in enumerate(angles, start=1))
    return WrittenBundle("\n".join([writer.opening(), *lines]), prompts)


def spoilt(bundle: WrittenBundle, fault: FaultOfBundle) -> str:
    """The bundle as a reply that is not in the form asked for, by this fault."""
    *others, last = bundle.prompts
    if fault == "untagged":
        return f"Here are the prompts.\n{tagged(bundle)}"
    if fault == "label_length":
        others.append(replace(last, label="A matter of judgement"))
    elif fault == "question_length":
        others.append(replace(last, text=last.text.replace(". ", ", and ")))
    return tagged(replace(bundle, prompts=tuple(others)))


def judge_prompt(text: str, *, judge: str) -> dict[str, Any]:
    """A vote on a prompt's quality, as a reply: most flaws of composed prompts are noticed, and a few imagined."""
    found = [code for code, flaw in _FLAWS.items() if flaw["cue"] in text]
    against = [code for code in found if chance(judge, text, code) < _NOTICES]
    reasons = [_FLAWS[code]["reason"] for code in against]
    if not found and chance(judge, text, "doubt") < _WRONGLY * chance(judge, "severity"):
        against, reasons = ["depth"], [_STOCK["remarks"]["doubts"]]
    return {
        "reason": " ".join(reasons) or _remark("passes", judge, text),
        **{name: name not in against for name in CRITERIA},
        "rejections": [name for name in REJECTIONS if name in against],
        "passes": not against,
    }


def compare_prompts(first: str, second: str, *, judge: str) -> dict[str, Any]:
    """A vote on two prompts, as a reply: those with enough words in common are equivalent."""
    ours, theirs = set(words_of(first)), set(words_of(second))
    in_common = len(ours & theirs) / max(len(ours | theirs), 1)
    is_equivalent = in_common > _ALIKE + _TASTE * (chance(judge, *sorted((first, second))) - 0.5)
    return {
        "reason": _remark("alike" if is_equivalent else "different", judge, first),
        "is_equivalent": is_equivalent,
    }


def _remark(kind: str, *what: str) -> str:
    remarks: Sequence[str] = _STOCK["remarks"][kind]
    return remarks[int(chance(kind, *what) * len(remarks))]


class _Writer:
    """Writes the prompts of one bundle."""

    def __init__(self, rng: DeterministicRng, topics: Sequence[str], quality: float, variety: float) -> None:
        self._rng = rng
        self._topics = topics
        self._quality = quality
        self._variety = variety

    def angles(self, number: int) -> list[_Angle]:
        """Each with institution, reasoning and discipline of its own, or those of the first in another place."""
        kinds = (self._aspects(kind, number) for kind in ("institutions", "reasonings", "disciplines"))
        drawn = [_Angle(*aspects) for aspects in zip(*kinds, strict=True)]
        return [
            angle if self._is_among(self._variety) else replace(drawn[0], institution=angle.institution)
            for angle in drawn
        ]

    def prompt(self, angle: _Angle) -> WrittenPrompt:
        question = angle.discipline.frame
        if self._is_among(_FLAWED * (1 - self._quality)):
            question = self._one(self._one(list(_FLAWS.values()))["closings"])
        sentences = (angle.institution.frame, angle.reasoning.frame, question)
        return WrittenPrompt(
            dimensions=angle.in_words,
            label=self.fill(self._one(_STOCK["labels"])),
            text=" ".join(map(self.fill, sentences)),
        )

    def opening(self) -> str:
        """The opening of the scratchpad."""
        return self.fill(self._one(_STOCK["remarks"]["scratchpad"]))

    def fill(self, frame: str) -> str:
        """The frame with filled slots and a capital letter."""
        text = SLOT.sub(lambda slot: self._one(self._slots(slot[1])), frame)
        return text[0].upper() + text[1:]

    def _slots(self, name: str) -> Sequence[str]:
        slots: Sequence[str] = self._topics if name == "topic" else STOCK["slots"][name]
        return slots

    def _aspects(self, kind: str, number: int) -> list[_Aspect]:
        """So many aspects of this kind, none again before all have been there."""
        frames: Mapping[str, Sequence[str]] = _STOCK[kind]
        drawn: list[_Aspect] = []
        deck: list[str] = []
        while len(drawn) < number:
            deck = deck or list(frames)
            name = deck.pop(self._rng.randbelow(len(deck)))
            drawn.append(_Aspect(name, self._one(frames[name])))
        return drawn

    def _one(self, choices: Sequence[Any]) -> Any:
        return choices[self._rng.randbelow(len(choices))]

    def _is_among(self, share: float) -> bool:
        return self._rng.randbelow(10_000) < 10_000 * share
