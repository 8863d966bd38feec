"""A model that refuses everything is asked nothing more, and the rest of its run goes on."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import count
from pathlib import Path

import django_rq
import pytest

from generation.calls import jobs
from generation.calls.models import Call, GenerationRun
from generation.calls.selectors.runs import run_page
from generation.calls.services import runs
from generation.providers.base import Outcome, Reply
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders
from tests.fake_providers.site import ENDPOINTS, site_with_fakes
from tests.fake_providers.sockets import HttpReply, HttpRequest
from tests.generation.calls.engine import a_run, bad, check_books, claimed, lapse, recorded

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProviders]:
    monkeypatch.setattr(jobs, "PATIENCE", 0.05)
    monkeypatch.setattr(jobs, "GATHER", 0.01)
    with site_with_fakes(tmp_path) as server:
        for name in ("demo", *ENDPOINTS):
            django_rq.get_connection("calls").delete(f"limits:{name}")
        yield server


def a_turn(run: GenerationRun) -> GenerationRun:
    jobs.work_run(f"{run.pk}/0")
    run.refresh_from_db()
    return run


def of(run: GenerationRun, provider: str, state: str) -> int:
    return Call.objects.filter(run=run, target__provider=provider, state=state).count()


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("no such model", "HTTP 404: model not found Does the provider know the model"),
        ("moved", "HTTP 308: the address has moved to https://elsewhere.example/v2."),
        ("bad request", "max_tokens is too large"),
    ],
)
def test_twenty_refusals_alike_stop_a_model_while_the_others_go_on(
    fake: FakeProviders, case: str, words: str
) -> None:
    fake.script.usually = Behaviour(case)
    run = a_turn(a_run(texts=5, providers=("demo", "fake-chat")))
    assert len(fake.log.requests) == 20
    assert (of(run, "fake-chat", "failed"), of(run, "fake-chat", "pending")) == (20, 30)
    assert of(run, "demo", "accepted") == 50
    assert run.state == "stopped"
    assert run.stopped_because.startswith("“judge fake-chat” is asked nothing more")
    assert words in run.stopped_because
    assert [share.stopped_because for share in run_page(run).shares] == ["", run.stopped_because]
    check_books(run)


WORDS = count()
ELSEWHERE = {"location": "https://elsewhere.example/v2"}
# By model: the provider, how it refuses, in words that differ each time, and what the page says.
REFUSING: dict[str, tuple[str, Callable[[str], HttpReply], str]] = {
    "moved": ("fake-chat", lambda _: HttpReply("<html>", 301, ELSEWHERE), "moved to https://elsewhere.example/v2."),
    "for-good": (
        "fake-google",
        lambda _: HttpReply("<html>", 308, ELSEWHERE),
        "moved to https://elsewhere.example/v2.",
    ),
    "for-now": ("fake-openai", lambda _: HttpReply("", 307, {"location": "/v2"}), "The address of the provider"),
    "elsewhere": (
        "fake-anthropic",
        lambda _: HttpReply("<html>Sign in</html>", 302, ELSEWHERE),
        "moved to https://elsewhere.example/v2. The address of the provider leads elsewhere",
    ),
    "openai": (
        "fake-openai",
        lambda words: HttpReply({"error": {"message": words, "param": "reasoning.effort"}}, 400),
        "“reasoning.effort”: ",
    ),
    "anthropic": (
        "fake-anthropic",
        lambda words: HttpReply(
            {"type": "error", "error": {"type": "invalid_request_error", "message": f"thinking.type: {words}"}}, 400
        ),
        "“thinking.type”: ",
    ),
    "google": (
        "fake-google",
        lambda words: HttpReply(
            {"error": {"code": 400, "message": words, "details": [{"fieldViolations": [{"field": "top_k"}]}]}}, 400
        ),
        "“top_k”: ",
    ),
    "fastapi": (
        "fake-chat",
        lambda words: HttpReply({"detail": [{"loc": ["body", "seed"], "msg": words, "input": words}]}, 400),
        "“seed”: ",
    ),
    "vllm": (
        "fake-chat",
        lambda words: HttpReply(
            {
                "error": {
                    "message": f"{{'loc': ('body', 'min_p'), 'msg': 'Extra', 'input': '{words}'}}",
                    "code": 400,
                }
            },
            400,
        ),
        "“min_p”: ",
    ),
}


def test_whatever_wire_format_says_it_in_whatever_words_a_refusal_for_good_stops_its_model_alone(
    fake: FakeProviders,
) -> None:
    def refused(request: HttpRequest) -> HttpReply | None:
        asked = f"{request.path} {request.body.get('model')}"
        found = next((how for model, (_, how, _) in REFUSING.items() if model in asked), None)
        return found and found(f"not {chr(97 + next(WORDS) % 26)} and {chr(97 + next(WORDS) % 23)}")

    fake.script.instead = refused
    models = [f"{provider}: {model}" for model, (provider, _, _) in REFUSING.items()]
    run = a_turn(a_run(texts=5, providers=("demo", *models, "fake-chat: answers")))
    assert run.state == "stopped"
    accepted = {share.target.model_id: share.accepted for share in run.shares.all()}
    assert accepted == {"demo": 50, "answers": 50, **dict.fromkeys(REFUSING, 0)}
    failed = {share.target.model_id: share.failed for share in run.shares.all()}
    assert {model: failed[model] for model in REFUSING} == dict.fromkeys(REFUSING, 20), "whatever the slots"
    told = {share.target.model_id: share.stopped_because for share in run.shares.all()}
    for model, (_, _, words) in REFUSING.items():
        assert words in told[model]
    check_books(run)


def test_a_refused_key_stops_its_model_alone_and_nothing_is_paid_twice_once_it_is_mended(
    fake: FakeProviders,
) -> None:
    fake.script.usually = Behaviour("no credits")
    run = a_turn(a_run(texts=5, providers=("fake-chat", "demo")))
    assert (of(run, "fake-chat", "pending"), of(run, "demo", "accepted")) == (50, 50)
    assert len(fake.log.requests) <= 20
    assert run.state == "stopped"
    assert run.stopped_because.startswith("“judge fake-chat” is asked nothing more: fake-chat does not accept")
    fake.forget()
    runs.start_run(run=run, spend_cap=Decimal(1000), by=None)
    a_turn(run)
    assert (run.state, of(run, "fake-chat", "accepted")) == ("finished", 50)
    assert set(fake.log.made_by_body.values()) == {1}
    check_books(run)


def test_a_model_that_was_stopped_is_tried_again_when_the_run_is_started_again(fake: FakeProviders) -> None:
    fake.script.usually = Behaviour("no such model")
    run = a_turn(a_run(texts=5, providers=("fake-chat",)))
    runs.start_run(run=run, spend_cap=Decimal(1000), by=None)
    a_turn(run)
    assert (run.state, len(fake.log.requests)) == ("stopped", 40)
    fake.script.usually = Behaviour()
    runs.start_run(run=run, spend_cap=Decimal(1000), by=None)
    a_turn(run)
    assert (run.state, of(run, "fake-chat", "accepted"), of(run, "fake-chat", "failed")) == ("finished", 10, 40)
    check_books(run)


def test_a_model_that_answers_once_is_not_stopped_by_what_it_refuses(fake: FakeProviders) -> None:
    fake.script.usually = Behaviour("bad request")
    fake.script.then(Behaviour())
    run = a_turn(a_run(texts=3, providers=("fake-chat",)))
    assert (run.state, of(run, "fake-chat", "accepted"), of(run, "fake-chat", "failed")) == ("finished", 1, 29)


def test_refusals_that_differ_stop_nothing(fake: FakeProviders) -> None:
    fake.script.usually, fake.script.every = Behaviour("bad request"), {2: Behaviour("unprocessable")}
    run = a_turn(a_run(texts=3, providers=("fake-chat",)))
    assert (run.state, of(run, "fake-chat", "failed")) == ("finished", 30)


def stopped_because(run: GenerationRun) -> str:
    return run.shares.get().stopped_because


def refusal() -> Reply:
    return bad(Outcome.FINAL_REQUEST, status=400)


def test_refusals_that_come_faster_than_answers_stop_nothing() -> None:
    run = a_run(texts=4)
    out = claimed(run)
    for outgoing in out[:19]:
        recorded(run, outgoing, refusal())
    assert (len(out), stopped_because(run), claimed(run)) == (20, "", [])
    recorded(run, out[19])
    assert (stopped_because(run), len(claimed(run))) == ("", 20)


def test_any_reply_that_is_no_refusal_of_the_request_lets_all_slots_be_filled() -> None:
    run = a_run(texts=4)
    first, *_ = claimed(run)
    assert claimed(run) == []
    recorded(run, first, bad(Outcome.TRUNCATED))
    assert len(claimed(run)) == 21


def test_a_model_is_stopped_once_what_else_it_was_asked_has_brought_nothing() -> None:
    run = a_run(texts=4)
    out = claimed(run)
    recorded(run, out[0], bad(Outcome.RETRYABLE, status=500))
    for outgoing in out[1:]:
        recorded(run, outgoing, refusal())
    assert stopped_because(run) == ""
    (another,) = claimed(run)
    recorded(run, another, refusal())
    assert "asked nothing more" in stopped_because(run)


def test_a_killed_worker_keeps_no_model_from_being_stopped() -> None:
    run = a_run(texts=4)
    out = claimed(run)
    for outgoing in out[:19]:
        recorded(run, outgoing, refusal())
    lapse(out[19])
    (again,) = claimed(run)
    recorded(run, again, refusal())
    assert "asked nothing more" in stopped_because(run)
    check_books(run)


def test_a_reply_that_comes_after_all_lets_a_stopped_model_be_asked_again() -> None:
    run = a_run(texts=4)
    out = claimed(run)
    for outgoing in out[:19]:
        recorded(run, outgoing, refusal())
    lapse(out[19])
    (again,) = claimed(run)
    recorded(run, again, refusal())
    assert "asked nothing more" in stopped_because(run)
    recorded(run, out[19])
    assert (stopped_because(run), len(claimed(run))) == ("", 20)


def test_a_model_that_asks_for_an_hour_waits_alone() -> None:
    run = a_run(providers=("demo", "demo: other"))
    first, second, *_ = (out for out in claimed(run) if out.request.model == "demo")
    recorded(run, first, bad(Outcome.RETRYABLE, status=429, retry_after=3600))
    assert recorded(run, second).outcome == "ok"
    share, other = run.shares.order_by("pk")
    assert "demo asks to wait 1\u00a0h: As the provider says. Let the run go on" in share.stopped_because
    assert other.stopped_because == ""
    run.refresh_from_db()
    assert run.state == "running"


def test_a_reply_that_was_on_its_way_does_not_hide_that_the_account_is_not_accepted() -> None:
    run = a_run(providers=("demo", "demo: other"))
    first, second, *_ = (out for out in claimed(run) if out.request.model == "demo")
    recorded(run, first, Reply(Outcome.FINAL_ACCOUNT, detail="Your credit balance is too low.", status=402))
    assert recorded(run, second).outcome == "ok"
    first_share, other_share = run.shares.order_by("pk")
    assert "Your credit balance is too low." in first_share.stopped_because
    assert other_share.stopped_because == ""
    run.refresh_from_db()
    assert run.state == "running"


def test_a_model_that_is_asked_again_for_what_it_refused_is_tried_twenty_times_anew() -> None:
    run = a_run(texts=2)
    for outgoing in claimed(run):
        recorded(run, outgoing, refusal())
    assert runs.finish_when_settled(run.pk)
    runs.retry_failed(run=run, by=None)
    again = claimed(run)
    for outgoing in again[:19]:
        recorded(run, outgoing, refusal())
    assert (len(again), stopped_because(run)) == (20, "")
    recorded(run, again[19], refusal())
    assert "asked nothing more" in stopped_because(run)


@pytest.mark.usefixtures("fake")
def test_a_run_is_not_stopped_while_a_model_that_answers_waits_for_another_run() -> None:
    elsewhere = Call.objects.filter(run=a_run()).first()
    run = a_run(providers=("demo", "fake-chat"))
    run.shares.filter(target__provider="fake-chat").update(stopped_because="It refuses everything.")
    calls = Call.objects.filter(run=run, target__provider="demo")
    calls.update(state="waiting", after=elsewhere)
    runs.go_on(run.pk, 0)
    run.refresh_from_db()
    assert run.state == "running"
    calls.update(state="pending", after=None)
    assert a_turn(run).stopped_because == "It refuses everything."
