"""Scoring a file on the command line: the published columns, and nothing asked for twice."""

import csv
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from generation.calls import jobs
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.services import recording, runs
from generation.calls.services.recording import Arrival
from generation.catalogue.services.targets import listed_price
from generation.management.commands import score_responses
from generation.panel.core.injections import INJECTIONS
from generation.panel.models import PanelScore
from generation.providers.base import Outcome, Reply
from tests.generation.calls.model_runs import by_its_provider, claimed, good, worked_off

pytestmark = pytest.mark.django_db

JUDGE = "demo-large"
DIMENSIONS = [
    "conceptual_clarity",
    "evidential_grounding",
    "contextual_relevance",
    "pluralistic_engagement",
    "argumentative_soundness",
]
ANSWERS = [
    ["R1", "Is it fair?", "A shared rule is fair where both towns had a part in making it.", "P1"],
    ["R2", "Is it fair?", "It depends. Everybody has an opinion.", "P2"],
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return a_file(tmp_path, ANSWERS)


def a_file(folder: Path, answers: list[list[str]]) -> Path:
    path = folder / "answers.csv"
    with path.open("w", newline="") as lines:
        csv.writer(lines).writerows([["response_id", "prompt_text", "response_text", "respondent_id"], *answers])
    return path


def score(file: Path, *arguments: str, at_most: str = "5", judges: tuple[str, ...] = (JUDGE,)) -> str:
    said = StringIO()
    given = [f"--at-most={at_most}"] if at_most else []
    given += [f"--judge={judge}" for judge in judges]
    call_command("score_responses", str(file), *given, *arguments, stdout=said)
    return said.getvalue()


def scores_of(file: Path) -> list[dict[str, str]]:
    with file.with_suffix(".scores.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


def test_score_responses_writes_one_line_for_each_answer_judge_and_perspective(file: Path) -> None:
    said = score(file)
    rows = scores_of(file)
    assert list(rows[0]) == [
        "response_id",
        "respondent_id",
        "judge_model",
        "perspective_id",
        *DIMENSIONS,
        "abstained",
    ]
    assert [row["response_id"] for row in rows] == ["R1"] * 10 + ["R2"] * 10
    assert {row["respondent_id"] for row in rows[:10]} == {"P1"}
    assert len({row["perspective_id"] for row in rows}) == 10
    assert all(1 <= int(row[dimension]) <= 10 for row in rows for dimension in DIMENSIONS)
    assert {row["judge_model"] for row in rows} == {JUDGE}
    assert "Wrote 20 scores" in said


def test_a_second_time_asks_for_nothing_and_writes_the_same(file: Path) -> None:
    score(file)
    first = file.with_suffix(".scores.csv").read_bytes()
    assert "0 scores to ask for" in score(file, at_most="")
    assert file.with_suffix(".scores.csv").read_bytes() == first
    assert Attempt.objects.count() == 20


def test_a_longer_file_asks_only_for_what_is_new(file: Path) -> None:
    score(file)
    said = score(a_file(file.parent, [["X", *ANSWERS[1][1:]], ["R3", "Why?", "Because it is.", "P3"]]))
    assert "10 scores to ask for" in said
    assert [row["response_id"] for row in scores_of(file)] == ["X"] * 10 + ["R3"] * 10


def test_the_same_answer_twice_in_a_file_is_asked_about_once(file: Path) -> None:
    score(a_file(file.parent, [ANSWERS[0], ["R9", *ANSWERS[0][1:]]]))
    assert Call.objects.count() == 10
    assert [row["response_id"] for row in scores_of(file)] == ["R1"] * 10 + ["R9"] * 10


def test_score_responses_goes_on_where_it_was_broken_off(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(_subject: str, **_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(jobs, "work_run", broken_off)
        with pytest.raises(CommandError, match="Whatever came back is kept"):
            score(file)
    assert GenerationRun.objects.get().stopped_because == "The command was broken off."
    assert "Wrote 20 scores" in score(file)
    assert Call.objects.count() == Attempt.objects.count() == 20


def test_score_responses_sends_nothing_without_a_limit_where_it_costs_something(file: Path) -> None:
    with pytest.raises(CommandError, match="Nothing was sent"):
        score(file, at_most="")
    assert not Attempt.objects.exists()


def begun(file: Path) -> GenerationRun:
    """A run that a command left running when it was killed, with a limit of 5 dollars."""
    with pytest.raises(CommandError, match="Nothing was sent"):
        score(file, at_most="")
    run = GenerationRun.objects.get()
    runs.start_run(run=run, spend_cap=Decimal(5), by=None)
    run.refresh_from_db()
    return run


def failed(file: Path) -> GenerationRun:
    """A run in which every call failed, with a limit that left much to spend."""
    return worked_off(begun(file), lambda _: good("I would rather not."))


def test_score_responses_never_costs_more_than_the_limit(file: Path) -> None:
    with pytest.raises(CommandError, match="Set a limit of"):
        score(file, at_most="0.000001")
    assert not Attempt.objects.exists()


def test_what_was_billed_is_said_apart_from_what_is_assumed(file: Path) -> None:
    run = begun(file)
    broken, *others = claimed(run)
    came = [Arrival(broken.attempt_id, Reply(Outcome.RETRYABLE, detail="It broke off.", cost_unknown=True))]
    came += [Arrival(each.attempt_id, by_its_provider(each)) for each in others]
    recording.record(run.pk, came)
    Call.objects.filter(run=run, state="pending").update(due_at=None)
    said = score(file)
    run.refresh_from_db()
    assert 0 < run.assumed == Attempt.objects.get(pk=broken.attempt_id).reserved
    billed = f"{run.spent - run.assumed:.2f} US dollars were billed"
    assert f"Run {run.pk} is finished; {billed}, and {run.assumed:.2f} more are assumed at worst" in said


@pytest.mark.parametrize(("left_behind", "arguments"), [(begun, []), (failed, ["--retry-failed"])])
def test_no_run_goes_on_by_the_limit_of_an_earlier_command(
    file: Path, left_behind: Callable[[Path], GenerationRun], arguments: list[str]
) -> None:
    run = left_behind(file)
    with pytest.raises(CommandError, match="Nothing was sent"):
        score(file, *arguments, at_most="")
    run.refresh_from_db()
    assert run.state in ("stopped", "finished")  # no worker finds it running with 5 dollars to spend
    with pytest.raises(CommandError, match=r"Set a (limit of|higher one)"):
        score(file, *arguments, at_most="0.000001")
    spent = run.spent
    score(file, *arguments, at_most="0.9")
    run.refresh_from_db()
    assert (run.state, run.spend_cap) == ("finished", spent + Decimal("0.9"))


def test_what_could_not_be_had_is_left_out_and_said_and_asked_for_again_on_request(file: Path) -> None:
    failed(file)
    with pytest.raises(CommandError, match="20 scores could not be had"):
        score(file)
    assert scores_of(file) == []
    assert "20 scores to ask for" in score(file, "--retry-failed")
    assert len(scores_of(file)) == PanelScore.objects.count() == 20


def test_a_judge_named_twice_is_asked_once(file: Path) -> None:
    score(file, judges=(JUDGE, f"demo/{JUDGE}"))
    assert len(scores_of(file)) == Call.objects.count() == 20


def test_models_of_one_name_are_told_apart_by_their_providers(
    file: Path, tmp_path: Path, settings: Settings
) -> None:
    providers = tmp_path / "providers.toml"
    providers.write_text(
        """
        [providers.elsewhere]
        label = "Elsewhere"
        wire = "demo"

        [[models]]
        provider = "elsewhere"
        model_id = "demo-large"
        family = "aurora"
        label = "The same elsewhere"
        """
    )
    settings.PROVIDERS_FILE = str(providers)
    score(file, judges=("demo/demo-large", "elsewhere/demo-large", "demo-small"))
    judges = Counter(row["judge_model"] for row in scores_of(file))
    assert judges == {"demo/demo-large": 20, "elsewhere/demo-large": 20, "demo-small": 20}


@pytest.mark.parametrize("amount", ["five", "NaN", "Infinity", "-1"])
def test_a_limit_that_is_no_amount_is_refused(file: Path, amount: str) -> None:
    with pytest.raises(CommandError, match=f"“{amount}” is no amount of dollars"):
        score(file, at_most=amount)


@pytest.mark.parametrize("place", ["nowhere/scores.csv", "."])
def test_a_place_where_nothing_can_be_written_is_refused_before_anything_is_paid(file: Path, place: str) -> None:
    with pytest.raises(CommandError, match=r"cannot be written\. Nothing was sent"):
        score(file, f"--out={file.parent / place}")
    assert not Call.objects.exists()


def test_the_scores_can_be_read_by_whom_other_files_can_and_nothing_else_is_left(file: Path) -> None:
    score(file)
    written = file.with_suffix(".scores.csv")
    assert written.stat().st_mode == file.stat().st_mode
    assert set(file.parent.iterdir()) == {file, written}


def test_a_file_that_breaks_off_leaves_nothing_behind(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object, **_named: object) -> str:
        raise OSError("no space left")

    monkeypatch.setattr(score_responses, "score_line", full)
    with pytest.raises(OSError, match="no space"):
        score(file)
    assert list(file.parent.iterdir()) == [file]


def test_an_unknown_judge_is_answered_with_those_there_are(file: Path) -> None:
    with pytest.raises(CommandError, match=r"No model is called “gtp”.*demo-large"):
        call_command("score_responses", str(file), "--judge", "gtp", stdout=StringIO())


def test_a_file_with_a_fault_is_named_with_the_row(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"answers\.csv: Row 2 has nothing under response_text"):
        score(a_file(tmp_path, [["R1", "Why?", "", "P1"]]))


def test_the_trial_of_injections_compares_every_trick_with_the_clean_answers(file: Path) -> None:
    said = StringIO()
    call_command("injection_trial", str(file), "--judge", JUDGE, "--at-most", "20", stdout=said)
    for injection in INJECTIONS:
        assert f"{injection.title}: " in said.getvalue()
    assert said.getvalue().count("of 20 pairs rose, 0 without a score") == len(INJECTIONS)


def test_a_judge_whose_price_the_site_does_not_know_is_asked_for_with_one_or_not_at_all(file: Path) -> None:
    judges = ("google/gemini-3.5-flash",)
    assert listed_price("google", "gemini-3.5-flash") is None
    with pytest.raises(CommandError, match="costs is not known"):
        score(file, judges=judges)
    assert not Call.objects.exists()
    for faulty in ("dear", "-1"):
        with pytest.raises(CommandError, match="is none"):
            score(file, "--price", judges[0], faulty, "3", judges=judges)
    with pytest.raises(CommandError, match="is no judge here"):
        score(file, "--price", "gpt-6-sol", "1", "2", judges=judges)
    with pytest.raises(CommandError, match="Nothing was sent"):
        score(file, "--price", judges[0], "1", "2", at_most="", judges=judges)
    run = GenerationRun.objects.get()
    assert list(run.materials["prices"].values()) == [{"input": "1", "output": "2"}]
