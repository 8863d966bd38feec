"""What a study's own checks tell: calibration items, guesses about sources, and what gives a source away."""

from collections.abc import Iterable

from analysis.blinding.core.leak_report import SourceLeak
from analysis.outcomes.core.calibration import Attribution, QualityFloor
from analysis.report.core.report import Sources
from analysis.report.prose.passage import Passage, enumerated, listed, paragraph, said
from annotation.platform.core.phrases import counted

NEARLY_ALWAYS = 0.9  # of the area under the curve
WRITERS = ("people", "models")  # as the blinding index has its sources


def calibration(floor: QualityFloor, attribution: Iterable[Attribution]) -> Passage:
    alone = enumerated(f"{each.source} {said(each.difference)}" for each in attribution)
    return Passage(
        "Calibration",
        (
            *_floor(floor),
            *paragraph(
                alone
                and "In points, by how much models’ answers were scored higher among models alone than beside "
                f"people’s, on other prompts: {alone}."
            ),
        ),
    )


def blinding(sources: Sources) -> Passage:
    return Passage("Blinding", (_guesses(sources), *_leaks(sources.leaks)))


def _floor(floor: QualityFloor) -> tuple[str, ...]:
    if floor.last.value is None:
        return paragraph(f"How often a deliberately weak answer stood last is undefined: {floor.last.reason}.")
    flagged = [judge.judge for judge in floor.judges if judge.is_flagged]
    return paragraph(
        f"The deliberately weak answer stood strictly last in {said(floor.last, is_share=True)} of "
        f"{counted(floor.last.n, 'judgment')}; the others’ mean score was higher than its own by {said(floor.gap)} "
        "points.",
        f"Never last with {listed(flagged)}."
        if flagged
        else f"Of the {counted(len(floor.judges), 'judge')} who had such an item, each put it last at least once.",
    )


def _guesses(sources: Sources) -> str:
    indices = sources.blinding
    if not any(map(any, sources.guesses)):
        return "No guesses about sources are there, so that nothing is known of how well the blinding held."
    tallies = enumerated(
        f"of those by {writers}, {human:,} were taken for a person’s, {model:,} for a model’s, {unknown:,} for "
        "neither"
        for writers, (human, model, unknown) in zip(WRITERS, sources.guesses, strict=True)
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
