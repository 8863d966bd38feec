"""Whether judges could tell who wrote an answer, and whether its look gives it away."""

from collections.abc import Iterator, Sequence
from typing import Final

from analysis.blinding.core.blinding import Blinding
from analysis.blinding.core.blinding_index import SOURCES, BlindingIndices
from analysis.blinding.core.leak_report import SourceLeak
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.shares import Part, shares_plot
from analysis.sections.exhibits.theme import MODELS, PEOPLE, RAMP
from analysis.sections.exhibits.wording import capitalised

MAKERS: Final = dict(zip(SOURCES, (PEOPLE, MODELS), strict=True))
GUESSED: Final = (
    Part("Guessed people", RAMP[1]),
    Part("Guessed a model", RAMP[3]),
    Part("Did not know", RAMP[0], "////"),
)


def blinding_exhibits(found: Blinding) -> Iterator[Exhibit]:
    """Guesses, the indices of blinding, and the check of leaks."""
    yield _guesses(found)
    yield _indices(found.blinding)
    yield _leaks(found.leaks)


def _guesses(found: Blinding) -> Exhibit:
    bars = [(MAKERS[source].name, counts) for source, counts in zip(SOURCES, found.guesses, strict=True)]
    return compose(
        "guesses",
        "Blinding",
        "What judges guessed",
        describes="What judges guessed, after their last item, of answers by people and by models.",
        method="Counts of guesses by an answer’s true source.",
        columns=[Column("Written by"), *(Column(part.name) for part in GUESSED)],
        rows=[(name, *counts) for name, counts in bars] if any(map(sum, found.guesses)) else [],
        draw=lambda: shares_plot(bars, GUESSED, what="Share of guesses"),
    )


def _indices(found: BlindingIndices) -> Exhibit:
    bang = [
        Lane(f"Answers by {MAKERS[source].name.lower()}", (index, by_confidence, None), MAKERS[source])
        for source, index, by_confidence in zip(SOURCES, found.bang, found.bang_by_confidence, strict=True)
    ]
    james = Lane("All answers", (None, None, found.james))
    return compose(
        "blinding-indices",
        "Blinding",
        "Blinding indices",
        describes="Whether guesses were better than chance. Bang’s index is 0 where they are as good as chance, "
        "1 where all are right and −1 where all are wrong; James’ is 1 where nobody knows, ½ at chance and 0 "
        "where all are right.",
        method="Bang et al. 2004 by true source, James et al. 1996. By confidence, a guess counts from 0, a pure "
        "guess or not knowing, in equal steps to 1, quite sure.",
        columns=[
            Column("Guesses about"),
            *(Column(heading) for heading in ("Bang", "Bang, by confidence", "James")),
        ],
        rows=[(lane.label, *lane.estimates) for lane in (*bang, james)],
        draw=lambda: dot_plot(
            [Group("", (*bang, james))],
            [
                Scale("Bang", reaches=(-1, 1), reference=0, reference_name="Chance"),
                Scale("Bang, by confidence", reaches=(-1, 1), reference=0, reference_name="Chance"),
                Scale("James", reaches=(0, 1), reference=0.5, reference_name="Chance"),
            ],
        ),
    )


def _leaks(leaks: Sequence[SourceLeak]) -> Exhibit:
    lanes = tuple(Lane(capitalised(each.features), (each.auc, each.accuracy)) for each in leaks)
    return compose(
        "source-leaks",
        "Blinding",
        "What an answer’s look gives away",
        describes="How well an answer’s length and format alone tell models’ answers from people’s; the broken "
        "line is chance.",
        method="Logistic regression on length and format, without any words, for prompts it has not learnt from: "
        "area under the ROC curve, over pairs of answers told after learning from the same prompts, and the mean "
        "of the shares told rightly among people’s and models’ answers.",
        columns=[Column("Features"), Column("AUC"), Column("Accuracy", is_share=True)],
        rows=[(lane.label, *lane.estimates) for lane in lanes],
        draw=lambda: dot_plot(
            [Group("", lanes)],
            [
                Scale("AUC", reaches=(0.5, 1), reference=0.5, reference_name="Chance"),
                Scale("Accuracy", reaches=(0.5, 1), reference=0.5, reference_name="Chance", is_share=True),
            ],
        ),
    )
