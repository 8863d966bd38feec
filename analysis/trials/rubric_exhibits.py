"""How evaluators of constitutional trials use the rubric, in tables and pictures."""

from collections.abc import Iterator

from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.wording import capitalised
from analysis.trials.core.trial_report import TrialReport


def named(found: TrialReport, key: str) -> str:
    """A condition or a dimension, as it begins a cell."""
    return capitalised(found.called(key))


def rubric_exhibits(found: TrialReport, section: str) -> Iterator[Exhibit]:
    yield _dimensions(found, section)
    yield _bands(found, section)
    yield _severity(found, section)
    yield _length(found, section)


def predicted_exhibit(found: TrialReport, section: str) -> Exhibit:
    dimensions = dict.fromkeys(each.dimension for each in found.predictions)
    return compose(
        "trials-predicted",
        section,
        "Scores beside what was predicted",
        describes="The mean of each condition, beside the range that the protocol predicted before any score.",
        method="Means over scenarios of means over models, answers and evaluators, in the approach scored in "
        "points; t intervals over scenarios. The ranges are predictions, drawn beside: whether a mean lies within "
        "one is no test.",
        columns=[Column("Dimension"), Column("Condition"), Column("Mean", 1), Column("From", 0), Column("To", 0)],
        rows=[
            (named(found, each.dimension), named(found, each.condition), each.mean, each.low, each.high)
            for each in found.predictions
        ],
        draw=(
            lambda: dot_plot(
                [
                    Group(
                        named(found, name),
                        tuple(
                            Lane(named(found, each.condition), (each.mean,), span=(each.low, each.high))
                            for each in found.predictions
                            if each.dimension == name
                        ),
                    )
                    for name in dimensions
                ],
                [Scale("Points", reaches=(55, 100))],
            )
        )
        if found.predictions
        else None,
    )


def _dimensions(found: TrialReport, section: str) -> Exhibit:
    return compose(
        "trials-dimensions",
        section,
        "Dimensions together",
        describes="How far dimensions rise and fall together, over ratings and over consensus scores, and how much "
        "of their variance each principal component has.",
        method="Pearson’s r, and shares of the eigenvalues of the correlation matrix; a consensus score is the "
        "mean of all evaluators. Positive controls are left out.",
        columns=[Column("Approach"), Column("Over"), Column("Of"), Column("r"), Column("Share", is_share=True)],
        rows=[
            *(
                (
                    each.approach,
                    each.over,
                    f"{named(found, each.one)}, {named(found, each.other)}",
                    each.r,
                    None,
                )
                for each in found.links
            ),
            *((each.approach, each.over, each.component, None, each.share) for each in found.components),
        ],
    )


def _bands(found: TrialReport, section: str) -> Exhibit:
    return compose(
        "trials-bands",
        section,
        "Bands and categories used",
        describes="How often evaluators use each band of points, or each category, on a dimension.",
        method="Shares of all scores, positive controls left out; bands begin at 60 and at 85 points. How far "
        "evaluators agree in bands stands with agreement.",
        columns=[Column("Approach"), Column("Dimension"), Column("Band"), Column("Share", is_share=True)],
        rows=[(each.approach, named(found, each.dimension), each.band, each.share) for each in found.bands],
    )


def _severity(found: TrialReport, section: str) -> Exhibit:
    return compose(
        "trials-severity",
        section,
        "Severity of evaluators",
        describes="How far an evaluator scores above the others, below 0 for a severe one.",
        method="The overall score less the mean of the others’, on the approach’s own scale, over answers that all "
        "scored; intervals of the jackknife over scenarios.",
        columns=[Column("Approach"), Column("Evaluator"), Column("Above the others")],
        rows=[(each.approach, each.evaluator, each.above) for each in found.severities],
    )


def _length(found: TrialReport, section: str) -> Exhibit:
    return compose(
        "trials-length",
        section,
        "Scores and length",
        describes="Whether longer answers score higher.",
        method="Spearman’s r of the mean score with the number of words, by the jackknife over scenarios.",
        columns=[Column("Approach"), Column("On"), Column("r")],
        rows=[(each.approach, named(found, each.measure), each.r) for each in found.lengths],
    )
