"""Whether judges told a deliberately weak answer, and whether models fare otherwise among themselves."""

from collections.abc import Iterator, Sequence

from analysis.outcomes.core.calibration import Attribution, QualityFloor
from analysis.outcomes.core.calibration_items import Calibration
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.theme import maker_of
from analysis.sections.exhibits.wording import source_name


def calibration_exhibits(found: Calibration) -> Iterator[Exhibit]:
    """Exhibits of the calibration items."""
    yield _floor(found.floor)
    yield _attribution(found.attribution)


def _floor(floor: QualityFloor) -> Exhibit:
    everyone = Lane("All judges", (floor.last,))
    judges = tuple(Lane(each.judge, (each.last,)) for each in floor.judges)
    return compose(
        "quality-floor",
        "Calibration",
        "Deliberately weak answers",
        describes="How often the deliberately weak answer was put strictly last, over all judges and by each of "
        "them. A judge who never put it last is flagged.",
        method="Over judgments of quality-floor items. The gap is by how many points of the scale the weak "
        "answer’s score lies below the mean of the others’.",
        columns=[
            Column("Judge"),
            Column("Weak answer last", is_share=True),
            *(Column("Gap"), Column("SE of the gap")),
            Column("Flagged"),
        ],
        rows=[
            (everyone.label, floor.last, floor.gap, floor.gap_se, None),
            *((each.judge, each.last, None, None, "yes" if each.is_flagged else "no") for each in floor.judges),
        ],
        draw=lambda: dot_plot(
            [Group("", (everyone,)), *([Group("Each judge", judges)] if judges else [])],
            [Scale("Weak answer strictly last", reaches=(0, 1), is_share=True)],
        ),
    )


def _attribution(attribution: Sequence[Attribution]) -> Exhibit:
    return compose(
        "source-attribution",
        "Calibration",
        "Models among models",
        describes="By how many points a model’s answers were scored higher beside models alone than beside "
        "people’s.",
        method="Mean score in items of models alone less that in ordinary ones. The prompts are others, so that "
        "a difference may be theirs.",
        columns=[Column("Source"), Column("Difference"), Column("SE")],
        rows=[(source_name(each.source), each.difference, each.se) for each in attribution],
        draw=lambda: dot_plot(
            [
                Group(
                    "",
                    tuple(
                        Lane(source_name(each.source), (each.difference,), maker_of(each.source))
                        for each in attribution
                    ),
                )
            ],
            [Scale("Points higher among models alone", reference=0)],
        ),
    )
