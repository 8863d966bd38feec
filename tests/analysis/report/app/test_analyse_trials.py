"""`manage.py analyse --trials` answers the question in one sentence, and counts replies that failed."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.report.core.results_file import from_json
from analysis.trials.sections import TRIALS
from tests.analysis.rating_files.files import CONDITIONS, trials_csv


def test_a_file_of_trials_gets_one_sentence_its_exhibits_and_its_failures_counted(tmp_path: Path) -> None:
    file, said, out = tmp_path / "file.csv", io.StringIO(), tmp_path / "out"
    file.write_text(trials_csv(), encoding="utf-8")
    asked = ("--columns", "story=prompt,story+model+condition=unit,judge=evaluator", "--codes", "PASS=1,FAIL=0")
    controls = ("--controls", "denied_fact", "--draws", "100", "--scales", "A=0-2,D=0-100")
    call_command("analyse", "--trials", str(file), "--out", str(out), *asked, *controls, stdout=said)
    found = from_json((out / "results.json").read_bytes())[TRIALS]
    assert found.verdict.sentence in said.getvalue()
    assert found.verdict.sentence in (out / "report.txt").read_text(encoding="utf-8")
    assert (found.baseline, found.integrity, found.scenarios, found.answers) == (
        "no_constitution",
        "integrity",
        3,
        18,
    )
    assert {(each.approach, each.measure) for each in found.agreement} == {
        *(("A", measure) for measure in ("integrity", "transparency", "mean")),
        *(("D", measure) for measure in ("integrity", "transparency", "mean", "overall")),
    }
    failed = {(each.approach, each.evaluator): each.failed for each in found.replies}
    assert failed["D", "y"].value == 2 / 48
    assert failed["D", "x"].value == 0
    assert "gave one value to all" in (found.agreement[0].spearman.reason or "")
    assert [each.band for each in found.bands if (each.approach, each.dimension) == ("A", "integrity")] == [*"012"]
    assert (out / "tables" / "trials-conditions.csv").exists()
    assert (out / "figures" / "trials-agreement.svg").exists()


@pytest.mark.parametrize("scales", ["A=1", "A=2-1", "E=0-1"])
def test_scales_that_are_none_or_of_no_approach_are_refused(tmp_path: Path, scales: str) -> None:
    file = tmp_path / "file.csv"
    file.write_text(trials_csv(), encoding="utf-8")
    asked = ("--columns", "story=prompt,story+model+condition=unit,judge=evaluator", "--codes", "PASS=1,FAIL=0")
    out = ("--out", str(tmp_path / "out"))
    with pytest.raises(CommandError, match=r"does not give scales|No approach is called E"):
        call_command("analyse", "--trials", str(file), *out, *asked, "--scales", scales)


def test_a_file_with_overall_scores_alone_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "file.csv"
    lines = [
        f"s{place // 2},m,{CONDITIONS[place % 2]},{judge},{60 + place}" for place in range(6) for judge in "xy"
    ]
    file.write_text("\n".join(["scenario,model,condition,judge,overall", *lines]), encoding="utf-8")
    asked = ("--columns", "scenario=prompt,model=respondent,judge=evaluator")
    with pytest.raises(CommandError, match="name its column otherwise"):
        call_command("analyse", "--trials", str(file), "--out", str(tmp_path / "out"), *asked)
