"""Conversations: a call waits for the reply before it, carries it, and is not asked where none will come."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import ProtectedError

from annotation.platform.core.errors import Refused
from annotation.platform.models.work import Task
from generation.calls.core.estimates import CHARACTERS_PER_TOKEN
from generation.calls.models import Attempt, Call, GenerationRun, Subject
from generation.calls.selectors.calls import call_page
from generation.calls.selectors.runs import run_page
from generation.calls.services import asking_once_more, claiming, purposes, recording, runs, targets_in_use
from generation.calls.services.claiming import Outgoing
from generation.calls.services.recording import Arrival
from generation.providers.base import Exchange, Outcome, Reply
from tests.generation.calls import talks
from tests.generation.calls.model_runs import good
from tests.generation.calls.talks import a_model, in_turn, planned, started, states, stories

pytestmark = pytest.mark.django_db

DECLINED = Reply(Outcome.REFUSED, detail="No.", raw="{}")


@pytest.fixture(autouse=True)
def talk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(purposes._PURPOSES, talks.NAME, talks.TALK)


def claimed(run: GenerationRun) -> list[Outgoing]:
    return claiming.claim(run.pk, room={"demo": 100}) or []


def answered(run: GenerationRun, *replies: Reply) -> list[Outgoing]:
    """What may be asked now, asked and answered, the first with the first of these replies."""
    outgoing = claimed(run)
    answers = [*replies, *[good("Yes.")] * (len(outgoing) - len(replies))]
    recording.record(run.pk, [Arrival(out.attempt_id, reply) for out, reply in zip(outgoing, answers, strict=True)])
    return outgoing


def gone_on(run: GenerationRun) -> GenerationRun:
    runs.go_on(run.pk, 0)
    run.refresh_from_db()
    return run


def check_counts(run: GenerationRun) -> None:
    """What is counted of the run is what there is."""
    for share in run.shares.all():
        calls = Call.objects.filter(run=run, target=share.target_id)
        for state in ("accepted", "failed", "not_asked"):
            assert getattr(share, state) == calls.filter(state=state).count(), state
        assert share.planned == calls.exclude(state="superseded").count()


def test_a_call_waits_for_the_one_before_it_and_carries_its_reply_even_a_wrong_one() -> None:
    run = started(stories(1, 3), a_model())
    assert states(run) == {"pending": 1, "waiting": 2}
    [first] = answered(run, good("On the moon."))
    [second] = answered(run, good("In the box.\n"))
    [third] = answered(run)
    assert (first.request.system, first.request.earlier) == (talks.SYSTEM, ())
    question = "Where is the ball?"
    assert second.request.earlier == (Exchange(question, "On the moon."),)
    assert third.request.earlier == (Exchange(question, "On the moon."), Exchange(question, "In the box.\n"))
    assert gone_on(run).state == "finished"
    assert states(run) == {"accepted": 3}
    check_counts(run)


def test_what_was_said_before_is_part_of_the_request_that_is_kept() -> None:
    run = started(stories(1, 2), a_model())
    answered(run, good("On the moon."))
    [second] = claimed(run)
    kept = json.loads(Attempt.objects.get(pk=second.attempt_id).request)
    assert kept["earlier"] == [{"prompt": "Where is the ball?", "reply": "On the moon."}]


def test_equal_questions_of_two_stories_are_asked_about_twice() -> None:
    run = planned(stories(2, 1), a_model())
    assert run.calls.count() == 2


def test_a_plan_with_one_key_for_two_calls_is_no_plan() -> None:
    [story] = stories(1, 1)
    with pytest.raises(ValueError, match="two calls of the plan have one key"):
        planned([story, story], a_model())


def test_a_call_after_one_that_nobody_planned_is_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = talks.TALK.wanted
    monkeypatch.setattr(talks.TALK, "wanted", lambda run: list(wanted(run))[1:])
    with pytest.raises(ValueError, match="1 calls of the plan go on from calls that nobody planned"):
        planned(stories(1, 2), a_model())


def test_a_subject_stays_as_long_as_a_call_is_about_it() -> None:
    run = planned(stories(1, 1), a_model())
    with pytest.raises(ProtectedError):
        Subject.objects.get(calls__run=run).delete()


def test_when_a_call_fails_the_rest_of_its_conversation_is_not_asked_and_says_why() -> None:
    run = started(stories(1, 4), a_model())
    answered(run)
    answered(run, DECLINED)
    assert states(run) == {"accepted": 1, "failed": 1, "not_asked": 2}
    assert gone_on(run).state == "finished"
    check_counts(run)
    last = in_turn(run)[-1]
    page = call_page(last, prompts=())
    assert (page.in_vain, page.because) == (in_turn(run)[1].pk, "declined by the model")
    line = run_page(run).line
    assert (line.not_asked, line.settled, line.waiting) == (2, 4, 0)


def test_asking_again_for_what_failed_asks_for_what_was_not_asked_as_well() -> None:
    run = started(stories(1, 3), a_model())
    answered(run, DECLINED)
    gone_on(run)
    assert runs.retry_failed(run=run, by=None) == 3
    assert states(run) == {"pending": 1, "waiting": 2}
    for _ in range(3):
        answered(run)
    assert gone_on(run).state == "finished"
    assert states(run) == {"accepted": 3}
    check_counts(run)


def test_a_late_reply_to_a_call_that_failed_lets_the_rest_be_asked_after_all() -> None:
    run = started(stories(2, 2), a_model())
    late, _ = claimed(run)
    for number in range(6):  # as often as a lost reply is asked for again
        Call.objects.filter(run=run, leased_until__isnull=False).update(leased_until="2020-01-01T00:00Z")
        if number < 5:
            Call.objects.filter(pk=late.call_id).update(due_at=None)
        claimed(run)
    assert Call.objects.get(pk=late.call_id).state == "failed"
    assert "not_asked" in states(run)
    recording.record(run.pk, [Arrival(late.attempt_id, good("Late."))])
    follower = Call.objects.get(after=late.call_id)
    assert follower.state == "pending"
    check_counts(run)


def test_a_call_asked_once_more_supersedes_all_that_came_after_it() -> None:
    run = started(stories(1, 3), a_model())
    for _ in range(3):
        answered(run, good("In the box."))
    gone_on(run)
    _, old, last = in_turn(run)
    new = asking_once_more.ask_once_more(call=old, by=None)
    assert states(run) == {"accepted": 1, "pending": 1, "superseded": 2, "waiting": 1}
    check_counts(run)
    run.refresh_from_db()
    assert run.state == "running"
    [asked] = answered(run, good("In the basket."))
    assert (asked.call_id, asked.request.replicate) == (new.pk, new.pk), "with a seed of its own"
    [after] = answered(run)
    assert [exchange.reply for exchange in after.request.earlier] == ["In the box.", "In the basket."]
    assert gone_on(run).state == "finished"
    assert [call.instead_of_id for call in in_turn(run)] == [None, old.pk, last.pk]
    assert Attempt.objects.filter(call=old, outcome="ok").exists(), "what it brought is kept"
    check_counts(run)
    spent = sum(attempt.cost or 0 for attempt in Attempt.objects.filter(call__run=run))
    assert run.spent == spent


def test_a_reply_on_its_way_to_a_superseded_call_is_kept_and_counts_no_more() -> None:
    run = started(stories(1, 2), a_model())
    [first] = answered(run)
    [on_its_way] = claimed(run)
    asking_once_more.ask_once_more(call=Call.objects.get(pk=first.call_id), by=None)
    recording.record(run.pk, [Arrival(on_its_way.attempt_id, good())])
    assert Attempt.objects.get(pk=on_its_way.attempt_id).outcome == "superseded"
    assert states(run) == {"pending": 1, "superseded": 2, "waiting": 1}
    check_counts(run)


def test_what_was_asked_once_more_is_known_when_it_is_planned_again() -> None:
    told, model = stories(1, 2), a_model()
    run = started(told, model)
    answered(run)
    answered(run)
    asking_once_more.ask_once_more(call=in_turn(run)[0], by=None)
    again = planned(told, model)
    assert (again.state, again.shares.get().known) == ("withdrawn", 2)


def test_a_call_without_an_outcome_or_whose_purpose_takes_one_reply_is_not_asked_once_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = started(stories(1, 2), a_model())
    with pytest.raises(Refused, match="not asked to its end yet"):
        asking_once_more.ask_once_more(call=in_turn(run)[0], by=None)
    answered(run)
    monkeypatch.setattr(talks.TALK, "asks_again", False)
    with pytest.raises(Refused, match="is asked once"):
        asking_once_more.ask_once_more(call=in_turn(run)[0], by=None)


def test_a_question_added_later_goes_on_the_conversation_of_an_earlier_run() -> None:
    [story], model = stories(1, 3), a_model()
    first = started([story[:2]], model)
    answered(first)
    later = started([story], model)
    assert (later.shares.get().planned, later.shares.get().known) == (1, 2)
    assert gone_on(later).state == "running"
    due = Task.objects.get(kind="work_run", subject=f"{later.pk}/0", done_at=None)
    assert due.due_at <= due.asked_at + runs.LOOK_AROUND, "it looks again for itself"
    answered(first)
    gone_on(later)
    [asked] = answered(later)
    assert len(asked.request.earlier) == 2
    assert gone_on(later).state == "finished"


def test_a_plan_that_another_goes_on_from_is_not_withdrawn_before_that() -> None:
    [story], model = stories(1, 2), a_model()
    first = planned([story[:1]], model)
    planned([story], model)
    with pytest.raises(Refused, match="Another plan goes on"):
        runs.withdraw_plan(run=first, by=None)


def test_a_retired_model_leaves_no_call_waiting() -> None:
    run = started(stories(1, 3), a_model())
    assert targets_in_use._give_up_calls(run.shares.get().target) == 1
    assert states(run) == {"failed": 1, "not_asked": 2}
    assert gone_on(run).state == "finished"
    check_counts(run)


def test_the_estimate_grows_with_the_conversation() -> None:
    """Prices are 2 and 10 dollars for a million tokens; a reply has 10 tokens, and 4000 at most."""
    story = stories(1, 3, text="x" * 81)
    share = planned(story, a_model(), effort="none").shares.get()
    # 19 characters of the system turn, 81, 162, 243 of the questions: 100, 181, 262 in fours; and 0, 1, 2 replies.
    assert share.input_tokens == (25 + 46 + 66) + (0 + 10 + 20)
    assert share.cost == Decimal(167 * 2 + 30 * 10) / 1_000_000
    # Three replies before, 0 + 1 + 2, each of at most 4000 tokens, in bytes; and as many bytes around as ever.
    grown = 3 * 4000 * CHARACTERS_PER_TOKEN * 4
    alone = (100 + 181 + 262) * 4 + 3 * (8192 + 1024)
    assert share.worst_cost == Decimal((grown + alone) * 2 + 3 * 4000 * 10) / 1_000_000


def test_no_request_of_a_conversation_costs_more_than_its_plan_said() -> None:
    run = started(stories(1, 3), a_model())
    for _ in range(3):
        answered(run, good("word " * 3900))
    reserved = sum(attempt.reserved for attempt in Attempt.objects.filter(call__run=run))
    worst = run.shares.get().worst_cost
    assert worst is not None
    assert reserved <= worst


@pytest.mark.parametrize(
    ("of_model", "only", "why"),
    [
        ("openai", {"temperature": 0.0}, "“teller” cannot be asked like this: it takes no temperature"),
        ("anthropic", {"effort": "none"}, "“teller” cannot be asked like this: it knows no effort “none”"),
        ("moonshot", {"temperature": 0.0}, "it takes no temperature"),
    ],
    ids=["temperature", "effort", "fixed temperature"],
)
def test_what_a_model_does_not_accept_is_refused_when_the_run_is_planned(
    of_model: str, only: dict[str, Any], why: str
) -> None:
    with pytest.raises(Refused, match=why):
        planned(stories(1, 1), a_model(of_model), **only)
    assert not GenerationRun.objects.exists()
