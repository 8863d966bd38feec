"""Whether answers to one scenario recommend different things under different conditions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, compress
from types import MappingProxyType
from typing import Final

import numpy as np
import pandas as pd

from analysis.data.core.rank_tables import IntArray
from analysis.data.core.results import Estimate, FloatArray
from analysis.trials.core.score_table import with_jackknife
from analysis.uncertainty.core.intervals import SHARE, or_exact
from analysis.uncertainty.core.judgment_arrays import BoolArray
from annotation.platform.core.category_agreement import LEVEL, cohen
from annotation.platform.core.coding import BY_MODEL

NO_CODES: Final = "nobody coded what answers recommend"
DEGENERATE: Final = "however conditions are permuted within a case, χ² stays the same"
ONE_CODER: Final = "fewer than two coders are told apart"
NO_CONDITIONS: Final = "no case has coded answers under two conditions"
METHOD: Final = "t of the jackknife over scenarios"
NO_REPEATS: Final = "no condition has two coded answers in a case"
# Few scenarios may bring all of what conditions change: where none of these is there, intervals lie below it.
MIN_SCENARIOS: Final = 20
TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class CoderPair:
    """Cohen’s κ of two coders, people or models, over the answers that both coded."""

    one: str
    other: str
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class Conclusions:
    """`chi_squared` is Pearson's, of condition × code, summed over scenarios, whose codes are their own; its `p` is
    from permuting conditions within cases (a scenario answered by a model). `differ` is the share of pairs of
    answers to a case under two conditions that conclude differently, `repeats` that of pairs under the same one,
    `beyond` how much the former exceeds the latter. Scenarios are the sample: intervals leave out one at a time. A
    share that is 0 or 1 in all of them has the exact interval of as many scenarios.
    `v` is Cramér's V of all codes together, corrected for bias (Bergsma 2013, Journal of the Korean Statistical
    Society 42: 323–328), which takes codes as shared by scenarios. `kappa` is Cohen’s of two coders, over answers
    that both coded, a code being one within its scenario; the mean over pairs where there are more coders. It is
    people’s alone where people coded; `pairs` has every two, models beside people too.
    """

    differ: Estimate
    repeats: Estimate
    chi_squared: Estimate
    p: Estimate
    v: Estimate
    kappa: Estimate
    pairs: tuple["CoderPair", ...] = ()
    # Reports that were kept before have neither.
    beyond: Estimate | None = None
    permutations: int = 0


def conclusions(
    answers: pd.DataFrame,
    *,
    draws: int,
    seed: int,
    level: float = LEVEL,
    coders: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> Conclusions:
    """Conclusions of answers with scenario, model, condition and conclusion ("" where nobody coded it); `coders`
    has what each of them said of each answer.
    """
    kappa, pairs_of_coders = coders_kappa(answers, coders, level), coder_pairs(answers, coders, level)
    coded = answers[answers["conclusion"] != ""]
    left_out = len(answers) - len(coded)
    if coded.empty:
        names = ("differ", "repeats", "chi_squared", "p", "v", "beyond")
        nothing = {name: Estimate(name, None, 0, left_out, NO_CODES) for name in names}
        return Conclusions(kappa=kappa, pairs=pairs_of_coders, permutations=draws, **nothing)
    pairs = _Pairs.of(coded)
    found, p = _permuted(coded, draws=draws, seed=seed)
    n = len(coded)
    table = pd.crosstab(coded["condition"], coded["conclusion"]).to_numpy(dtype=float)
    v = corrected_v(table)
    return Conclusions(
        _share("differ", pairs, ~pairs.are_repeats, NO_CONDITIONS, level),
        _share("repeats", pairs, pairs.are_repeats, NO_REPEATS, level),
        Estimate("chi_squared", float(found), n, left_out),
        Estimate("p", p, n, left_out, None if p is not None else DEGENERATE),
        Estimate("v", None, n, left_out, f"one {'code' if table.shape[1] < 2 else 'condition'} alone")
        if np.isnan(v)
        else Estimate("v", v, n, left_out),
        kappa,
        pairs_of_coders,
        _beyond(pairs, level),
        draws,
    )


def coders_kappa(answers: pd.DataFrame, coders: Mapping[str, Mapping[str, str]], level: float = LEVEL) -> Estimate:
    """Cohen's κ over the answers that two people coded, of more people the mean over pairs, without an interval; of
    models where nobody else coded.
    """
    said = _said(answers, coders)
    names = sorted({coder for each in said for coder in each})
    people = [name for name in names if not name.startswith(BY_MODEL)]
    found = [_kappa(said, one, other, level) for one, other in combinations(people or names, 2)]
    known = [each.value for each in found if each.value is not None]
    n = sum(each.n for each in found)
    if not known:
        return Estimate("kappa", None, n, reason=f"κ: {_reasons(found)}" if found else ONE_CODER)
    if len(found) > 1:
        return Estimate("kappa", float(np.mean(known)), n, len(found) - len(known))
    return found[0]


def _reasons(found: Sequence[Estimate]) -> str:
    reasons = Counter((each.reason or "").removeprefix("κ: ") for each in found)
    if len(reasons) == 1:
        return next(iter(reasons))
    said = [f"{number} {'has' if number == 1 else 'have'} {reason}" for reason, number in reasons.items()]
    return f"of {len(found)} pairs of coders, {', '.join(said)}"


def coder_pairs(
    answers: pd.DataFrame, coders: Mapping[str, Mapping[str, str]], level: float = LEVEL
) -> tuple[CoderPair, ...]:
    """Every two coders, people first."""
    said = _said(answers, coders)
    names = sorted({coder for each in said for coder in each})
    return tuple(CoderPair(one, other, _kappa(said, one, other, level)) for one, other in combinations(names, 2))


def _said(answers: pd.DataFrame, coders: Mapping[str, Mapping[str, str]]) -> list[dict[str, tuple[str, str]]]:
    """What each coder said of each coded answer, a code being one within its scenario."""
    if not coders:
        return []
    scenarios = dict(zip(answers["answer"], answers["scenario"], strict=True))
    return [
        {coder: (scenarios[answer], code) for coder, code in codes.items()}
        for answer, codes in coders.items()
        if answer in scenarios
    ]


def _kappa(said: list[dict[str, tuple[str, str]]], one: str, other: str, level: float) -> Estimate:
    """Cohen's κ with its interval, leaving out one scenario at a time."""
    both = [(each[one], each[other]) for each in said if one in each and other in each]
    whole = cohen(both)
    if whole.kappa is None:
        return Estimate("kappa", None, whole.n, reason=f"κ: {whole.reason}")
    scenarios = np.unique([scenario for (scenario, _), _ in both], return_inverse=True)[1]

    def kappa(kept: BoolArray) -> float:
        found = cohen(compress(both, kept)).kappa
        return float("nan") if found is None else found

    return with_jackknife("kappa", kappa, scenarios, n=whole.n, level=level, method=METHOD)


def corrected_v(table: FloatArray) -> float:
    """Bergsma's Ṽ, 0 to 1, of a table of counts; NaN where one of its sides has one category alone."""
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    (rows, columns), n = table.shape, table.sum()
    if min(rows, columns) < 2 or n < 2:
        return float("nan")
    phi = max(0.0, _chi_squared(table) / n - (rows - 1) * (columns - 1) / (n - 1))
    least = min(rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)) - 1
    return float(np.sqrt(phi / least)) if least > 0 else float("nan")


@dataclass(frozen=True)
class _Pairs:
    """Every two answers of a case: the number of their scenario, whether they are of one condition, and whether
    they conclude differently.
    """

    scenarios: IntArray
    are_repeats: BoolArray
    differ: BoolArray

    @classmethod
    def of(cls, coded: pd.DataFrame) -> "_Pairs":
        found = np.array(list(_pairs(coded)), dtype=np.intp).reshape(-1, 3)
        return cls(found[:, 0], found[:, 1].astype(bool), found[:, 2].astype(bool))


def _pairs(coded: pd.DataFrame) -> Iterator[tuple[int, bool, bool]]:
    scenarios = {name: place for place, name in enumerate(sorted(set(coded["scenario"])))}
    for _, rows in coded.groupby(["scenario", "model"], sort=True):
        place = scenarios[rows["scenario"].iloc[0]]
        answers = zip(rows["condition"], rows["conclusion"], strict=True)
        for one, other in combinations(answers, 2):
            yield place, one[0] == other[0], one[1] != other[1]


def _permuted(coded: pd.DataFrame, *, draws: int, seed: int) -> tuple[float, float | None]:
    """χ² and its p; None where every permutation has the same χ²."""
    random = np.random.default_rng(seed)
    observed, drawn = 0.0, np.zeros(draws)
    for _, rows in coded.groupby("scenario", sort=True):
        conditions, codes = (pd.factorize(rows[name], sort=True)[0] for name in ("condition", "conclusion"))
        cases = pd.factorize(rows["model"], sort=True)[0]
        observed += _chi_squared_of(conditions[None], codes)[0]
        drawn += _chi_squared_of(_within(conditions, cases, draws, random), codes)
    if np.ptp(drawn) < TOLERANCE:
        return observed, None
    return observed, float((1 + (drawn >= observed - TOLERANCE).sum()) / (1 + draws))


def _within(conditions: IntArray, cases: IntArray, draws: int, random: np.random.Generator) -> IntArray:
    """Draws × answers: conditions permuted within cases."""
    found = np.tile(conditions, (draws, 1))
    for case in np.unique(cases):
        places = np.flatnonzero(cases == case)
        found[:, places] = random.permuted(found[:, places], axis=1)
    return found


def _chi_squared_of(conditions: IntArray, codes: IntArray) -> FloatArray:
    """χ² by draw."""
    rows, columns = int(conditions.max()) + 1, int(codes.max()) + 1
    draws = np.arange(len(conditions))[:, None]
    cells = (draws * rows + conditions) * columns + codes
    tables = np.bincount(cells.ravel(), minlength=len(conditions) * rows * columns).astype(float)
    return _chi_squared(tables.reshape(len(conditions), rows, columns))


def _chi_squared(tables: FloatArray) -> FloatArray:
    """χ² of … × rows × columns, none of which is empty."""
    n = tables.sum(axis=(-2, -1), keepdims=True)
    expected = tables.sum(axis=-1, keepdims=True) * tables.sum(axis=-2, keepdims=True) / n
    return np.asarray(((tables - expected) ** 2 / expected).sum(axis=(-2, -1)))


def _share(name: str, pairs: _Pairs, of: BoolArray, otherwise: str, level: float) -> Estimate:
    if not of.any():
        return Estimate(name, None, 0, reason=otherwise)
    differ, scenarios = pairs.differ[of], np.unique(pairs.scenarios[of], return_inverse=True)[1]
    found = with_jackknife(
        name,
        lambda kept: float(differ[kept].mean()) if kept.any() else float("nan"),
        scenarios,
        n=int(of.sum()),
        level=level,
        bounds=SHARE,
        method=METHOD,
    )
    return or_exact(found, int(scenarios.max()) + 1, level=level)


def _beyond(pairs: _Pairs, level: float) -> Estimate:
    def beyond(kept: BoolArray) -> float:
        of_two, of_one = (pairs.differ[kept & of] for of in (~pairs.are_repeats, pairs.are_repeats))
        return float(of_two.mean() - of_one.mean()) if of_two.size and of_one.size else float("nan")

    if np.isnan(beyond(np.ones(pairs.differ.size, dtype=bool))):
        reason = NO_REPEATS if not pairs.are_repeats.any() else NO_CONDITIONS
        return Estimate("beyond", None, 0, reason=reason)
    scenarios = np.unique(pairs.scenarios, return_inverse=True)[1]
    return with_jackknife(
        "beyond",
        beyond,
        scenarios,
        n=pairs.differ.size,
        level=level,
        method=METHOD,
        is_skewed=True,
        least=MIN_SCENARIOS,
    )
