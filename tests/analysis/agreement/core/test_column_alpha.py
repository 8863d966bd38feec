"""α of a column without one prompt or one judge, and what its interval can be."""

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.core.agreement_by_scope import agreement_by_scope
from analysis.agreement.core.agreement_resampler import AgreementResampler
from analysis.agreement.core.column_alpha import ColumnRatings, alpha_of
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import FloatArray
from analysis.masked.core.masked_report import prepared
from analysis.sections.core.report import SILENT
from analysis.uncertainty.core.intervals import of_reliability
from annotation.platform.core.interval_ends import ends_about
from tests.analysis.agreement.core.rankings import ends, value


def frame(judges: int, prompts: int, seed: int) -> pd.DataFrame:
    """Each judge gives each of a prompt's three answers a mark from 1 to 4, but for one in ten."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"P{prompt}", f"P{prompt}-{answer}", f"j{judge}", float(rng.integers(1, 5)))
        for prompt in range(prompts)
        for judge in range(judges)
        for answer in range(3)
        if rng.random() < 0.9
    ]
    found = pd.DataFrame(rows, columns=["prompt_id", "true_id", "judge_id", "score"])
    sources = {"item_type": "standard", "true_source": "model", "model": "gpt", "blinded_label": ""}
    return found.assign(**sources, rank=np.nan, clarity=found["score"])


def test_alpha_without_each_is_that_of_the_rows_without_it() -> None:
    rows = frame(judges=4, prompts=5, seed=1)
    scores: FloatArray = rows["score"].to_numpy(dtype=float)
    prompts, judges = (sorted(rows[column].unique()) for column in ("prompt_id", "judge_id"))
    rated = ColumnRatings.of(rows, scores, prompts=prompts, judges=judges)
    for column, names, found in zip(
        ("prompt_id", "judge_id"), (prompts, judges), rated.without_each("ordinal"), strict=True
    ):
        kept = [rows[column] != name for name in names]
        expected = [value(alpha_of(rows[each], scores[each], "ordinal")) for each in kept]
        assert found == pytest.approx(expected)


def test_alpha_of_two_judges_has_no_interval_below_minus_1() -> None:
    # At random α is as often below 0 as above it.
    for seed in range(4):
        rows = frame(judges=2, prompts=6, seed=seed)
        given, _ = prepared(
            rows, parameters=Parameters(draws=100), scale=None, domain_of=lambda _: "", progress=SILENT
        )
        summary = agreement_by_scope(given, is_tested=False)[WHOLE].summary
        for alpha in (summary.alpha_ordinal, summary.alpha_interval):
            low, high = ends(alpha)
            assert -1 <= low < value(alpha) < high < 1


def test_one_answer_of_two_ratings_hardly_moves_the_interval_of_hundreds_with_many() -> None:
    rows = pd.DataFrame(
        [(f"P{answer}", f"A{answer}", f"j{judge}") for answer in range(300) for judge in range(12)],
        columns=["prompt_id", "true_id", "judge_id"],
    )
    names = {kind: sorted(rows[f"{kind[:-1]}_id"].unique()) for kind in ("prompts", "judges")}
    found = [
        ends_about(0.13, 0.12, of_reliability(ColumnRatings.of(kept, np.ones(len(kept)), **names).raters, 0.13))
        for kept in (rows, rows.iloc[10:])
    ]
    assert found[0] == pytest.approx(found[1], abs=0.002)


def test_alpha_of_means_all_alike_is_the_least_that_its_raters_allow() -> None:
    rows = frame(judges=4, prompts=200, seed=1)
    # Every answer's ratings vary alike about the same mean.
    spread = rows["score"] + rows["judge_id"].factorize()[0] / 100
    around = spread - spread.groupby(rows["true_id"]).transform("mean")
    rows["score"] = around / around.groupby(rows["true_id"]).transform("std")
    rows = rows[rows["score"].notna()]
    prompts, judges = (sorted(rows[column].unique()) for column in ("prompt_id", "judge_id"))
    scores: FloatArray = rows["score"].to_numpy(dtype=float)
    raters = ColumnRatings.of(rows, scores, prompts=prompts, judges=judges).raters
    assert value(alpha_of(rows, scores, "interval")) == pytest.approx(of_reliability(raters, None)[0], abs=0.001)


def test_the_least_agreement_of_prompts_is_the_mean_of_theirs() -> None:
    rows = pd.concat([frame(judges, 1, seed=1).assign(prompt_id=f"P{judges}") for judges in (2, 5)])
    k = AgreementResampler.of(rows).judges_to_disagree
    assert of_reliability(k, None)[0] == pytest.approx(-(1 + 1 / 4) / 2)
