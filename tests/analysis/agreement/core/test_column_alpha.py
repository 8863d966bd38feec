"""α of a column without one prompt or one judge, and what its interval can be."""

import numpy as np
import pandas as pd
import pytest

from analysis.agreement.core.agreement_by_scope import agreement_by_scope
from analysis.agreement.core.column_alpha import ColumnRatings, alpha_of
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import FloatArray
from analysis.masked.core.masked_report import prepared
from analysis.sections.core.report import SILENT
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
