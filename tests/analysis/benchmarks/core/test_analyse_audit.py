"""The command that analyses an audit from files, without a study."""

import csv
import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.benchmarks.core.audit import ERRORS

BENCHMARK = """question,gold,options,story
Why?,A,one;two;three,Nora left.
Who?,2,one;two;three,Nora left.
Where?,three,one;two;three,Paul stayed.
"""


def written(tmp_path: Path, **files: str) -> dict[str, list[dict[str, str]]]:
    (tmp_path / "b.csv").write_text(BENCHMARK)
    options: dict[str, Path] = {}
    for name, content in files.items():
        options[name] = tmp_path / f"{name}.csv"
        options[name].write_text(content)
    out = tmp_path / "out"
    call_command(
        "analyse_audit", "table", str(tmp_path / "b.csv"), out=out, draws=100, stdout=io.StringIO(), **options
    )
    return {path.stem: [*csv.DictReader(io.StringIO(path.read_text()))] for path in out.iterdir()}


def test_tables_are_written_from_predictions_rulings_and_flags(tmp_path: Path) -> None:
    found = written(
        tmp_path,
        predictions="model,question,prediction\nm,1,A\nm,2,one\nm,3,B\n",
        rulings="question,category,correction\n2,structural,1\n",
        flags="question,annotator,category\n1,a,none\n1,b,none\n2,a,structural\n2,b,semantic\n",
    )
    of_questions = [
        row for row in found["scores"] if (row["model"], row["of"], row["part"]) == ("m", "questions", "")
    ]
    values = {row["subset"]: float(row["value"]) for row in of_questions}
    assert values == pytest.approx({"original": 1 / 3, "cleaned": 1 / 2, "corrected": 2 / 3})
    changes = {row["subset"]: row for row in found["differences"] if row["model"] == "m"}
    assert float(changes["corrected − original"]["value, percentage points"]) == pytest.approx(100 / 3)
    assert float(changes["cleaned − original"]["value, percentage points"]) == pytest.approx(100 / 6)
    [split] = [row for row in found["errors"] if row["model"] == "m"]
    assert [split[name] for name in ERRORS] == [*"100010"]
    assert [row["questions"] for row in found["flaws"]] == [*"1001"]
    assert ("none", "none", "1") in {tuple(row.values()) for row in found["confusion"]}
    assert {"always 1", "always 2", "always 3"} < {row["model"] for row in found["scores"]}


def test_without_predictions_there_are_models_that_do_not_read(tmp_path: Path) -> None:
    found = written(tmp_path)
    [score] = [
        row
        for row in found["scores"]
        if (row["model"], row["of"], row["subset"], row["part"]) == ("always 3", "questions", "original", "")
    ]
    assert float(score["value"]) == pytest.approx(1 / 3)


def test_a_wrong_file_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"Nothing was written\. rulings\.csv, line 2"):
        written(tmp_path, rulings="question,category\n7,none\n")
    assert not (tmp_path / "out").exists()
