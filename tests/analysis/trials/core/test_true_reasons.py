"""Why a figure of trials is undefined is what makes it so: too few, nobody else, or nothing that varies."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.data.core.trials import Trials
from analysis.trials.core.approach_agreement import MeasureAgreement, measure_agreement
from analysis.trials.core.conclusions import conclusions
from analysis.trials.core.halo import halo_difference, halos
from analysis.trials.core.people import beside_people
from analysis.trials.core.rubric_diagnostics import components, lengths, links, severities
from analysis.trials.core.score_table import ScoreTable, score_tables
from tests.analysis.trials.core.worlds import world

LEVEL = 0.95


def table_of(trials: Trials) -> ScoreTable:
    [table] = score_tables(trials)
    return table


def agreement(trials: Trials) -> list[MeasureAgreement]:
    table = table_of(trials)
    return [measure_agreement(table, measure, 0.95) for measure in table.dimensions]


def flat(who: str, dimension: str = "") -> Trials:
    """An evaluator gave one value to all, on a dimension or on both."""
    trials = world(scenarios=3, evaluators=3)
    rows = (trials.frame["evaluator"] == who) & trials.frame["dimension"].isin(
        [dimension] if dimension else trials.dimensions
    )
    return replace(trials, frame=trials.frame.assign(value=trials.frame["value"].mask(rows, 50.0)))


def apart() -> Trials:
    """Two evaluators who scored different answers."""
    trials = world(scenarios=4, evaluators=2)
    first = trials.frame["scenario"].isin(["s0", "s1"]) == (trials.frame["evaluator"] == "e0")
    return replace(trials, frame=trials.frame[first])


def two_answers() -> Trials:
    trials = world(scenarios=1, evaluators=3)
    return replace(trials, frame=trials.frame[trials.frame["answer"].isin(["s0/m1/harm", "s0/m2/order"])])


ALONE = world(scenarios=3, evaluators=1)


@pytest.mark.parametrize(
    ("trials", "reason"),
    [
        (ALONE, "fewer than two evaluators"),
        (apart(), "fewer than three answers have scores of all evaluators on both dimensions: 0"),
        (two_answers(), "fewer than three answers have scores of all evaluators on both dimensions: 2"),
        (flat("e1", "integrity"), "e1 gave one value to all on integrity"),
    ],
    ids=["alone", "apart", "two answers", "flat"],
)
def test_halo(trials: Trials, reason: str) -> None:
    [found] = halos(table_of(trials), LEVEL)
    assert {each.reason for each in (found.within, found.between, found.halo)} == {reason}


@pytest.mark.parametrize(
    ("trials", "reason"),
    [
        (ALONE, "fewer than two evaluators scored in both approaches"),
        (flat("e2", "transparency"), "e2 gave one value to all on transparency in the second approach"),
        (
            two_answers(),
            "fewer than three answers have scores of all evaluators on both dimensions in both approaches: 2",
        ),
    ],
    ids=["alone", "flat", "two answers"],
)
def test_a_difference_in_halo(trials: Trials, reason: str) -> None:
    whole = table_of(world(scenarios=3, evaluators=3))
    other = table_of(trials)
    if len(other.answers) < len(whole.answers):
        whole = other
    assert halo_difference(whole, other, LEVEL).difference.reason == reason


def test_a_difference_in_halo_of_one_dimension() -> None:
    trials = world(scenarios=3, evaluators=3)
    one = table_of(replace(trials, frame=trials.frame[trials.frame["dimension"] == "integrity"]))
    found = halo_difference(one, one, LEVEL).difference
    assert found.reason == "the two approaches have fewer than two dimensions in common"


@pytest.mark.parametrize(
    ("trials", "reason"),
    [
        (ALONE, "fewer than two evaluators"),
        (apart(), "fewer than two answers that all evaluators scored: 0"),
        (world(scenarios=3, evaluators=3, is_constant=True), "every evaluator gave one value to all"),
    ],
    ids=["alone", "apart", "constant"],
)
def test_intraclass_correlations(trials: Trials, reason: str) -> None:
    for each in agreement(trials):
        assert {each.icc_random.reason, each.icc_fixed.reason} == {reason}


@pytest.mark.parametrize(
    ("trials", "reason"),
    [(ALONE, "fewer than two evaluators"), (apart(), "no answer that all evaluators scored")],
    ids=["alone", "apart"],
)
def test_severity(trials: Trials, reason: str) -> None:
    assert {each.above.reason for each in severities(table_of(trials), LEVEL)} == {reason}


@pytest.mark.parametrize(
    ("trials", "reason"),
    [
        (flat("e0", "integrity"), None),
        (world(scenarios=3, evaluators=2, is_constant=True), "integrity has one value throughout"),
        (replace(ALONE, frame=ALONE.frame.head(4)), "fewer than three have all dimensions: 2"),
    ],
    ids=["defined", "constant", "two"],
)
def test_dimensions_together(trials: Trials, reason: str | None) -> None:
    table = table_of(trials)
    found = [*(each.r for each in links(table, LEVEL)), *(each.share for each in components(table, LEVEL))]
    assert {each.reason for each in found} == {reason}


@pytest.mark.parametrize(
    ("trials", "words", "reason"),
    [
        (world(scenarios=3), 200.0, "the number of words has one value throughout"),
        (world(scenarios=3, is_constant=True), None, "the mean score has one value throughout"),
        (two_answers(), None, "fewer than three answers have both a length and a score: 2"),
    ],
    ids=["of one length", "constant", "two"],
)
def test_lengths(trials: Trials, words: float | None, reason: str) -> None:
    answers = dict.fromkeys(trials.frame["answer"])
    known = {answer: words or 100.0 + place for place, answer in enumerate(answers)}
    assert {each.r.reason for each in lengths(table_of(replace(trials, words=known)), LEVEL)} == {reason}


def test_polychoric_correlation_of_one_evaluator() -> None:
    frame = ALONE.frame.assign(value=ALONE.frame["value"] > 80)
    found = agreement(replace(ALONE, frame=frame.astype({"value": float})))
    assert {each.polychoric.reason for each in found} == {"fewer than two evaluators"}


def test_how_far_models_score_above_people_needs_nothing_that_varies() -> None:
    people, models = table_of(flat("e0")), table_of(world(scenarios=3, evaluators=3))
    constant = replace(people, scores={name: np.full_like(each, 50.0) for name, each in people.scores.items()})
    found = list(beside_people(constant, [models], LEVEL))
    assert {each.spearman.reason for each in found} == {"people gave one value to all"}
    assert all(each.above.reason is None and each.above.value is not None for each in found)


def coded(*codes: tuple[str, str, str]) -> pd.DataFrame:
    rows = [
        (f"a{place}", scenario, "m", condition, code) for place, (scenario, condition, code) in enumerate(codes)
    ]
    return pd.DataFrame(rows, columns=["answer", "scenario", "model", "condition", "conclusion"])


@pytest.mark.parametrize(
    ("answers", "reasons"),
    [
        (
            coded(("s", "x", "go"), ("s", "y", "")),
            ("no case has coded answers under two conditions", "no condition has two coded answers in a case"),
        ),
        (
            coded(("s", "x", "go"), ("s", "x", "go"), ("s", "x", "")),
            ("no case has coded answers under two conditions", None),
        ),
    ],
)
def test_shares_of_conclusions_speak_of_answers_that_were_coded(
    answers: pd.DataFrame, reasons: tuple[str | None, str | None]
) -> None:
    found = conclusions(answers, draws=20, seed=1)
    assert (found.differ.reason, found.repeats.reason) == reasons


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (coded(("s", "x", "go"), ("s", "y", "go")), "one code alone"),
        (coded(("s", "x", "go"), ("s", "x", "stay")), "one condition alone"),
    ],
)
def test_the_strength_of_association_of_conclusions(answers: pd.DataFrame, reason: str) -> None:
    assert conclusions(answers, draws=20, seed=1).v.reason == reason


def test_coders_who_agree_on_nothing_for_several_reasons_have_all_of_them_said() -> None:
    answers = coded(("s", "x", "go"), ("s", "y", "go"), ("s", "z", "go"))
    coders = {"a0": {"ann": "go", "ben": "go"}, "a1": {"ann": "go", "ben": "go"}, "a2": {"cy": "go"}}
    assert conclusions(answers, draws=20, seed=1, coders=coders).kappa.reason == (
        "κ: of 3 pairs of coders, 1 has one verdict throughout, 2 have nothing judged by both"
    )
