"""`manage.py analyse --framings` comes from one file of panel scores to tables, pictures and sentences."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.framing.sections import FRAMING
from analysis.report.core.results_file import from_json
from tests.analysis.framing.planted import an_experiment

LOST = {"gemini": {}, "gpt": {"emotion_agree": 1.5}}


def a_file(folder: Path) -> Path:
    """Respondents tell the condition, answers' ids the prompt."""
    frame = an_experiment(LOST, prompts=8).replies.drop(columns="abstained")
    respondent = frame["respondent"] + "." + frame["condition"]
    frame = frame.assign(response_id=frame["prompt"] + "|" + respondent, respondent_id=respondent)
    file = folder / "panel.csv"
    frame.drop(columns=["prompt", "respondent", "condition"]).to_csv(file, index=False)
    return file


def test_one_file_of_panel_scores_gives_tables_of_delta_and_sentences(tmp_path: Path) -> None:
    said, out = io.StringIO(), tmp_path / "out"
    cuts = (
        "--cut",
        r"respondent_id=(?P<respondent>[^.]+)\.(?P<condition>.+)",
        "--cut",
        r"response_id=(?P<prompt>[^|]+)\|.*",
    )
    call_command("analyse", "--framings", str(a_file(tmp_path)), "--out", str(out), *cuts, stdout=said)
    (found,) = from_json((out / "results.json").read_bytes())[FRAMING].experiments
    assert {
        (model.respondent, cell.condition) for model in found.models for cell in model.cells if cell.is_marked
    } == {("gpt", "emotion_agree")}
    assert (found.prompts, found.replies) == (8, 2 * 8 * 5 * 30)
    assert "gpt. " in said.getvalue()
    assert "gemini. " not in said.getvalue()
    assert "strong agreement with the claim" in (out / "report.txt").read_text(encoding="utf-8")
    assert (out / "tables" / "framing-delta-2-gpt.csv").exists()
    assert (out / "figures" / "framing-delta-2-gpt.svg").exists()
    assert "No judgments by people" in (out / "report.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        (("--cut", "response_id=([^|]+).*"), "does not cut prompt"),
        (("--cut", "response_id=(?P<prompt>["), "is no regular expression"),
        (("--respondents", "gpt-agree=gpt"), "does not name model and condition"),
    ],
)
def test_wrong_options_for_a_file_of_framings_are_refused_in_words(
    tmp_path: Path, option: tuple[str, str], words: str
) -> None:
    with pytest.raises(CommandError, match=words):
        call_command("analyse", "--framings", str(a_file(tmp_path)), "--out", str(tmp_path / "out"), *option)
