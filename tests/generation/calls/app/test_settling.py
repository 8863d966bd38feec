"""What was billed and what is assumed at worst stand apart, and an invoice settles the difference."""

import os
import re
import signal
import threading
import time
from decimal import ROUND_CEILING, Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.platform.core.errors import Refused
from generation.calls.models import Attempt, GenerationRun
from generation.calls.services import recording, runs
from generation.calls.services.recording import Arrival
from generation.calls.services.settling import settle_assumed
from generation.management.model_runs import costs, work_off
from generation.providers.base import Outcome, Reply
from tests.clients import signed_in
from tests.factories import coordinator_of
from tests.fake_providers.script import Behaviour
from tests.fake_providers.site import site_with_fakes
from tests.generation.calls.engine import COST, a_run, check_books, claimed, lapse, recorded
from tests.generation.calls.model_runs import a_locked_study
from tests.generation.calls.model_runs import claimed as claimed_in
from tests.generation.calls.model_runs import started as started_in

BROKE_OFF = Reply(Outcome.RETRYABLE, detail="It broke off.", cost_unknown=True)


@pytest.fixture
def run() -> GenerationRun:
    """Stopped, with one reply that was billed, one that broke off and one that was lost."""
    run = a_run()
    first, second, third = claimed(run, 3)
    recorded(run, first)
    recorded(run, second, BROKE_OFF)
    lapse(third)
    for outgoing in claimed(run):  # among them the third call's next attempt
        recorded(run, outgoing, Reply(Outcome.UNREACHABLE, detail="Nobody there."))
    runs.stop_run(run=run, reason="Enough.", by=None)
    run.refresh_from_db()
    return run


def settled(run: GenerationRun, billed: str) -> GenerationRun:
    settle_assumed(run=run, billed=Decimal(billed), by=None)
    run.refresh_from_db()
    return run


@pytest.mark.django_db
def test_what_nothing_tells_the_price_of_is_assumed_and_stands_beside_what_was_billed(run: GenerationRun) -> None:
    worst = list(Attempt.objects.filter(call__run=run, is_assumed=True).values_list("reserved", flat=True))
    assert len(worst) == 2
    assert (run.spent - run.assumed, run.assumed) == (COST, sum(worst, Decimal(0)))
    assert costs(run).startswith("0.00 US dollars were billed, and ")
    check_books(run)


@pytest.mark.django_db
def test_an_invoice_takes_the_place_of_what_was_assumed_to_the_millionth(run: GenerationRun) -> None:
    settled(run, "0.01")
    assert (run.spent, run.assumed) == (COST + Decimal("0.01"), Decimal(0))
    assert "assumed" not in costs(run)
    check_books(run)


@pytest.mark.django_db
def test_what_was_not_billed_at_all_frees_the_limit(run: GenerationRun) -> None:
    assert settled(run, "0").spent == COST
    check_books(run)


@pytest.mark.django_db
def test_no_more_is_billed_than_was_assumed_and_nothing_twice(run: GenerationRun) -> None:
    with pytest.raises(Refused, match="No more than"):
        settled(run, "1000")
    settled(run, "0.01")
    with pytest.raises(Refused, match="Nothing is assumed"):
        settled(run, "0")


@pytest.mark.django_db
def test_what_is_assumed_can_be_settled_in_the_whole_cents_that_are_told(run: GenerationRun) -> None:
    before, cents = run.spent, run.assumed.quantize(Decimal("0.01"), ROUND_CEILING)
    assert cents > run.assumed, "or there is nothing to round"
    with pytest.raises(Refused, match=re.escape(f"No more than the ${cents}")):
        settled(run, str(cents + Decimal("0.01")))
    settled(run, str(cents))
    assert (run.spent, run.assumed) == (before, Decimal(0))
    check_books(run)


@pytest.mark.django_db
def test_a_run_at_work_is_not_settled() -> None:
    run = a_run()
    recorded(run, claimed(run, 1)[0], BROKE_OFF)
    with pytest.raises(Refused, match="at work"):
        settled(run, "0")


@pytest.mark.django_db
def test_a_reply_that_comes_after_its_costs_were_settled_counts_as_what_it_is(run: GenerationRun) -> None:
    lost = Attempt.objects.get(call__run=run, outcome="lost")
    settled(run, "0.01")
    reply = Reply(Outcome.RETRYABLE, detail="Too busy.", status=503)
    recording.record(run.pk, [Arrival(lost.pk, reply)])
    run.refresh_from_db()
    assert COST < run.spent < COST + Decimal("0.01")
    check_books(run)


@pytest.mark.django_db
def test_a_files_run_is_settled_by_a_command(run: GenerationRun) -> None:
    out = StringIO()
    call_command("settle_run", str(run.pk), "--billed=0.01", stdout=out)
    assert out.getvalue().strip() == f"Run {run.pk}: 0.01 US dollars were billed."
    with pytest.raises(CommandError, match="Nothing is assumed"):
        call_command("settle_run", str(run.pk), "--billed=0.01")


@pytest.mark.django_db
def test_the_page_of_a_run_tells_both_sums_and_settles_them() -> None:
    study = a_locked_study(prompts=6, of_targets={"price": {"input": "100", "output": "200"}})
    run = started_in(study)
    outgoing = claimed_in(run)
    assert len(outgoing) >= 10
    recording.record(run.pk, [Arrival(outgoing[0].attempt_id, BROKE_OFF)])
    client, page = signed_in(coordinator_of(study)), reverse("run", args=[run.pk])
    assert "assumed at worst" in client.get(page).content.decode()
    assert "Settle what is assumed" not in client.get(page).content.decode()
    runs.stop_run(run=run, reason="Enough.", by=None)
    assert "Settle what is assumed" in client.get(page).content.decode()
    settling = reverse("settle_run", args=[run.pk])
    refused = client.post(settling, {"billed": "99999"})
    assert (refused.status_code, "No more than" in refused.content.decode()) == (400, True)
    assert '<details class="confirm" open>' in refused.content.decode(), "or nobody sees why"
    assert 'role="alert" tabindex="-1" autofocus' in refused.content.decode()
    assert client.post(settling, {"billed": "0"}).status_code == 302
    run.refresh_from_db()
    assert (run.spent, run.assumed) == (Decimal(0), Decimal(0))
    assert "$0.00 took the place of what was assumed." in client.get(page).content.decode()
    assert "assumed" not in client.get(page).content.decode()


@pytest.mark.django_db(transaction=True)
def test_ctrl_c_waits_for_what_is_on_its_way_and_gives_back_what_never_left(tmp_path: Path) -> None:
    with site_with_fakes(tmp_path) as fake:
        few = tmp_path / "providers.toml"
        few.write_text(few.read_text().replace("concurrency = 64", "concurrency = 4"))
        fake.script.usually = Behaviour(delay=1.5)
        run = a_run(providers=("fake-chat",))

        def interrupt() -> None:
            while len(fake.log.requests) < 4:
                time.sleep(0.02)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            work_off(run, at_most=Decimal(1000))
    run.refresh_from_db()
    assert run.stopped_because == "The command was broken off."
    assert (run.assumed, run.reserved) == (Decimal(0), Decimal(0))
    assert Attempt.objects.filter(call__run=run, outcome="ok").count() == len(fake.log.requests)
    check_books(run)
