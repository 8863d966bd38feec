"""`manage.py analyse` works on any file in the published layout, without a study."""

import csv
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from analysis.core.judgment_frame import read_csv, write_csv
from analysis.core.report import WHOLE, Parameters, analyse
from analysis.core.report_files import COLUMNS, figures, from_json
from tests.core.judgments import judgments

MARKS = {"gpt-1": (9.0, 8.0), "claude-1": (7.0, 7.0), "human-1": (5.0, 6.0)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Four prompts by three judges; one of them gave ranks that do not follow from the scores."""
    ranks = {
        (f"BBQ_{prompt}", f"j{judge}"): {"gpt-1": 1, "claude-1": 2, "human-1": 3}
        for prompt in range(4)
        for judge in range(3)
    }
    ranks["BBQ_0", "j0"] = {"gpt-1": 3, "claude-1": 1, "human-1": 1}
    path = tmp_path / "judgments.csv"
    with path.open("wb") as buffer:
        write_csv(judgments(ranks, scores=MARKS, dimensions=("clarity", "evidence")), buffer)
    return path


def analysed(file: Path, *options: str) -> tuple[Path, str]:
    said, out = io.StringIO(), file.parent / "out"
    call_command("analyse", "--judgments", str(file), "--out", str(out), "--draws", "40", *options, stdout=said)
    return out, said.getvalue()


def test_writes_every_figure_as_the_report_has_it(file: Path) -> None:
    out, said = analysed(file)

    report = from_json((out / "results.json").read_bytes())
    assert report == analyse(read_csv(file), parameters=Parameters(draws=40))
    rows = list(csv.DictReader((out / "figures.csv").read_text(encoding="utf-8").splitlines()))
    assert tuple(rows[0]) == COLUMNS
    found = {row["figure"]: row for row in rows}
    assert len(found) == len(rows) == len(list(figures(report)))
    w = report.agreement[WHOLE].summary.w.mean
    assert float(found["agreement.all.summary.w.mean"]["value"]) == w.value
    assert found["sources.outcomes.BBQ.card.gpt.clarity.score.mean"]["value"] == "9.0"
    assert "12 judgments of 4 prompts by 3 judges" in said
    assert "In 1 judgment ranks and scores differ: ranked anew from their scores." in said


def test_takes_the_ranks_as_they_stand_where_it_is_told_to(file: Path) -> None:
    by_scores, _ = analysed(file)
    whole = from_json((by_scores / "results.json").read_bytes()).agreement[WHOLE]
    as_given, said = analysed(file, "--paper-compatible")
    paper = from_json((as_given / "results.json").read_bytes()).agreement[WHOLE]
    assert whole.summary.w.mean.value == 1
    assert paper.summary.w.mean.value is not None
    assert paper.summary.w.mean.value < 1
    assert "taken as they stand" in said


def test_the_papers_estimators_by_hand(file: Path) -> None:
    out, _ = analysed(file, "--paper-compatible")
    summary = from_json((out / "results.json").read_bytes()).agreement[WHOLE].summary
    # BBQ_0: ranks 3 1 1 | 1 2 3 | 1 2 3: sums 5 5 7, mean 17/3, S = 2·(2/3)² + (4/3)² = 24/9, W = 12·S/(9·24).
    assert summary.w.mean.value == pytest.approx((4 / 27 + 3) / 4, abs=1e-12)
    # j0 of BBQ_0 against the others: pairs of answers −1 −1 0 beside 1 1 1: τ_b = −2/√(2·3); the third pair agrees.
    of_first = [-2 / np.sqrt(6), -2 / np.sqrt(6), 1]
    assert summary.tau_b_pooled.value == pytest.approx((sum(of_first) + 9) / 12, abs=1e-12)
    assert (summary.top_1.value, summary.full.value) == (0.75, 0.75)


def test_other_columns_may_stand_in_the_file(file: Path) -> None:
    frame = pd.read_csv(file).assign(remark="Well argued.", house="north")
    frame.to_csv(file, index=False)
    out, _ = analysed(file)
    assert from_json((out / "results.json").read_bytes()).data.dimensions == ("clarity", "evidence")


def test_dimensions_can_be_named(file: Path) -> None:
    out, _ = analysed(file, "--dimensions", "evidence")
    assert from_json((out / "results.json").read_bytes()).data.dimensions == ("evidence",)
    with pytest.raises(CommandError, match="no column of dimensions is called grace"):
        analysed(file, "--dimensions", "grace")


def test_what_is_wrong_with_a_file_is_said(file: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    cells = lines[3].split(",")
    cells[-1] = "good"
    file.write_text("\n".join([*lines[:3], ",".join(cells), *lines[4:]]), encoding="utf-8")
    with pytest.raises(CommandError, match="row 4, column evidence: 'good' is not a number"):
        analysed(file)
    with pytest.raises(CommandError, match="No such file"):
        analysed(file.with_name("missing.csv"))
