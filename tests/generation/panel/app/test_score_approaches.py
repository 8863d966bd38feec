"""Files scored in other ways than the published one: other rubrics and scales, without perspectives."""

from pathlib import Path

import pytest
from django.core.management.base import CommandError

from generation.calls.models import Attempt, Call, GenerationRun
from generation.panel.models import PanelScore
from tests.generation.calls.model_runs import good, worked_off
from tests.generation.panel.app.test_score_responses import ANSWERS, a_file, score, scores_of

pytestmark = pytest.mark.django_db

KEYS = ["epistemic_integrity", "value_transparency"]
TRIALS = ("--rubric=constitutional_reasoning-2", "--without-perspectives")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return a_file(tmp_path, ANSWERS)


@pytest.mark.parametrize(
    ("approach", "calls", "highest"), [("binary", 2, 1), ("trinary_separate", 4, 2), ("points", 2, 100)]
)
def test_a_file_is_scored_by_each_approach_of_a_rubric(file: Path, approach: str, calls: int, highest: int) -> None:
    score(file, *TRIALS, f"--approach={approach}")
    rows = scores_of(file)
    assert [(row["response_id"], row["perspective_id"]) for row in rows] == [("R1", ""), ("R2", "")]
    assert all(0 <= int(row[key]) <= highest for row in rows for key in KEYS)
    assert Call.objects.count() == Attempt.objects.count() == calls
    assert set(Call.objects.values_list("dimension", flat=True)) == (set(KEYS) if calls == 4 else {""})


def test_approaches_are_asked_for_apart_and_each_once(file: Path) -> None:
    score(file, *TRIALS, "--approach=binary")
    score(file, *TRIALS, "--approach=trinary")
    assert "2 scores to ask for" in score(file, *TRIALS, "--approach=trinary", "--tell=anchors", "--tell=bands")
    assert "0 scores to ask for" in score(file, *TRIALS, "--approach=trinary", "--tell=bands", "--tell=anchors")
    assert Attempt.objects.count() == 6
    told = GenerationRun.objects.order_by("pk").values_list("materials__approach", "materials__told")
    assert list(told)[2] == ("trinary", ["anchors", "bands"])


def test_one_approach_does_not_take_up_what_another_left_open(file: Path) -> None:
    with pytest.raises(CommandError, match="Nothing was sent"):
        score(file, *TRIALS, "--approach=binary", at_most="")
    assert "2 scores to ask for" in score(file, *TRIALS, "--approach=trinary")
    assert PanelScore.objects.count() == 2


def test_an_answer_of_which_one_dimension_could_not_be_had_is_left_out(file: Path) -> None:
    with pytest.raises(CommandError, match="Nothing was sent"):
        score(file, *TRIALS, "--approach=trinary_separate", at_most="")
    run = GenerationRun.objects.get()
    run.state, run.spend_cap = "running", 5
    run.save()
    worked_off(
        run,
        lambda outgoing: good(
            '{"value_transparency": "high", "abstained": false}' if KEYS[1] in outgoing.request.prompt else "-1"
        ),
    )
    with pytest.raises(CommandError, match="2 scores could not be had"):
        score(file, *TRIALS, "--approach=trinary_separate")
    assert scores_of(file) == []
    assert PanelScore.objects.count() == 2


def test_one_overall_score_stands_in_a_column_of_its_own(file: Path) -> None:
    score(file, "--mode=no_rubric", "--without-perspectives", "--rubric=constitutional_reasoning-2")
    [first, _] = scores_of(file)
    assert list(first)[4:] == ["holistic", "abstained"]
    assert 0 <= int(first["holistic"]) <= 100


def test_a_rubric_that_is_none_and_an_approach_that_it_has_not_are_refused(file: Path) -> None:
    with pytest.raises(CommandError, match=r"answers\.csv is no rubric"):
        score(file, f"--rubric={file}")
    with pytest.raises(CommandError, match="no approach called “binary”"):
        score(file, "--approach=binary")
    assert not GenerationRun.objects.exists()


@pytest.mark.parametrize("way", [("--mode=no_rubric",), ("--approach=trinary_separate",), ("--approach=points",)])
def test_reasons_stand_beside_scores_and_are_asked_for_apart(file: Path, way: tuple[str, ...]) -> None:
    score(file, *TRIALS, *way)
    before = Attempt.objects.count()
    score(file, *TRIALS, *way, "--reasons")
    assert Attempt.objects.count() == 2 * before
    assert "0 scores to ask for" in score(file, *TRIALS, *way, "--reasons")
    rows = scores_of(file)
    reasons = [name for name in rows[0] if name.endswith("_reason")]
    assert len(reasons) == (1 if "--mode=no_rubric" in way else 2)
    assert all(row[name] for row in rows for name in reasons)
    assert PanelScore.objects.exclude(reasons={}).count() == before


def test_examples_of_a_file_are_shown_to_judges_and_asked_for_apart(file: Path, tmp_path: Path) -> None:
    examples = tmp_path / "examples.toml"
    scores = "\n".join(f"{key} = 70" for key in KEYS)
    examples.write_text(
        f'[[examples]]\nprompt = "Why?"\nanswer = "So."\n[examples.reply]\n{scores}\nabstained = false'
    )
    score(file, *TRIALS)
    assert "2 scores to ask for" in score(file, *TRIALS, f"--examples={examples}")
    assert "0 scores to ask for" in score(file, *TRIALS, f"--examples={examples}")
    newest = Attempt.objects.latest("pk")
    assert "The reply to it:" in newest.request
    with pytest.raises(CommandError, match="holds no worked examples"):
        score(file, *TRIALS, f"--examples={file}")
