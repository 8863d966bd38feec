"""The whole experiment in one command: once, within the limit, and on from wherever it was left."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.study.models.studies import Study
from generation.calls.models import Attempt, GenerationRun
from generation.calls.services import planning, recording, runs
from generation.calls.services.recording import Arrival
from generation.framing.models import FramedAnswer, Framing, FramingSet
from generation.management.framing_chain import FramingChain
from generation.panel.core.perspectives import PERSPECTIVES
from generation.panel.models import PanelScore
from tests.factories import a_person, coordinator_of
from tests.generation.calls.model_runs import CAP, a_locked_study, a_target, by_its_provider, claimed
from tests.generation.framing.framed import verdicts
from tests.generation.panel.panels import ONE_JUDGE, with_judges
from tests.remembered import remembered

pytestmark = pytest.mark.django_db

SEATS = len(PERSPECTIVES)


@pytest.fixture
@remembered
def study() -> Study:
    """One prompt, two models that rewrite or check, one that answers, one judge model."""
    found = with_judges(a_locked_study(families=("claude",), **ONE_JUDGE), "gpt")
    for family in ("claude", "gpt"):
        a_target(found, family, role="prompts", weak_temperature=None, price={"input": "2", "output": "10"})
    return found


def framings(study: Study, *arguments: str, at_most: object = 100, by: str = "") -> str:
    said = StringIO()
    given = [study.slug, f"--at-most={at_most}", f"--by={by or coordinator_of(study).email}"]
    call_command("framings", *given, *arguments, stdout=said)
    return said.getvalue()


def test_one_command_leads_from_prompts_to_scores_and_given_again_asks_nothing_twice(study: Study) -> None:
    said = framings(study)
    assert Framing.objects.count() == 4
    assert FramedAnswer.objects.count() == 5
    assert PanelScore.objects.count() == 5 * SEATS
    assert "Done: 1 prompt under pressure" in said
    attempts = Attempt.objects.count()

    framings(study)
    assert Attempt.objects.count() == attempts
    assert FramingSet.objects.count() == 1


def test_the_run_with_an_instruction_is_withdrawn_where_models_are_asked_without_alone(study: Study) -> None:
    framings(study, "--alone")
    assert set(FramedAnswer.objects.values_list("is_instructed", flat=True)) == {False}
    ways = GenerationRun.objects.filter(purpose="framed_answer").values_list("materials__only__instructed", "state")
    assert set(ways) == {(True, "withdrawn"), (False, "finished")}


def test_a_limit_that_not_one_call_fits_in_is_refused_before_anything_is_asked(study: Study) -> None:
    with pytest.raises(CommandError, match=r"A single call may cost \$0\.21"):
        framings(study, at_most="0.01")
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("step", ["write", "check", "answer", "score"])
def test_broken_off_at_any_step_it_goes_on_and_pays_for_nothing_twice(
    study: Study, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run of that step has half of its replies when Ctrl-C comes."""
    broken_off = getattr(FramingChain, step)

    def half_of(chain: FramingChain) -> None:
        monkeypatch.setattr(FramingChain, "work_off", lambda _chain, run, _title: interrupted(run))
        broken_off(chain)

    monkeypatch.setattr(FramingChain, step, half_of)
    with pytest.raises(CommandError, match="Broken off"):
        framings(study)
    monkeypatch.undo()
    before = set(Attempt.objects.filter(outcome="ok").values_list("call", flat=True))
    assert before

    framings(study)
    assert PanelScore.objects.count() == 5 * SEATS
    assert Attempt.objects.filter(call__in=before).count() == len(before)


def interrupted(run: GenerationRun) -> None:
    """A batch of at most three calls comes back, then the command is broken off."""
    planning.fill_plan(run.pk)
    run.refresh_from_db()
    runs.start_run(run=run, spend_cap=CAP, by=run.planned_by)
    for outgoing in claimed(run, most=3):
        recording.record(run.pk, [Arrival(outgoing.attempt_id, by_its_provider(outgoing))])
    raise KeyboardInterrupt


def test_what_waits_for_people_is_told_with_the_page_and_waited_for(study: Study) -> None:
    with pytest.raises(CommandError, match=r"1 prompt waits: A person has not checked them yet.*/pool/framings/"):
        framings(study, "--needs", "mechanical", "person")
    assert not FramedAnswer.objects.exists()
    [framing_set] = FramingSet.objects.all()
    assert verdicts(framing_set)


OTHER = """
key = "moods"
name = "Moods"
version = 1
least_words = 1
most_words = 200
opposed = []

[[conditions]]
key = "mild"
name = "Mild"
task = "Put the question in the words of somebody who is calm."
must_hold = "The question is still asked."
"""


def test_framings_of_another_file_of_conditions_are_scored_too(study: Study, tmp_path: Path) -> None:
    (tmp_path / "moods.toml").write_text(OTHER, encoding="utf-8")
    framings(study, f"--conditions={tmp_path / 'moods.toml'}")
    assert set(Framing.objects.values_list("condition", flat=True)) == {"mild"}
    assert PanelScore.objects.count() == 2 * SEATS
    with pytest.raises(CommandError, match="No such file"):
        framings(study, f"--conditions={tmp_path / 'none.toml'}")


@pytest.mark.parametrize("by", ["nobody@example.org", "some.stranger@example.org"])
def test_only_a_coordinator_approves_what_it_spends(study: Study, by: str) -> None:
    a_person("Some Stranger")
    with pytest.raises(CommandError, match="is no coordinator of"):
        framings(study, by=by)
    assert not FramingSet.objects.exists()


def test_broken_off_without_second_answers_it_asks_for_all_that_is_left_with_them(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FramingChain, "score", lambda _chain: None)
    answer = FramingChain.answer

    def half_of(chain: FramingChain) -> None:
        monkeypatch.setattr(FramingChain, "work_off", lambda _chain, run, _title: interrupted(run))
        answer(chain)

    monkeypatch.setattr(FramingChain, "answer", half_of)
    with pytest.raises(CommandError, match="Broken off"):
        framings(study)
    monkeypatch.undo()
    framings(study, "--again")
    assert FramedAnswer.objects.count() == 6
    assert PanelScore.objects.count() == 6 * SEATS


def test_a_set_is_gone_on_with_by_its_number_whatever_models_were_added(study: Study) -> None:
    framings(study)
    [framing_set] = FramingSet.objects.all()
    attempts = Attempt.objects.count()
    a_target(study, "mistral", role="prompts", weak_temperature=None, price={"input": "2", "output": "10"})
    said = framings(study, "--set", str(framing_set.pk))
    assert "Done: 1 prompt under pressure" in said
    assert Attempt.objects.count() == attempts
    with pytest.raises(CommandError, match="The study has no set 999999"):
        framings(study, "--set", "999999")


def test_both_ways_that_are_known_already_end_the_command_as_any_other(study: Study) -> None:
    framings(study)
    framings(study, "--alone")
    assert "Done" in framings(study)
    assert "Done" in framings(study, "--alone")
