"""`manage.py analyse --trials` answers the question in one sentence, and counts replies that failed."""

import io
import re
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
    text = (out / "report.txt").read_text(encoding="utf-8")
    assert found.verdict.sentence in text
    for approach in "AD":
        assert f"96 scores asked for of 2 evaluators in approach {approach}" in text
    in_our_words = text.replace("judge=evaluator", "")  # as the file's column was told
    assert not re.search(r"\b(judg|rank)", in_our_words, re.IGNORECASE), "evaluators gave scores"
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


def test_a_file_of_trials_in_which_every_reply_failed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file.csv"
    file.write_text(trials_csv().replace(",ok,", ",error,"), encoding="utf-8")
    asked = ("--columns", "story=prompt,story+model+condition=unit,judge=evaluator", "--codes", "PASS=1,FAIL=0")
    with pytest.raises(CommandError, match="nothing is left to analyse"):
        call_command("analyse", "--trials", str(file), "--out", str(tmp_path / "out"), *asked)


def test_a_file_with_overall_scores_alone_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "file.csv"
    lines = [
        f"s{place // 2},m,{CONDITIONS[place % 2]},{judge},{60 + place}" for place in range(6) for judge in "xy"
    ]
    file.write_text("\n".join(["scenario,model,condition,judge,overall", *lines]), encoding="utf-8")
    asked = ("--columns", "scenario=prompt,model=respondent,judge=evaluator")
    with pytest.raises(CommandError, match="name its column otherwise"):
        call_command("analyse", "--trials", str(file), "--out", str(tmp_path / "out"), *asked)


def test_a_pilots_own_names_of_columns_are_understood_and_measures_are_no_dimensions(tmp_path: Path) -> None:
    file, said, out = tmp_path / "file.csv", io.StringIO(), tmp_path / "out"
    lines = [
        f"T{place:02};{place};Story {place // 8};GPT;{('No constitution', 'Order')[place % 2]};Ann {judge}"
        f";{80 + place % 7 + judge},5;{60 + place % 5};{90 - place % 3};0,0{place};{200 + place};{9 * place}"
        for place in range(16)
        for judge in range(3)
    ]
    head = (
        "Trial;Trial ID;Scenario;Answering model;Constitution;Evaluator;Epistemic Integrity;Clarity;Overall score"
    )
    file.write_text("\n".join([f"{head};Cost (USD);Output tokens;Value transparency", *lines]), encoding="utf-8")
    call_command(
        *("analyse", "--trials", str(file), "--out", str(out), "--draws", "100", "--columns", "Trial=unit"),
        stdout=said,
    )
    found = from_json((out / "results.json").read_bytes())[TRIALS]
    assert (found.baseline, found.integrity) == ("No constitution", "Epistemic Integrity")
    assert {each.measure for each in found.agreement} == {
        *("Epistemic Integrity", "Clarity", "Value transparency"),
        *("mean", "overall"),
    }
    assert "not taken for a dimension: Trial ID, Cost (USD) and Output tokens" in said.getvalue()
    assert "nobody named the dimensions: Epistemic Integrity, Clarity and Value transparency" in said.getvalue()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["--controls", "denied"], "No condition is called denied: no_constitution, harm, order, denied_fact"),
        (["--baseline", "none"], "No condition is called none"),
        (["--baseline", "harm", "--controls", "harm"], "harm is the baseline, and so is no condition"),
        (["--integrity", "epistemic"], "No dimension is called epistemic: integrity, transparency, overall"),
    ],
)
def test_a_condition_or_dimension_that_the_file_does_not_have_is_told_with_those_it_has(
    tmp_path: Path, asked: list[str], words: str
) -> None:
    file = tmp_path / "file.csv"
    file.write_text(trials_csv(), encoding="utf-8")
    with pytest.raises(CommandError, match=words):
        call_command(
            *("analyse", "--trials", str(file), "--out", str(tmp_path / "out"), "--codes", "PASS=1,FAIL=0"), *asked
        )
