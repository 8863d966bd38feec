"""The whole validation protocol in one command: once, within the limit, and on from wherever it was left."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.study.models.studies import Study
from generation.calls.models import Attempt
from generation.management.commands.trials import TrialChain
from generation.panel.models import PanelScore
from generation.trials.models import CaseAnswer
from tests.factories import coordinator_of, ready_to_lock
from tests.generation.trials.trials import a_trial_study
from tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def study() -> Study:
    found = a_trial_study(scenarios=1)
    ready_to_lock(found)
    return found


def trials(study: Study, *arguments: str) -> str:
    said = StringIO()
    given = [study.slug, "--at-most=100", f"--by={coordinator_of(study).email}"]
    call_command("trials", *given, *arguments, stdout=said)
    return said.getvalue()


def test_one_command_leads_from_the_preset_to_scores_and_given_again_asks_nothing_twice(study: Study) -> None:
    said = trials(study)
    study.refresh_from_db()
    assert study.state == "judging"
    assert CaseAnswer.objects.filter(call__isnull=False).count() == 16
    assert PanelScore.objects.filter(call__run__study=study).count() == 16 * 2 * 5
    assert "Approach D: 32 replies" in said
    attempts = Attempt.objects.count()
    trials(study)
    assert Attempt.objects.count() == attempts


def test_an_approach_is_named_by_its_letter(study: Study) -> None:
    with pytest.raises(CommandError, match=r"no approach E\. It has: A, B, C, D"):
        trials(study, "--approaches", "E")
    trials(study, "--approaches", "D")
    assert PanelScore.objects.filter(call__run__study=study).count() == 16 * 2


@pytest.mark.parametrize("step", ["answer", "open", "score"])
def test_broken_off_at_any_step_it_goes_on_and_pays_for_nothing_twice(
    study: Study, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:

        def breaks(*_arguments: object) -> None:
            raise KeyboardInterrupt

        broken.setattr(TrialChain, step, breaks)
        with pytest.raises((KeyboardInterrupt, CommandError)):
            trials(study, "--approaches", "D")
    trials(study, "--approaches", "D")
    assert Attempt.objects.count() == 16 + 16 * 2


def test_where_people_judge_their_judging_is_opened_by_a_person() -> None:
    study = a_trial_study(scenarios=1, ratings_per_prompt=2, consent_text="You agree.")
    ready_to_lock(study)
    with pytest.raises(CommandError, match=r"open judging on its page|judge"):
        trials(study)
