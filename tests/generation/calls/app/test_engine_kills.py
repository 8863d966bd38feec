"""Real workers, killed with SIGKILL in the middle of their calls, and a Redis that is emptied."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from hashlib import sha256
from pathlib import Path

import pytest
from pytest_django import Settings

from benchmarks.support import calls_run
from generation.calls.models import Attempt, GenerationRun
from generation.calls.services.settling import settle_assumed
from generation.providers.chat_completions import ChatCompletions
from generation.providers.core.prices import cost, price_from
from tests.fake_providers.chat_completions import completion
from tests.fake_providers.script import Behaviour
from tests.fake_providers.server import FakeProviders, fake_providers
from tests.fake_providers.sockets import HttpRequest
from tests.generation.calls.engine import check_books

CHAT = ChatCompletions({})
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.stack]


@pytest.fixture
def fake(settings: Settings, tmp_path: Path) -> Iterator[FakeProviders]:
    with fake_providers() as server:
        server.script.usually = Behaviour(delay=0.2)
        file = tmp_path / "providers.toml"
        file.write_text(
            f'[providers.fake]\nlabel = "Fake"\nwire = "chat_completions"\nbase_url = "{server.url}/v1"\n'
            "concurrency = 8\n"
        )
        settings.PROVIDERS_FILE = str(file)
        settings.LEASE_SECONDS = 3
        yield server


def test_nothing_is_missing_or_accepted_twice_after_kills_and_what_was_paid_in_vain_is_counted(
    fake: FakeProviders,
) -> None:
    draw = random.Random(7)  # noqa: S311
    run = calls_run.a_run(5, provider="fake")  # × 10 perspectives × 3 models = 150 calls
    disturbed: list[float] = []
    with calls_run.workers(1) as crew:

        def disturb(_: float) -> None:
            """Each time some more calls have been made."""
            if len(disturbed) < 3 and len(fake.log.requests) > 30 * (len(disturbed) + 1):
                disturbed.append(len(fake.log.requests))
                if len(disturbed) == 2:
                    calls_run.empty_redis()
                else:
                    crew.kill_one(draw)

        calls_run.work_off(run, cap=Decimal(1000), meanwhile=disturb, longest=240)
    found = calls_run.findings(run, made=sum(fake.log.made.values()))
    assert len(disturbed) == 3
    assert (found.calls, found.accepted, found.scores, found.accepted_twice) == (150, 150, 150, 0)
    assert found.is_well, found
    assert found.lost == found.attempts - 150, "every attempt beyond the first is one whose worker was killed"
    check_books(run)
    # The bill: what is kept of replies is less, with worst cases more; the provider's own makes it right.
    counted = sum((billed_for(request) for request in fake.log.requests), Decimal(0))
    run.refresh_from_db()
    assert run.spent - run.assumed <= counted <= run.spent
    assert run.spent - run.assumed == counted - sum_of_lost(fake, run)
    if run.assumed:
        settle_assumed(run=run, billed=counted - (run.spent - run.assumed), by=None)
        run.refresh_from_db()
    assert (run.spent, run.assumed) == (counted, Decimal(0))
    check_books(run)


def billed_for(request: HttpRequest) -> Decimal:
    """What the provider takes for its reply, by its list of prices."""
    return cost(price_from(calls_run.PRICE), CHAT.usage(completion(request).body))


def sum_of_lost(fake: FakeProviders, run: GenerationRun) -> Decimal:
    """What the provider takes for replies that nobody kept: as many as it made beyond those, by what was asked."""
    kept = Counter(
        sha256(json.dumps(json.loads(body), ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
        for body in Attempt.objects.filter(call__run=run, status=200).values_list("request", flat=True)
    )
    lost = Decimal(0)
    for request in fake.log.requests:
        asked = sha256(request.content).hexdigest()
        if kept[asked] > 0:
            kept[asked] -= 1
        else:
            lost += billed_for(request)
    return lost
