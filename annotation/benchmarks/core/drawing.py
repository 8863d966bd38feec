"""Which questions annotators review, where they do not review all: what models missed, and a sample of the rest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.benchmarks.core.scoring import Method, is_right
from annotation.platform.core.blinding import seeded_order

ALL: Final = "all"
MISSED: Final = "missed"
REVIEWED: Final[Mapping[str, str]] = {
    ALL: "All questions",
    MISSED: "What at least one model missed, and a random sample of the rest",
}


@dataclass(frozen=True)
class Asked:
    """A question with what models answered to it, each once or more often."""

    gold: str
    gold_option: int | None
    options: Sequence[str]
    answers: Sequence[str]


@dataclass(frozen=True)
class Drawn:
    """`weight` is 1 over the probability of being drawn: 1 of all but those that are sampled. `answer` is one that
    a model gave: a wrong one where there is any; empty where none gave any.
    """

    weight: float
    is_sampled: bool
    answer: str


def draw(asked: Mapping[str, Asked], *, seed: bytes, context: str, sampled: int) -> dict[str, Drawn]:
    """Every question that a model missed or that none answered, and of the others `sampled` per cent, rounded up.

    Where any question has options, answers count by the option they name, otherwise by their words. The sample and
    the answer of each question follow from the study's seed.
    """
    method: Method = "option" if any(question.options for question in asked.values()) else "exact"
    wrong = {name: _wrong(question, method) for name, question in asked.items()}
    never = sorted(name for name, question in asked.items() if question.answers and not wrong[name])
    number = -(-len(never) * sampled // 100)
    sample = frozenset(seeded_order(seed, "never missed", context, items=never)[:number])
    weights = dict.fromkeys(asked.keys() - set(never), 1.0)
    weights |= {name: len(never) / number for name in sample}
    return {
        name: Drawn(weights[name], name in sample, _one_of(wrong[name] or asked[name].answers, seed, context, name))
        for name in asked
        if name in weights
    }


def _wrong(question: Asked, method: Method) -> list[str]:
    return [
        words
        for words in question.answers
        if not is_right(
            method, words, gold=question.gold, options=question.options, gold_option=question.gold_option
        )
    ]


def _one_of(answers: Sequence[str], seed: bytes, context: str, name: str) -> str:
    drawn = seeded_order(seed, "answer shown", context, name, items=sorted(set(answers)))
    return drawn[0] if drawn else ""
