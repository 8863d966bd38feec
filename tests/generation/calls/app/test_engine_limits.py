"""Limits of providers, shared by all workers through Redis."""

import time
from uuid import uuid4

import django_rq
import pytest
from pytest_django import Settings

from generation.calls.services import rate_limits
from generation.calls.services.rate_limits import Allowed, Wish
from generation.providers.core.catalogue import Endpoint


def an_endpoint(*, concurrency: int = 8, per_minute: int | None = None) -> Endpoint:
    """A provider that nothing was asked of yet."""
    name = f"p{uuid4().hex[:12]}"
    return Endpoint(name, name, "demo", concurrency=concurrency, per_minute=per_minute)


def slots(endpoint: Endpoint, holder: str, *, using: int = 0, wanted: int = 100) -> int:
    return rate_limits.acquire(endpoint, holder=holder, wish=Wish(using=using, slots=wanted, sends=0)).slots


def sends(endpoint: Endpoint, *, wanted: int = 1000, unused: int = 0) -> int:
    wish = Wish(using=0, slots=8, sends=wanted, unused=unused)
    return rate_limits.acquire(endpoint, holder="a", wish=wish).sends


def test_one_worker_has_everything() -> None:
    assert slots(an_endpoint(concurrency=8), "a") == 8


def test_two_workers_never_have_more_together_and_come_to_equal_shares() -> None:
    """The first has all 8 on their way. The second is owed 4 and gets what the first lets go of."""
    provider = an_endpoint(concurrency=8)
    assert slots(provider, "a") == 8
    assert slots(provider, "b") == 0
    assert slots(provider, "a", using=8) == 4
    assert slots(provider, "b") == 0, "all 8 are still on their way"
    assert slots(provider, "a", using=5) == 4
    assert slots(provider, "b") == 3
    assert slots(provider, "a", using=4) == 4
    assert slots(provider, "b", using=3) == 4


def test_what_one_worker_does_not_want_is_the_others() -> None:
    provider = an_endpoint(concurrency=8)
    assert slots(provider, "a", wanted=1) == 1
    assert slots(provider, "b") == 7


def test_a_slot_that_cannot_be_shared_stays_with_whoever_has_it() -> None:
    provider = an_endpoint(concurrency=1)
    assert [slots(provider, "a"), slots(provider, "b"), slots(provider, "a", using=1)] == [1, 0, 1]


def test_slots_that_are_given_back_are_free() -> None:
    provider = an_endpoint()
    slots(provider, "a")
    rate_limits.release(provider, holder="a")
    assert slots(provider, "b") == 8


def test_a_worker_that_says_no_more_holds_nothing_after_a_while(settings: Settings) -> None:
    settings.LEASE_SECONDS = 0.2
    provider = an_endpoint()
    slots(provider, "a")
    time.sleep(0.11)
    assert slots(provider, "b") == 8


def test_an_emptied_redis_is_right_again_when_everybody_has_spoken() -> None:
    provider = an_endpoint(concurrency=8)
    slots(provider, "a")
    django_rq.get_connection("calls").delete(f"limits:{provider.name}")
    assert slots(provider, "a", using=6) == 8
    assert slots(provider, "b") == 0
    assert slots(provider, "a", using=6) == 4
    assert slots(provider, "b") == 2


def test_a_pause_is_for_everybody_and_the_longer_one_counts() -> None:
    provider = an_endpoint()
    rate_limits.pause(provider.name, 30)
    rate_limits.pause(provider.name, 0.001)
    allowed = rate_limits.acquire(provider, holder="a", wish=Wish(using=3, slots=8, sends=5))
    assert (allowed.slots, allowed.sends) == (0, 0)
    assert 29 < allowed.paused <= 30
    assert slots(provider, "b") == 0


def test_a_pause_ends() -> None:
    provider = an_endpoint()
    rate_limits.pause(provider.name, 0.05)
    time.sleep(0.06)
    assert slots(provider, "a") == 8


class TestTrouble:
    """A provider from which nothing but failures comes."""

    @pytest.fixture(autouse=True)
    def quick(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rate_limits, "FIRST_WAIT", 0.05)

    @staticmethod
    def hold(endpoint: Endpoint, holder: str = "a") -> Allowed:
        return rate_limits.acquire(endpoint, holder=holder, wish=Wish(using=0, slots=8, sends=5))

    def test_trouble_is_waited_for_twice_as_long_each_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """0.05, 0.1 and, cut at the most, 0.15 s."""
        monkeypatch.setattr(rate_limits, "MAX_WAIT", 0.15)
        provider = an_endpoint()
        for wait in (0.05, 0.1, 0.15):
            rate_limits.fail(provider.name)
            assert wait - 0.04 < self.hold(provider).paused <= wait
            time.sleep(wait)

    def test_trouble_of_one_moment_is_one_failure(self) -> None:
        """What fails during the wait had left before."""
        provider = an_endpoint()
        for _ in range(4):
            rate_limits.fail(provider.name)
        assert self.hold(provider).paused <= 0.05

    def test_trouble_is_looked_at_by_one_request_after_the_wait(self) -> None:
        provider = an_endpoint()
        rate_limits.fail(provider.name)
        time.sleep(0.06)
        assert self.hold(provider) == Allowed(slots=1, sends=1, paused=0, in_trouble=True)

    def test_trouble_is_over_with_the_first_reply_and_begins_anew(self) -> None:
        provider = an_endpoint()
        rate_limits.fail(provider.name)
        time.sleep(0.06)
        rate_limits.fail(provider.name)
        rate_limits.succeed(provider.name)
        assert self.hold(provider) == Allowed(slots=8, sends=5, paused=0, in_trouble=False)
        rate_limits.fail(provider.name)
        assert self.hold(provider).paused <= 0.05

    def test_trouble_that_is_over_leaves_the_wait_the_provider_asked_for(self) -> None:
        provider = an_endpoint()
        rate_limits.pause(provider.name, 30)
        rate_limits.fail(provider.name)
        rate_limits.succeed(provider.name)
        assert self.hold(provider).paused > 29

    def test_trouble_tells_how_long_it_has_lasted(self) -> None:
        provider = an_endpoint()
        assert rate_limits.fail(provider.name) == 0
        time.sleep(0.06)
        assert 0.06 <= rate_limits.fail(provider.name) < 0.2

    def test_trouble_of_long_ago_is_forgotten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rate_limits, "FORGET", 0.05)
        provider = an_endpoint()
        rate_limits.fail(provider.name)
        time.sleep(0.06)
        assert rate_limits.fail(provider.name) == 0


class TestPace:
    def test_without_a_limit_of_pace_everything_may_leave(self) -> None:
        assert sends(an_endpoint(), wanted=50) == 50

    def test_a_second_s_worth_of_calls_leaves_together_and_then_one_after_the_other(self) -> None:
        """600 a minute: 11 at once, then 590 a minute, one every 0.1017 s, so that no minute sees more than 600."""
        provider = an_endpoint(per_minute=600)
        began = time.monotonic()
        total = sends(provider)
        assert total == 11
        while (seconds := time.monotonic() - began) < 0.4:
            total += sends(provider)
            time.sleep(0.02)
        total += sends(provider)
        seconds = time.monotonic() - began
        assert 11 + 3 <= total <= 11 + seconds * 590 / 60 + 1

    def test_a_slow_provider_gets_one_call_at_a_time(self) -> None:
        provider = an_endpoint(per_minute=2)
        assert [sends(provider), sends(provider)] == [1, 0]

    def test_what_was_not_used_of_a_pace_is_had_again(self) -> None:
        provider = an_endpoint(per_minute=2)
        assert sends(provider) == 1
        assert sends(provider, unused=1) == 1

    def test_what_was_not_used_of_a_pace_is_not_lost_in_a_pause(self) -> None:
        provider = an_endpoint(per_minute=2)
        assert sends(provider) == 1
        rate_limits.pause(provider.name, 0.05)
        assert sends(provider, unused=1) == 0
        time.sleep(0.06)
        assert sends(provider) == 1

    @pytest.mark.parametrize("per_minute", [1, 7, 59, 60, 61, 600, 5000])
    def test_no_minute_sees_more_calls_than_the_limit(self, per_minute: int) -> None:
        """All that may leave together, and one interval after the other for the rest of 60 s."""
        pace = rate_limits._pace(an_endpoint(per_minute=per_minute))
        assert pace["burst"] + (60 - 1e-9) // pace["interval"] <= per_minute
