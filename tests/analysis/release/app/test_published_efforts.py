"""What a release tells of how much models were told to think."""

import pytest

from analysis.release.selectors.release_facts import efforts_of
from generation.calls.services.runs import start_run
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import CAP, a_locked_study, a_target, planned

pytestmark = pytest.mark.django_db


def test_a_release_tells_what_was_sent_as_effort_and_of_whom_none_was() -> None:
    at_a_server = {"provider": "vllm", "price": {"input": "0", "output": "0"}}
    study = a_locked_study(families=("gpt",), model_targets_expected=3)
    a_target(study, "open", model_id="open-1", **at_a_server)
    switched = {"effort_field": "chat_template_kwargs.enable_thinking"}
    a_target(study, "qwen", model_id="open-2", effort="on", options=switched, **at_a_server)
    run = planned(study)
    assert efforts_of(study) == {}, "nothing was asked yet"
    start_run(run=run, spend_cap=CAP, by=coordinator_of(study))
    assert efforts_of(study) == {
        "answers/matched": {
            "gpt": 'medium, sent as {"effort": "medium"}',
            "open": "no effort was sent",
            "qwen": 'on, sent as {"chat_template_kwargs": {"enable_thinking": true}}',
        }
    }
