"""Studies drawn at random from known parameters, for trying whether intervals hold what is true."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import pandas as pd

from analysis.agreement.core.concordance import concordance, mid_ranks
from analysis.agreement.core.rank_correlation import pair_sums, pairwise_tau_b
from analysis.data.core.judgment_frame import HUMAN, MODEL, STANDARD, columns
from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import FloatArray

MODELS: Final = ("claude", "gemini", "gpt")
SHOWN: Final = np.array((*MODELS, "", "", ""))  # whose the answers to a prompt are; people's have no name
BY_MODEL: Final = SHOWN != ""
WEAK: Final = 5  # the place of the deliberately weak answer, where there is one
WEAKER: Final = 2.0  # points
DIMENSIONS: Final = ("clarity", "evidence")
SCALE: Final = (1.0, 10.0)
STEP: Final = 0.5  # between the scores that a judge gives
KNOWN, RIGHT = 0.8, 0.7  # of a judge's guesses those that are not “don't know”; of these the right ones, on average
GUESSED: Final = 6  # answers of each kind
PANELS, ANSWERED = 400, 500  # drawn of one prompt's judges, and of prompts for one judge


@dataclass(frozen=True)
class Design:
    """So many prompts, each judged by `each` of the judges; without `judges`, by judges of its own."""

    prompts: int
    judges: int | None
    each: int

    def __str__(self) -> str:
        return f"{self.prompts}×{self.judges}×{self.each}"


@dataclass(frozen=True)
class Generator:
    """A mark is `middle`, what models are better by, the prompt's part (one for each source), the answer's, the
    judge's severity, the rest, and the dimension's own part, with these standard deviations; that of the rest
    varies from judge to judge by a factor exp(z · `unlike`). It is rounded, and kept within the scale.
    """

    middle: float = 4.5
    lead: float = 1.0
    prompt: float = 0.6
    answer: float = 0.5
    judge: float = 0.6
    rest: float = 1.0
    own: float = 0.7
    unlike: float = 0.0

    def qualities(self, prompts: int, rng: np.random.Generator) -> FloatArray:
        """Of answers, prompts × answers."""
        sources = np.where(BY_MODEL, np.arange(SHOWN.size), len(MODELS))
        of_prompt = rng.normal(0, self.prompt, (prompts, len(MODELS) + 1))[:, sources]
        of_answer = rng.normal(0, self.answer, (prompts, SHOWN.size))
        return np.asarray(self.middle + self.lead * BY_MODEL + of_prompt + of_answer)

    def judges(self, number: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Their severities, and the standard deviations of the rest."""
        return rng.normal(0, self.judge, number), self.rest * np.exp(rng.normal(0, self.unlike, number))

    def marks(
        self, qualities: FloatArray, judges: tuple[FloatArray, FloatArray], rng: np.random.Generator
    ) -> FloatArray:
        """… × answers × dimensions, from qualities of … × answers by judges whose arrays are of …"""
        severity, rest = (each[..., None] for each in judges)
        scores = qualities + severity + rest * rng.normal(0, 1, (*severity.shape[:-1], qualities.shape[-1]))
        marks = scores[..., None] + self.own * rng.normal(0, 1, (*scores.shape, len(DIMENSIONS)))
        return np.clip(np.round(marks / STEP) * STEP, *SCALE)


GENERATORS: Final[Mapping[str, Generator]] = {
    "normal": Generator(),
    "near the ceiling": Generator(middle=8.0),
    "unlike judges": Generator(judge=0.9, unlike=0.6),
}


@dataclass(frozen=True)
class Study:
    """Judgments of ordinary items; of the same answers, one of which is deliberately weak; who judged (prompts ×
    judges of each); guesses (judges × sources × guesses). `expected`: of the first prompt's figures with other
    judges, and of each judge's scores of other prompts.
    """

    frame: pd.DataFrame
    floor: pd.DataFrame
    who: IntArray
    guesses: FloatArray
    expected: Callable[[], tuple[Mapping[str, float], FloatArray]]


def a_study(design: Design, generator: Generator, rng: np.random.Generator) -> Study:
    """Raises ValueError for a design without judges who judge several prompts."""
    if design.judges is None:
        raise ValueError("a study has judges")
    who = rng.permuted(np.tile(np.arange(design.judges), (design.prompts, 1)), axis=1)[:, : design.each]
    judges = generator.judges(design.judges, rng)
    qualities = generator.qualities(design.prompts, rng)

    def expected() -> tuple[Mapping[str, float], FloatArray]:
        of_prompt = _of_prompt(generator, qualities[0], design.each, rng)
        return of_prompt, _of_judges(generator, judges, rng)

    return Study(
        frame=judged(generator, qualities, who, judges, rng),
        floor=judged(generator, qualities - WEAKER * (np.arange(SHOWN.size) == WEAK), who, judges, rng),
        who=who,
        guesses=guesses(design.judges, rng),
        expected=cache(expected),
    )


def a_population(
    generator: Generator, prompts: int, each: int, rng: np.random.Generator
) -> tuple[pd.DataFrame, ...]:
    """Judgments as a study's, ordinary ones and with a weak answer, where every prompt has judges of its own."""
    qualities, who = generator.qualities(prompts, rng), np.arange(prompts * each).reshape(prompts, each)
    judges = generator.judges(who.size, rng)
    weak = WEAKER * (np.arange(SHOWN.size) == WEAK)
    return tuple(judged(generator, each, who, judges, rng) for each in (qualities, qualities - weak))


def judged(
    generator: Generator,
    qualities: FloatArray,
    who: IntArray,
    judges: tuple[FloatArray, FloatArray],
    rng: np.random.Generator,
) -> pd.DataFrame:
    """From who judged (prompts × judges of each). Ranks are competition ranks of the scores."""
    marks = generator.marks(qualities[:, None, :], (judges[0][who], judges[1][who]), rng)
    prompts, each, shown, _ = marks.shape
    scores = marks.mean(axis=3)
    ranks = 1.0 + (scores[..., None, :] > scores[..., :, None]).sum(axis=3)
    ids = np.arange(prompts)
    answers = np.arange(prompts * shown).reshape(prompts, shown)
    rows = prompts * each
    texts = {
        "prompt_id": np.repeat(ids, each * shown),
        "true_id": np.repeat(answers[:, None], each, axis=1).ravel(),
        "blinded_label": np.tile([f"Response {label}" for label in "ABCDEF"], rows),
        "item_type": np.repeat(STANDARD, rows * shown),
        "true_source": np.tile(np.where(BY_MODEL, MODEL, HUMAN), rows),
        "model": np.tile(SHOWN, rows),
        "judge_id": np.repeat(who.ravel(), shown),
    }
    frame = pd.DataFrame(texts).assign(rank=ranks.ravel(), score=scores.ravel())
    frame[list(DIMENSIONS)] = marks.reshape(-1, len(DIMENSIONS))
    return frame[columns(DIMENSIONS)]


def guesses(judges: int, rng: np.random.Generator) -> FloatArray:
    """Judges × sources × guesses, as `blinding_index` has them; some judges tell better than others."""
    right = KNOWN * rng.uniform(2 * RIGHT - 1, 1, (judges, 1))
    chances = np.stack([right, KNOWN - right, np.full_like(right, 1 - KNOWN)], axis=2)
    counts = rng.multinomial(GUESSED, chances.repeat(2, axis=1)).astype(float)
    counts[:, 1] = counts[:, 1][:, [1, 0, 2]]
    return np.asarray(counts)


def _of_prompt(
    generator: Generator, qualities: FloatArray, each: int, rng: np.random.Generator
) -> dict[str, float]:
    judges = generator.judges(PANELS * each, rng)
    panels = (judges[0].reshape(PANELS, each), judges[1].reshape(PANELS, each))
    scores = generator.marks(np.broadcast_to(qualities, (PANELS, each, qualities.size)), panels, rng).mean(axis=3)
    ranks, once = mid_ranks(-scores), np.ones((PANELS, each))
    taus, pairs = pair_sums(pairwise_tau_b(ranks), once)
    return {
        "one prompt: W": float(np.nanmean(concordance(ranks, once, tie_corrected=True))),
        "one prompt: τ-b": float(np.nanmean(taus / np.where(pairs > 0, pairs, np.nan))),
        "one prompt: lead": float(
            (scores[..., BY_MODEL].mean(axis=2) - scores[..., ~BY_MODEL].mean(axis=2)).mean()
        ),
    }


def _of_judges(generator: Generator, judges: tuple[FloatArray, FloatArray], rng: np.random.Generator) -> FloatArray:
    qualities = generator.qualities(ANSWERED, rng)[:, None, :]
    everywhere = [np.broadcast_to(each, (ANSWERED, each.size)) for each in judges]
    marks = generator.marks(qualities, (everywhere[0], everywhere[1]), rng)
    return np.asarray(marks.mean(axis=(0, 2, 3)))
