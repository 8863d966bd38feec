"""What items for calibration tell."""

from analysis.outcomes.core.calibration import QualityFloor
from analysis.outcomes.core.calibration_items import Calibration
from analysis.sections.prose.passage import Passage, enumerated, listed, paragraph, said
from annotation.platform.core.phrases import counted


def calibration(found: Calibration) -> Passage:
    alone = enumerated(f"{each.source} {said(each.difference)}" for each in found.attribution)
    return Passage(
        "Calibration",
        (
            *_floor(found.floor),
            *paragraph(
                alone
                and "In points, by how much models’ answers were scored higher among models alone than beside "
                f"people’s, on other prompts: {alone}."
            ),
        ),
    )


def headlines(found: Calibration) -> tuple[str, ...]:
    floor = found.floor
    if floor.last.value is None:
        return ()
    return (
        f"A deliberately weak answer stood last in {said(floor.last, is_share=True)} of "
        f"{counted(floor.last.n, 'judgment')} that had one.",
    )


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
