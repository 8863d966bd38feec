"""How far judges agree on categories."""

from collections.abc import Sequence
from typing import Final

from analysis.agreement.core.categories import COEFFICIENTS, VERDICT, DimensionCategories
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.wording import dimension_name

NAMES: Final = {
    "share": "Equal ratings",
    "cohen": "Cohen’s κ",
    "fleiss": "Fleiss’ κ",
    "alpha_nominal": "α, nominal",
    "alpha_ordinal": "α, ordinal",
    "ac1": "AC1",
    "ac2": "AC2",
}


def category_exhibit(found: Sequence[DimensionCategories], *, is_scale_known: bool) -> Exhibit:
    groups = [
        Group(
            f"{name_of(each.dimension)}, {each.categories} categories",
            tuple(Lane(NAMES[name], (getattr(each, name),)) for name in COEFFICIENTS),
        )
        for each in found
    ]
    return compose(
        "categories",
        "Agreement",
        "Agreement on categories",
        describes="How far judges put the same answers into the same categories. 0 is chance for all but the share "
        "of equal ratings; where nearly everything is in one category, κ and α are low however often judges agree, "
        "and AC1 is not.",
        method="Share of equal ratings among pairs of ratings of an answer; Cohen’s κ in the mean over pairs of "
        "judges, Fleiss’ κ, Krippendorff’s α, nominal and ordinal, Gwet’s AC1, and AC2 with quadratic weights. "
        f"AC1 and AC2 count {_counted(found, is_scale_known)}. Ordinal α and AC2 take the "
        "categories’ order for granted. Which of two answers is better has the "
        "categories first, tied and second.",
        columns=[Column("Of"), Column("Categories"), *(Column(NAMES[name], 3) for name in COEFFICIENTS)],
        rows=[
            (name_of(each.dimension), each.categories, *(getattr(each, name) for name in COEFFICIENTS))
            for each in found
        ],
        draw=lambda: dot_plot(groups, [Scale("0 = chance (share: none), 1 = full agreement", reaches=(0, 1))]),
    )


def _counted(found: Sequence[DimensionCategories], is_scale_known: bool) -> str:
    """What judges could choose from, or chose where nobody told."""
    if is_scale_known or all(each.dimension == VERDICT for each in found):
        return "the categories that the scale offers, where these are few and all ratings are among them"
    return "the categories that were used, since nobody told the scale"


def name_of(dimension: str) -> str:
    return "Which of two answers is better" if dimension == VERDICT else dimension_name(dimension)
