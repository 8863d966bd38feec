"""Constitutional trials in tables and pictures."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from analysis.data.core.results import Estimate
from analysis.data.core.trials import Effort
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.trials.core.conditions import Contrast
from analysis.trials.core.halo import HaloDifference
from analysis.trials.core.score_table import MEAN
from analysis.trials.core.trial_report import TrialReport
from analysis.trials.core.verdict import approach_in_words
from analysis.trials.rubric_exhibits import named, predicted_exhibit, rubric_exhibits

SECTION: Final = "Constitutional trials"


def trial_exhibits(found: TrialReport) -> Iterator[Exhibit]:
    yield _verdict(found)
    yield _agreement(found)
    yield _people(found)
    yield _yardsticks(found)
    yield _without(found)
    yield from rubric_exhibits(found, SECTION)
    yield _halo(found)
    yield _replies(found)
    yield _contrasts(found)
    yield from _by_people(found)
    yield predicted_exhibit(found, SECTION)
    yield _controls(found)
    yield _conclusions(found)
    yield _coders(found)
    yield _recognised(found)
    yield _widths(found)
    yield _spread(found)


def _verdict(found: TrialReport) -> Exhibit:
    each = found.verdict
    return compose(
        "trials-verdict",
        SECTION,
        "The best approach",
        describes="In which approach evaluators agree most, and whether the rubric meets the protocol’s criteria.",
        method="The best by Spearman’s r on the overall score, which all approaches have, among those that can be "
        "assessed; its r is Pearson’s on points, else Spearman’s.",
        columns=[Column("Approach"), Column("By"), Column("r"), Column("Validated")],
        rows=[(each.best or "none", each.kind, each.r, "yes" if each.validated else "no")],
    )


def _agreement(found: TrialReport) -> Exhibit:
    figures = {
        "pearson": "Pearson",
        "spearman": "Spearman",
        "polychoric": "Polychoric",
        "alpha_ordinal": "α, ordinal",
        "icc_random": "ICC(2,1)",
        "icc_fixed": "ICC(3,1)",
        "prevalence": "Commonest category",
        "share": "Equal ratings",
        "ac1": "AC1",
        "ac2": "AC2",
    }
    return compose(
        "trials-agreement",
        SECTION,
        "Agreement of evaluators by approach",
        describes="How far evaluators agree on the same answers, asked in one way or another; 1 is full agreement.",
        method="Correlations are means over all pairs of evaluators, α is of all ratings, and ICCs are over "
        "answers that all evaluators scored; positive controls are left out. One undefined pair makes "
        "an approach not assessable. Polychoric r is descriptive, without an interval, over pairs in "
        "which both used two categories at least five times. Equal ratings, AC1 and AC2 are of "
        "categories, or of the bands from 60 and from 85 points, and depend on how common the commonest "
        "of them is, AC1 and AC2 also on how many there are to choose from, whether used or not.",
        columns=[Column("Approach"), Column("On"), *(Column(words) for words in figures.values())],
        rows=[
            (each.approach, named(found, each.measure), *(getattr(each, name) for name in figures))
            for each in found.agreement
        ],
        draw=lambda: dot_plot(
            [
                Group(
                    _beginning(approach_in_words(each.approach)),
                    (Lane("Spearman", (each.spearman,)), Lane("α, ordinal", (each.alpha_ordinal,))),
                )
                for each in found.agreement
                if each.measure == MEAN
            ],
            [Scale("Agreement on the overall score", reaches=(0, 1))],
        ),
    )


def _beginning(words: str) -> str:
    return words[:1].upper() + words[1:]


def _people(found: TrialReport) -> Exhibit:
    return compose(
        "trials-people",
        SECTION,
        "Models beside people",
        describes="How far models order answers as people who judged them do, and whether they are milder.",
        method="Spearman’s r with the mean of people, over the answers that both scored, and on points how far the "
        "model’s scores lie above people’s; intervals of the jackknife over scenarios. People judge no positive "
        "controls.",
        columns=[
            *(Column(heading) for heading in ("Approach", "On", "Evaluator", "Spearman")),
            Column("Points above people", 1),
        ],
        rows=[
            (each.approach, named(found, each.measure), each.evaluator, each.spearman, each.above)
            for each in found.people
        ],
    )


def _yardsticks(found: TrialReport) -> Exhibit:
    return compose(
        "trials-yardstick",
        SECTION,
        "Approaches on one yardstick",
        describes="All approaches by what they have in common, points put into bands too, the best first.",
        method="Spearman’s r and ordinal α of the overall score, and how far Spearman’s r lies behind the best, "
        "by the jackknife over scenarios. The best of several is optimistic: a new sample would find it less good.",
        columns=[
            Column("Approach"),
            Column("As"),
            Column("Spearman"),
            Column("α, ordinal"),
            Column("Behind the best"),
        ],
        rows=[
            (each.approach, each.bands or "given", each.spearman, each.alpha_ordinal, each.behind_best)
            for each in found.yardsticks
        ],
    )


def _without(found: TrialReport) -> Exhibit:
    return compose(
        "trials-without",
        SECTION,
        "Agreement without each evaluator",
        describes="The mean correlation of the others; a rise shows who reads the rubric differently.",
        method="Means over the pairs that are left.",
        columns=[*(Column(heading) for heading in ("Approach", "On", "Without", "Pearson", "Spearman"))],
        rows=[
            (each.approach, named(found, each.measure), one.evaluator, one.pearson, one.spearman)
            for each in found.agreement
            for one in each.without
        ],
    )


def _halo(found: TrialReport) -> Exhibit:
    took = {each.approach: each for each in found.efforts}
    return compose(
        "trials-halo",
        SECTION,
        "Independence of dimensions",
        describes="How far two dimensions go together when the same evaluator scores both, and when different "
        "ones do: what the former exceeds the latter by is halo.",
        method="Spearman’s r over answers with all scores, means over evaluators and over pairs of them; the "
        "difference between approaches that share a scale is on the same answers and evaluators, by the jackknife. "
        "Beside it what independence costs: all calls, and their cost with that of failed attempts.",
        columns=[
            *(Column(heading) for heading in ("Approach", "Dimensions", "Within", "Between", "Halo")),
            *(Column("Calls", 0), Column("Cost, in $")),
        ],
        rows=[
            *(
                (
                    each.approach,
                    f"{named(found, each.one)}, {named(found, each.other)}",
                    *(each.within, each.between, each.halo),
                    *_effort(took.get(each.approach)),
                )
                for each in found.halos
            ),
            *(
                (f"{each.first} less {each.second}", None, None, None, each.difference, *_more(took, each))
                for each in found.halo_differences
            ),
        ],
    )


def _effort(took: Effort | None) -> tuple[Estimate | None, Estimate | None]:
    """Calls and cost, where they are known."""
    if took is None:
        return None, None
    return Estimate("calls", took.calls, took.calls), Estimate("cost", took.cost, took.calls)


def _more(took: Mapping[str, Effort], pair: HaloDifference) -> tuple[Estimate | None, Estimate | None]:
    """Calls and cost of the first beyond the second, where both are known."""
    if not {pair.first, pair.second} <= took.keys():
        return None, None
    one, other = took[pair.first], took[pair.second]
    calls = one.calls + other.calls
    return Estimate("calls", one.calls - other.calls, calls), Estimate("cost", one.cost - other.cost, calls)


def _replies(found: TrialReport) -> Exhibit:
    return compose(
        "trials-replies",
        SECTION,
        "Failed replies",
        describes="Scores that are missing, negative or off the scale: they failed, and are no low scores.",
        method="Shares of all scores that were asked for.",
        columns=[Column("Approach"), Column("Evaluator"), Column("Failed", is_share=True)],
        rows=[(each.approach, each.evaluator, each.failed) for each in found.replies],
    )


def _contrasts(found: TrialReport) -> Exhibit:
    return _against_baseline(
        found,
        found.contrasts,
        "trials-conditions",
        "Conditions against the baseline",
        "in the approach scored in points",
    )


def _by_people(found: TrialReport) -> Iterator[Exhibit]:
    """Exhibits of people's scores, where there are any beside models’."""
    if found.by_people:
        yield _against_baseline(
            found,
            found.by_people,
            "trials-conditions-people",
            "Conditions against the baseline, as people scored them",
            "of people’s scores",
        )


def _against_baseline(found: TrialReport, contrasts: Sequence[Contrast], name: str, title: str, of: str) -> Exhibit:
    dimensions = dict.fromkeys(each.dimension for each in contrasts)
    return compose(
        name,
        SECTION,
        title,
        describes="How many points each condition lies above or below the baseline without a framework.",
        method=f"Paired t on scenario means, {of}, over models that answered under "
        "both. Where an evaluator failed, the others’ mean is moved by how severe they are beside that one, "
        "if they have ten answers in common, over which a difference in severity has less than half the "
        "standard error of a single score; who gave fewer scores counts only where nobody gave more. "
        "Equal: both one-sided tests reject a difference of the margin. p of a difference is multiplied by the "
        "number of conditions. What is neither is open: not different is not equal.",
        columns=[
            *(Column(heading) for heading in ("Dimension", "Condition", "Mean", "Baseline")),
            *(Column("Difference", 1), Column("SD over scenarios", 1), Column("Margin")),
            *(Column("p, equal", 4), Column("p, different", 4)),
            Column("Is"),
        ],
        rows=[
            (
                *(named(found, each.dimension), named(found, each.condition), each.mean, each.baseline),
                *(each.difference, each.sd, each.margin, each.p_equal, each.p_different, each.verdict),
            )
            for each in contrasts
        ],
        draw=(
            lambda: dot_plot(
                [
                    Group(
                        named(found, name),
                        tuple(
                            Lane(named(found, each.condition), (each.difference,))
                            for each in contrasts
                            if each.dimension == name
                        ),
                    )
                    for name in dimensions
                ],
                [Scale("Points beyond the baseline", reaches=(0,))],
            )
        )
        if contrasts
        else None,
    )


def _controls(found: TrialReport) -> Exhibit:
    return compose(
        "trials-controls",
        SECTION,
        "Positive controls",
        describes="Answers that were made to fail must score lower; else equal scores prove nothing.",
        method="Points beyond the other answers to the same scenarios, paired t on scenario means.",
        columns=[Column("Dimension"), Column("Control"), Column("Difference", 1), Column("Scores lower")],
        rows=[
            (
                *(named(found, each.dimension), named(found, each.condition)),
                *(each.difference, "yes" if each.holds else "no"),
            )
            for each in found.controls
        ],
    )


def _conclusions(found: TrialReport) -> Exhibit:
    each = found.conclusions
    return compose(
        "trials-conclusions",
        SECTION,
        "Conclusions by condition",
        describes="How often two answers to a case recommend different things, under two conditions and under one.",
        method="χ² of condition × code, summed over scenarios, with p from permuting conditions within cases; "
        "Cramér’s V, corrected for bias, takes codes as shared by all scenarios. κ is of coders who knew neither "
        "condition nor model. Shares have intervals of the jackknife over scenarios, or the exact one of as many "
        "scenarios where all or none of the pairs differ.",
        columns=[
            *(Column("Two conditions", is_share=True), Column("Repeats of one", is_share=True)),
            Column("Beyond repeats", is_share=True),
            *(Column("χ²", 1), Column("p", 4), Column("V"), Column("κ of coders")),
        ],
        rows=[(each.differ, each.repeats, each.beyond, each.chi_squared, each.p, each.v, each.kappa)],
    )


def _recognised(found: TrialReport) -> Exhibit:
    return compose(
        "trials-recognised",
        SECTION,
        "Frameworks recognised",
        describes="What judges guessed, after their last item, of the framework behind an answer.",
        method="Shares of guesses. The index is 0 where guesses are as good as chance among the conditions, 1 "
        "where all are right, below 0 where they are worse; not knowing counts as chance.",
        columns=[
            *(Column("Condition"), Column("Right", is_share=True), Column("Don’t know", is_share=True)),
            *(Column("Index"), Column("Most often taken for")),
        ],
        rows=[
            (
                *(named(found, each.condition), each.right, each.unknown, each.index),
                named(found, each.taken_for) if each.taken_for else "–",
            )
            for each in found.recognised
        ],
    )


def _coders(found: TrialReport) -> Exhibit:
    return compose(
        "trials-coders",
        SECTION,
        "Coders of conclusions",
        describes="How far every two coders, people or models, agree on what answers recommend.",
        method="Cohen’s κ over the answers that both coded; all were blind to condition and model.",
        columns=[Column("Coder"), Column("And"), Column("κ")],
        rows=[(each.one, each.other, each.kappa) for each in found.conclusions.pairs],
    )


def _widths(found: TrialReport) -> Exhibit:
    return compose(
        "trials-sizing",
        SECTION,
        "Expected intervals of the integrity difference",
        describes="Half the width to expect with so many scenarios, from the spread that was found.",
        method="t times the greatest SD of scenario differences, over the root of the number of scenarios.",
        columns=[Column("Scenarios"), Column("Half width", 1)],
        rows=[(each.scenarios, each.half_width) for each in found.widths],
    )


def _spread(found: TrialReport) -> Exhibit:
    parts = {
        "scenario": "Scenarios",
        "case": "Models within",
        "answer": "Answers of one model",
        "evaluator": "Evaluators",
        "repeat": "Repeats",
    }
    return compose(
        "trials-spread",
        SECTION,
        "What differences from the baseline vary with",
        describes="How much of their variance, in points², is between scenarios, and how much that more models, "
        "answers, evaluators or repeats would average out.",
        method="Method of moments over complete cases, means over conditions. What was not repeated is part of "
        "what it repeats.",
        columns=[Column("Dimension"), *(Column(heading, 1) for heading in parts.values())],
        rows=[(named(found, each.dimension), *(getattr(each, name) for name in parts)) for each in found.spreads],
    )
