"""What judges guessed about sources, and what gives a source away."""

from analysis.blinding.core.blinding import Blinding
from analysis.blinding.core.leak_report import SourceLeak
from analysis.sections.prose.passage import Passage, enumerated, listed, paragraph, said

NEARLY_ALWAYS = 0.9  # of the area under the curve
WRITERS = ("people", "models")  # as the blinding index has its sources


def passage(found: Blinding) -> Passage:
    return Passage("Blinding", (_guesses(found), *_leaks(found.leaks)))


def headlines(found: Blinding) -> tuple[str, ...]:
    james = found.blinding.james
    if james.value is None:
        return ()
    return (
        f"Blinding: James’ index of {james.n:,} guesses was {said(james)}, 1 where nobody knows "
        "who wrote an answer, ½ by chance, and 0 where all guesses are right.",
    )


def _guesses(found: Blinding) -> str:
    indices = found.blinding
    if not any(map(any, found.guesses)):
        return "No guesses about sources are there, so that nothing is known of how well the blinding held."
    tallies = enumerated(
        f"of those by {writers}, {human:,} were taken for a person’s, {model:,} for a model’s, {unknown:,} for "
        "neither"
        for writers, (human, model, unknown) in zip(WRITERS, found.guesses, strict=True)
    )
    bang = listed(
        f"{said(index)} for answers by {writers}" for writers, index in zip(WRITERS, indices.bang, strict=True)
    )
    sure = listed(
        f"{said(index)} for answers by {writers}"
        for writers, index in zip(WRITERS, indices.bang_by_confidence, strict=True)
    )
    return (
        f"Judges guessed who wrote an answer: {tallies}. Bang’s index, 0 where guesses are as good as chance and 1 "
        f"where all are right, is {bang}; with guesses counting as much as judges were sure of them, {sure}. "
        f"James’ index, 1 where nobody knows and 0 where all are right, is {said(indices.james)}."
    )


def _leaks(leaks: tuple[SourceLeak, ...]) -> tuple[str, ...]:
    known = enumerated(f"by {leak.features} {said(leak.auc)}" for leak in leaks if leak.auc.value is not None)
    reasons = sorted({leak.auc.reason for leak in leaks if leak.auc.reason})
    telling = [leak.features for leak in leaks if (leak.auc.value or 0) >= NEARLY_ALWAYS]
    return paragraph(
        known
        and "How well what is not content tells models’ answers from people’s, on prompts that were not learnt "
        f"from, as the area under the curve, where 0.5 is chance: {known}.",
        f"What alone tells sources apart nearly always: {enumerated(telling)}. Judges may have seen it too."
        if telling
        else "",
        f"What length and format tell of the source is undefined: {listed(reasons)}." if reasons else "",
    )
