"""Whether the blinding held: what judges guessed, and what an answer's look gives away."""

from dataclasses import dataclass

from analysis.blinding.core.blinding_index import BlindingIndices, blinding_indices, guesses_by_judge
from analysis.blinding.core.leak_report import SourceLeak
from analysis.blinding.core.source_leaks import source_leaks
from analysis.sections.core.inputs import Unblinded


@dataclass(frozen=True, slots=True)
class Blinding:
    """`guesses` counts them by true source and guess (`blinding_index.SOURCES` × `GUESSES`)."""

    blinding: BlindingIndices
    guesses: tuple[tuple[int, int, int], ...]
    leaks: tuple[SourceLeak, ...]


def blinding(unblinded: Unblinded) -> Blinding:
    tables, asked = unblinded.tables, unblinded.parameters
    guesses = guesses_by_judge(tables.guesses, tables.answers)
    return Blinding(
        blinding=blinding_indices(guesses, level=asked.level),
        guesses=tuple((int(of[0]), int(of[1]), int(of[2])) for of in guesses.counts.sum(axis=0)),
        leaks=source_leaks(tables.answers, draws=asked.draws, seed=asked.seed, level=asked.level),
    )
