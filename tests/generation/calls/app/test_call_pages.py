"""The calls of a run: what became of each, and what nobody is told of them before the study is unblinded."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.study.models.prompts import Prompt, PromptVersion
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Kind, PromptPlan
from generation.calls.models import Attempt, Call, GenerationRun
from generation.calls.selectors import calls
from generation.calls.services import recording, runs
from generation.calls.services.recording import Arrival
from generation.providers.base import Outcome, Reply
from generation.providers.core.prices import Usage
from tests.clients import signed_in
from tests.factories import coordinator_of
from tests.generation.calls.model_runs import a_locked_study, claimed, good, planned, started
from tests.pages import without_markup

pytestmark = pytest.mark.django_db

OVERLOADED = Reply(
    Outcome.RETRYABLE,
    raw='{"error": {"message": "Please slow down."}}',
    detail="The server is overloaded.",
    status=503,
    request_id="req_0815",
)
DECLINED = Reply(
    Outcome.REFUSED,
    "Quetzals cannot say.",
    Usage(input_tokens=4711, output_tokens=815, reasoning_tokens=333),
    raw=json.dumps({"content": [{"text": "Quetzals cannot say."}], "stop_reason": "refusal", "temperature": 1.5}),
    detail="The model declined.",
    status=200,
    model="demo-answering",
)


@pytest.fixture
def study() -> Study:
    """Two prompts and two models; one prompt needs a weak answer too, so five calls."""
    return a_locked_study(quality_floor_prompts=1, of_targets={"price": {"input": "1000", "output": "2000"}})


def answered(run: GenerationRun, *replies: Reply) -> list[Call]:
    """The run's calls, those of weak answers first, after these replies in turn."""
    outgoing = sorted(claimed(run), key=lambda out: (Call.objects.get(pk=out.call_id).arm != Arm.WEAK, out.call_id))
    pairs = list(zip(outgoing, replies, strict=False))
    recording.record(run.pk, [Arrival(out.attempt_id, reply, 41234) for out, reply in pairs])
    return [Call.objects.get(pk=out.call_id) for out, _ in pairs]


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def call_page(call: Call) -> str:
    assert call.run.study
    return client_of(call.run.study).get(reverse("call", args=[call.pk])).content.decode()


def calls_page(run: GenerationRun, **query: Any) -> str:
    assert run.study
    return client_of(run.study).get(reverse("run_calls", args=[run.pk]), query).content.decode()


def listed(page: str) -> list[int]:
    """The ids of the calls that a page lists."""
    return [int(pk) for pk in re.findall(r'href="/calls/(\d+)/"', page)]


class TestTheList:
    def test_the_list_of_calls_shows_every_call_with_its_model_and_last_attempt(self, study: Study) -> None:
        run = started(study)
        overloaded, declined = answered(run, OVERLOADED, DECLINED)
        words = without_markup(calls_page(run))
        assert len(listed(calls_page(run))) == 5
        assert re.search(rf" {overloaded.pk} \w+ demo-\w+ Waiting 1 Failed for the moment again at ", words)
        assert re.search(rf" {declined.pk} \w+ demo-\w+ Failed 1 Declined by the model ", words)
        assert "On its way 1" in words

    def test_the_list_of_calls_can_be_narrowed_down_by_state_and_by_how_an_attempt_ended(
        self, study: Study
    ) -> None:
        run = started(study)
        overloaded, declined = answered(run, OVERLOADED, DECLINED)
        assert listed(calls_page(run, state="failed")) == [declined.pk]
        assert listed(calls_page(run, outcome="retryable")) == [overloaded.pk]
        assert listed(calls_page(run, state="failed", outcome="retryable")) == []
        assert "No call of this run matches." in calls_page(run, state="failed", outcome="retryable")
        assert len(listed(calls_page(run, state="nonsense", outcome="nonsense", after="nonsense"))) == 5

    def test_the_list_of_calls_goes_on_after_the_last_call_of_a_page(
        self, study: Study, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(calls, "ON_A_PAGE", 3)
        run = planned(study)
        everything = list(Call.objects.filter(run=run).order_by("pk").values_list("pk", flat=True))
        first = calls_page(run, state="pending")
        assert listed(first) == everything[:3]
        assert f'href="?state=pending&amp;after={everything[2]}"' in first
        assert listed(calls_page(run, after=everything[2])) == everything[3:]
        assert "Next" not in without_markup(calls_page(run, after=everything[2]))


class TestACall:
    def test_the_page_of_a_call_tells_why_it_failed_and_by_which_reference(self, study: Study) -> None:
        [call] = answered(started(study), OVERLOADED)
        words = without_markup(call_page(call))
        assert "Attempt 1: failed for the moment The server is overloaded." in words
        assert "Took 41.2 s HTTP status 503 Provider’s reference req_0815" in words
        assert "Please slow down." in words

    def test_the_page_of_a_call_that_was_not_sent_says_so(self, study: Study) -> None:
        planned(study)
        call = Call.objects.all()[0]
        assert "Nothing was sent yet." in call_page(call)

    def test_the_page_of_a_call_tells_nothing_of_texts_lengths_and_times_before_unblinding(
        self, study: Study
    ) -> None:
        [call] = answered(started(study), DECLINED)
        page = call_page(call)
        assert "Declined by the model" in page or "declined by the model" in page
        assert "refusal" in page
        for secret in (
            "Quetzals",
            "4711",
            "4,711",
            "815",
            "333",
            "41.2",
            "1.5",
            "temperature",
            "towns share one rule",
        ):
            assert secret not in page, secret
        assert call.key[:12] not in page
        assert call.prompt_version
        assert call.prompt_version.prompt.code not in page

    def test_the_page_of_a_call_tells_all_of_it_once_the_study_is_unblinded(self, study: Study) -> None:
        [call] = answered(started(study), DECLINED)
        Study.objects.filter(pk=study.pk).update(state="unblinded")
        words = without_markup(call_page(Call.objects.get(pk=call.pk)))
        assert call.prompt_version
        assert f"Prompt {call.prompt_version.prompt.code} Kind of answer Deliberately weak, number 1" in words
        assert "Took 41.2 s" in words
        assert "Tokens read 4,711 Tokens written 815, 333 of them reasoning" in words
        assert "Quetzals cannot say." in words
        assert "towns share one rule" in words

    def test_the_page_of_a_call_for_a_weak_answer_is_the_same_as_for_an_ordinary_one(self, study: Study) -> None:
        """Whatever becomes of it: an answer without reasoning, or a refusal that is long or short."""
        run = started(study)
        quick = replace(good(), usage=Usage(30, 20), raw='{"status": "completed", "output": [{"text": "a"}]}')
        slow = replace(
            good("Another text."),
            usage=Usage(60, 900, reasoning_tokens=700),
            raw='{"status": "completed", "output": [{"summary": []}, {"text": "b"}], "usage": {"x": 900}}',
        )
        weak, ordinary = answered(run, quick, slow)
        assert (weak.arm, ordinary.arm) == (Arm.WEAK, Arm.MODEL)
        families = dict(Call.objects.values_list("pk", "target__family"))

        def anonymous(call: Call) -> str:
            words = without_markup(call_page(call)).replace(families[call.pk], "family")
            return re.sub(r"\d\d:\d\d:\d\d", "time", words.replace(f"Call {call.pk}", "Call"))

        assert anonymous(weak) == anonymous(ordinary)

    def test_the_page_of_a_call_shows_markup_as_text(self, study: Study) -> None:
        evil = replace(OVERLOADED, detail="<script>alert(1)</script>", raw='{"error": "<b>bold</b>"}')
        [call] = answered(started(study), evil)
        page = call_page(call)
        assert "<script>alert" not in page
        assert "<b>bold" not in page


@pytest.mark.parametrize("name", ["run", "run_calls"])
def test_no_page_of_a_run_tells_which_prompt_needs_a_weak_answer(study: Study, name: str) -> None:
    """Whichever it is, of two prompts of very different lengths."""
    first, second = Prompt.objects.filter(study=study)
    PromptVersion.objects.filter(prompt=first).update(text="Why? " * 60)
    pages = []
    for weak in (first, second):
        PromptPlan.objects.filter(prompt__study=study).update(kind=Kind.STANDARD)
        PromptPlan.objects.filter(prompt=weak).update(kind=Kind.QUALITY_FLOOR)
        run = planned(study)
        words = without_markup(client_of(study).get(reverse(name, args=[run.pk])).content.decode())
        pages.append(sorted(re.sub(r"\d\d:\d\d|\bRun \d+|\brun \d+|\b\d+ (?=claude|gpt)", "", words).split()))
        runs.withdraw_plan(run=run, by=coordinator_of(study))
    assert pages[0] == pages[1]


def test_an_attempt_that_is_on_its_way_says_so(study: Study) -> None:
    run = started(study)
    claimed(run)
    attempt = Attempt.objects.all()[0]
    assert "Attempt 1: on its way" in without_markup(call_page(attempt.call))
