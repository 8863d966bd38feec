"""How the rubric's dimensions hang together."""

from collections.abc import Iterator, Sequence
from typing import Final

from matplotlib.figure import Figure

from analysis.agreement.core.dimensions import Component, Correlation
from analysis.agreement.core.rubric import Consensus, Rubric
from analysis.data.core.number_format import interval_text, numeral
from analysis.data.core.results import Estimate
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.grids import Shades, Tile, grid_plot
from analysis.sections.exhibits.theme import BELOW_AND_ABOVE
from analysis.sections.exhibits.wording import dimension_name

RATINGS: Final = "the ratings that have {} dimensions"
SHADES: Final = Shades(-1.0, 1.0, BELOW_AND_ABOVE)
CONSENSUS: Final = (
    "answers’ means over the ratings that have all dimensions, which leave out most of what differs between raters"
)


def rubric_exhibits(found: Rubric, dimensions: Sequence[str]) -> Iterator[Exhibit]:
    """Correlations and components of the dimensions over ratings."""
    yield _correlations("correlations", "ratings", RATINGS, found.correlations, dimensions)
    yield _components("components", "ratings", RATINGS, found.components, dimensions)


def consensus_exhibits(found: Consensus, dimensions: Sequence[str]) -> Iterator[Exhibit]:
    """Exhibits of the rubric over consensus scores."""
    of = "consensus scores"
    yield _correlations("consensus-correlations", of, CONSENSUS, found.consensus_correlations, dimensions)
    yield _components("consensus-components", of, CONSENSUS, found.consensus_components, dimensions)


def _correlations(
    name: str, of: str, what: str, correlations: Sequence[Correlation], dimensions: Sequence[str]
) -> Exhibit:
    return compose(
        name,
        "Rubric",
        f"Correlations between dimensions, over {of}",
        describes="Which dimensions rise and fall together: near 1 two of them measure one thing.",
        method=f"Pearson’s r over {what.format('both')}.",
        columns=[Column("Dimension"), Column("Other dimension"), Column("r")],
        rows=[(dimension_name(each.one), dimension_name(each.other), each.r) for each in correlations],
        draw=lambda: _draw_correlations(correlations, dimensions),
    )


def _components(name: str, of: str, what: str, found: Sequence[Component], dimensions: Sequence[str]) -> Exhibit:
    components = [(f"Component {number}", each) for number, each in enumerate(found, start=1)]
    return compose(
        name,
        "Rubric",
        f"Principal components of the dimensions, over {of}",
        describes="How much of what the dimensions tell apart is one thing: its share of their variance, and how "
        "each dimension correlates with it.",
        method=f"Of the correlation matrix over {what.format('all')}, so that none counts more than another.",
        columns=[
            Column("Component"),
            Column("Share of the variance", is_share=True),
            *(Column(dimension_name(key)) for key in dimensions),
        ],
        rows=[(name, each.share, *_loadings(each)) for name, each in components],
        draw=lambda: dot_plot(
            [Group("", tuple(Lane(name, (each.share,)) for name, each in components))],
            [Scale("Share of the variance", reaches=(0, 1), is_share=True)],
        ),
    )


def _loadings(component: Component) -> Iterator[Estimate]:
    return (Estimate("loading", loading, component.share.n) for loading in component.loadings)


def _draw_correlations(correlations: Sequence[Correlation], dimensions: Sequence[str]) -> Figure:
    """The half below the diagonal: down from the second dimension, across to the last but one."""
    tiles = {(each.other, each.one): _tile(each.r) for each in correlations}
    return grid_plot(
        [dimension_name(key) for key in dimensions[1:]],
        [dimension_name(key) for key in dimensions[:-1]],
        [[tiles.get((row, column)) for column in dimensions[:-1]] for row in dimensions[1:]],
        SHADES,
    )


def _tile(r: Estimate) -> Tile:
    if r.value is None:
        return Tile("–")
    return Tile(numeral(r.value, 2), interval_text(r.interval, 2), SHADES.of(r.value))
