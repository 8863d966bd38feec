"""All that constitutional trials tell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate
from analysis.data.core.trials import PEOPLE, Effort, Trials
from analysis.trials.core.approach_agreement import MeasureAgreement, Yardstick, measure_agreement, yardsticks
from analysis.trials.core.conclusions import Conclusions, conclusions
from analysis.trials.core.conditions import (
    Contrast,
    Control,
    PassedOver,
    Predicted,
    contrasts,
    controls,
    passed_over,
    predictions,
)
from analysis.trials.core.halo import Halo, HaloDifference, halo_difference, halos
from analysis.trials.core.people import BesidePeople, beside_people
from analysis.trials.core.recognition import Recognised, recognised
from analysis.trials.core.rubric_diagnostics import (
    BandShare,
    Component,
    Length,
    Link,
    Severity,
    band_shares,
    components,
    lengths,
    links,
    severities,
)
from analysis.trials.core.score_table import MEAN, ScoreTable, score_tables
from analysis.trials.core.sizing import half_width
from analysis.trials.core.spread import Spread, spreads
from analysis.trials.core.verdict import Verdict, in_words, verdict

SCENARIOS: Final = (8, 16, 32)  # for which widths are shown


@dataclass(frozen=True, slots=True)
class Replies:
    """Ratings of an evaluator in an approach: `failed` is the share of those without a valid score."""

    approach: str
    evaluator: str
    failed: Estimate


@dataclass(frozen=True, slots=True)
class Width:
    """Half of an interval of the integrity difference that spreads most, with so many scenarios."""

    scenarios: int
    half_width: Estimate


@dataclass(frozen=True, slots=True)
class Named:
    """What a condition or a dimension is called by people."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class TrialReport:
    """The report on so many `answers` to `scenarios` that are no positive controls; agreement leaves controls out,
    since answers that were made to fail raise every correlation. Contrasts are of the approach that scores in
    points. People who judged are evaluators of their own kind: their agreement stands beside that of models, and
    they are no way of asking models, so that neither yardsticks nor the best approach are theirs unless nobody else
    scored.
    """

    baseline: str
    integrity: str
    scenarios: int
    answers: int
    verdict: Verdict
    agreement: tuple[MeasureAgreement, ...]
    people: tuple[BesidePeople, ...]
    yardsticks: tuple[Yardstick, ...]
    halos: tuple[Halo, ...]
    halo_differences: tuple[HaloDifference, ...]
    contrasts: tuple[Contrast, ...]
    controls: tuple[Control, ...]
    conclusions: Conclusions
    replies: tuple[Replies, ...]
    widths: tuple[Width, ...]
    # Reports that were kept before have none of these.
    links: tuple[Link, ...] = ()
    components: tuple[Component, ...] = ()
    bands: tuple[BandShare, ...] = ()
    severities: tuple[Severity, ...] = ()
    lengths: tuple[Length, ...] = ()
    predictions: tuple[Predicted, ...] = ()
    spreads: tuple[Spread, ...] = ()
    recognised: tuple[Recognised, ...] = ()
    efforts: tuple[Effort, ...] = ()
    names: tuple[Named, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()
    # As people scored conditions, where models’ points are what `contrasts` are of.
    by_people: tuple[Contrast, ...] = ()

    def called(self, key: str) -> str:
        """What people call a condition or a dimension; where nobody told, the key in words."""
        known = next((each.name for each in self.names if each.key == key), "")
        return known or in_words(key)


def trial_report(trials: Trials, parameters: Parameters) -> TrialReport:
    level, design = parameters.level, trials.design
    whole = score_tables(trials)
    tables = [table.limited_to(~table.answers["condition"].isin(design.controls).to_numpy()) for table in whole]
    asked = [table for table in tables if table.approach != PEOPLE] or tables
    agreement = {
        table.approach: [measure_agreement(table, measure, level) for measure in table.scores] for table in tables
    }
    judged = [(each, table.has_points) for table in asked for each in agreement[table.approach]]
    of_points = sorted((table for table in whole if table.has_points), key=lambda table: table.approach == PEOPLE)
    points = next(iter(of_points), None)
    people = next((table for table in tables if table.approach == PEOPLE), None)
    differences = tuple(contrasts(points, design, level)) if points and design.baseline else ()
    checks = tuple(controls(points, design, level)) if points else ()
    compared = next((each for each in agreement[points.approach] if each.measure == MEAN), None) if points else None
    coded = conclusions(
        tables[0].answers, draws=parameters.draws, seed=parameters.seed, level=level, coders=trials.coders
    )
    return TrialReport(
        baseline=design.baseline,
        integrity=design.integrity,
        scenarios=tables[0].answers["scenario"].nunique(),
        answers=len(tables[0].answers),
        verdict=verdict(
            judged,
            differences,
            checks,
            coded,
            compared=compared,
            design=design,
            level=level,
            names=trials.names,
        ),
        agreement=tuple(each for found in agreement.values() for each in found),
        people=tuple(beside_people(people, [each for each in asked if each is not people], level))
        if people
        else (),
        yardsticks=yardsticks(asked, level),
        links=tuple(found for table in tables for found in links(table, level)),
        components=tuple(found for table in tables for found in components(table, level)),
        bands=tuple(found for table in tables for found in band_shares(table)),
        severities=tuple(found for table in tables for found in severities(table, level)),
        lengths=tuple(found for table in tables for found in lengths(table, level)),
        halos=tuple(found for table in tables for found in halos(table, level)),
        halo_differences=tuple(_halo_differences(asked, level)),
        predictions=tuple(predictions(points, design, level)) if points and design.baseline else (),
        contrasts=differences,
        controls=checks,
        conclusions=coded,
        replies=tuple(_replies(whole)),
        widths=tuple(_widths(differences, design.integrity, level)),
        recognised=tuple(recognised(trials, design, level)),
        efforts=trials.efforts,
        names=tuple(Named(key, name) for key, name in trials.names.items()),
        spreads=tuple(spreads(points, trials, design)) if points and design.baseline else (),
        passed_over=tuple(passed_over(points, design)) if points and design.baseline else (),
        by_people=tuple(contrasts(people, design, level))
        if people and people.has_points and design.baseline and points is not None and points.approach != PEOPLE
        else (),
    )


def _halo_differences(tables: Sequence[ScoreTable], level: float) -> Iterator[HaloDifference]:
    """Differences in halo of approaches that share a scale, such as one prompt for both dimensions and one for
    each. Of categories that nobody told the highest tells the scale: nobody may have used the lowest.
    """
    for one, other in combinations(tables, 2):
        if one.scale.most == other.scale.most:
            yield halo_difference(one, other, level)


def _replies(tables: Sequence[ScoreTable]) -> Iterator[Replies]:
    for table in tables:
        for name, given, failed in zip(table.evaluators, table.given.tolist(), table.failed.tolist(), strict=True):
            yield Replies(table.approach, name, Estimate("failed", failed / (given + failed), given + failed))


def _widths(differences: Sequence[Contrast], integrity: str, level: float) -> Iterator[Width]:
    spreads = [each.sd.value for each in differences if each.dimension == integrity and each.sd.value is not None]
    for scenarios in SCENARIOS if spreads else ():
        width = half_width(max(spreads), scenarios, level)
        yield Width(scenarios, Estimate("half_width", width, scenarios))
