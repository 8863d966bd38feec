"""What is asked once more, whatever has happened to its run and to its conversation meanwhile."""

import threading
from decimal import Decimal

import pytest
from django.db import connection, transaction
from django.urls import reverse

from annotation.platform.core.errors import Refused
from generation.calls.models import Call, GenerationRun
from generation.calls.services import asking_once_more, claiming, purposes, recording, runs
from generation.calls.services.claiming import Outgoing
from generation.calls.services.ledger import lock_run
from generation.calls.services.recording import Arrival
from generation.catalogue.models import Target
from tests.clients import signed_in
from tests.factories import coordinator_of
from tests.generation.calls import talks
from tests.generation.calls.model_runs import a_locked_study, claimed, good
from tests.generation.calls.model_runs import started as started_in
from tests.generation.calls.talks import a_model, in_turn, planned, started, states, stories


@pytest.fixture(autouse=True)
def talk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(purposes._PURPOSES, talks.NAME, talks.TALK)


def answered(run: GenerationRun) -> list[Outgoing]:
    outgoing = claiming.claim(run.pk, room={"demo": 100}) or []
    recording.record(run.pk, [Arrival(out.attempt_id, good("Yes.")) for out in outgoing])
    return outgoing


@pytest.mark.django_db
def test_what_three_runs_asked_of_one_conversation_is_asked_once_more_in_all_of_them() -> None:
    [story], model = stories(1, 3), a_model()
    asked = []
    for turns in (1, 2, 3):
        run = started([story[:turns]], model)
        answered(run)
        runs.go_on(run.pk, 0)
        asked.append(run)
    asking_once_more.ask_once_more(call=in_turn(asked[0])[0], by=None)
    assert [states(run) for run in asked] == [
        {"pending": 1, "superseded": 1},
        {"superseded": 1, "waiting": 1},
        {"superseded": 1, "waiting": 1},
    ]


@pytest.mark.django_db(transaction=True)
def test_a_plan_that_goes_on_meanwhile_from_what_is_asked_once_more_is_refused_in_words() -> None:
    [story], model = stories(1, 3), a_model()
    first = started([story[:1]], model)
    [begun] = answered(first)
    later = started([story[:2]], model)
    refused: list[str] = []

    def ask() -> None:
        try:
            asking_once_more.ask_once_more(call=Call.objects.get(pk=begun.call_id), by=None)
        except Refused as refusal:
            refused.append(str(refusal))
        finally:
            connection.close()

    asking = threading.Thread(target=ask)
    with transaction.atomic():
        lock_run(later.pk)
        asking.start()
        _wait_until_somebody_waits()
        planned([story], model)
    asking.join()
    assert refused == ["Another plan has just gone on from this conversation. Ask once more for it."]
    assert states(first) == {"accepted": 1}


def _wait_until_somebody_waits() -> None:
    with connection.cursor() as cursor:
        for _ in range(500):
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone() != (0,):
                return
            cursor.execute("SELECT pg_sleep(0.02)")
    raise AssertionError("nobody waits for the lock")


@pytest.mark.django_db
def test_a_model_that_was_stopped_is_tried_anew_when_it_is_asked_once_more() -> None:
    run = started(stories(1, 1), a_model())
    answered(run)
    runs.go_on(run.pk, 0)
    run.shares.update(stopped_because="It refuses everything.")
    asking_once_more.ask_once_more(call=in_turn(run)[0], by=None)
    assert run.shares.get().stopped_because == ""
    assert len(answered(run)) == 1


@pytest.mark.django_db
def test_a_limit_has_to_be_enough_for_the_dearest_call_of_a_conversation() -> None:
    run = planned(stories(1, 4), a_model())
    share = run.shares.get()
    assert share.worst_call is not None
    assert share.worst_cost is not None
    assert share.worst_call > share.worst_cost / 4
    assert runs.least_cap(run) == share.worst_call


@pytest.mark.django_db
def test_a_run_stops_that_goes_on_from_a_reply_nobody_knows_how_to_read() -> None:
    run = started(stories(1, 2), a_model())
    answered(run)
    before, after = in_turn(run)
    other = a_model(family="another")  # a conversation may go on with another model
    Call.objects.filter(pk=after.pk).update(target=other)
    run.shares.create(target=other, planned=1)
    run.materials["prices"][str(other.pk)] = run.materials["prices"][str(before.target_id)]
    run.materials["efforts"][str(other.pk)] = "low"
    run.save(update_fields=["materials"])
    Target.objects.filter(pk=before.target_id).update(provider="gone")
    assert claiming.claim(run.pk, room={"demo": 100}) is None
    run.refresh_from_db()
    assert (run.state, run.reserved) == ("stopped", Decimal(0))
    assert "knows the provider gone no more" in run.stopped_because


@pytest.mark.django_db
def test_a_call_is_asked_once_more_from_its_page_where_its_purpose_takes_a_second_reply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = a_locked_study(prompts=1)
    run = started_in(study)
    [outgoing, *_] = claimed(run)
    recording.record(run.pk, [Arrival(outgoing.attempt_id, good("Owls. " * 60))])
    client, old = signed_in(coordinator_of(study)), reverse("call", args=[outgoing.call_id])
    asking = reverse("ask_once_more", args=[outgoing.call_id])
    assert asking not in client.get(old).content.decode()
    assert "is asked once" in client.post(asking, follow=True).content.decode()
    monkeypatch.setattr(type(purposes.purpose_of(run)), "asks_again", True)
    assert asking in client.get(old).content.decode()
    page = client.post(asking, follow=True).content.decode()
    new = Call.objects.get(instead_of=outgoing.call_id)
    assert "It is asked once more, as this call." in page
    assert f'href="{old}"' in page, "instead of which"
    assert reverse("call", args=[new.pk]) in client.get(old).content.decode()
