"""Rate limits: how much all workers together ask of a provider at a time. Kept in Redis and on its clock.

A worker says again and again what it has on its way and what it would like; nothing is counted up or down. So an
emptied Redis is right again as soon as everybody has spoken, and who says no more holds nothing after a while.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import django_rq
from django.conf import settings
from redis import Redis
from redis.commands.core import Script

from generation.providers.core.catalogue import Endpoint

# A provider that is away or too busy is left alone for so many seconds at first, and at most.
FIRST_WAIT, MAX_WAIT = 1.0, 60.0
# A failure so many seconds after the last one begins a trouble of its own.
FORGET = 300.0
_LUA = Path(__file__).with_name("rate_limits.lua").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Allowed:
    """`slots`: requests on their way at once, those that are included. `sends`: how many may leave now. `paused`:
    seconds in which nothing may leave. `in_trouble`: whether nothing but failures was told of the provider lately.
    """

    slots: int
    sends: int
    paused: float = 0.0
    in_trouble: bool = False


@dataclass(frozen=True, slots=True)
class Wish:
    """`using`: requests on their way. `slots`: as many as there could be with enough room, those included.
    `sends`: how many would leave now. `unused`: sends that were allowed before and did not leave.
    """

    using: int
    slots: int
    sends: int
    unused: int = 0


def acquire(endpoint: Endpoint, *, holder: str, wish: Wish) -> Allowed:
    """Say how much `holder` has on its way and would like; what it may have. To be repeated every few seconds.

    Of several holders each gets an equal share, and what others do not want. A holder that keeps more on its way
    than it may lets no more leave until that has changed. Raises `RedisError`.
    """
    told = {
        "holder": holder,
        "concurrency": endpoint.concurrency,
        "using": wish.using,
        "slots": wish.slots,
        "sends": wish.sends,
        "unused": wish.unused,
        "lease": settings.LEASE_SECONDS / 2,
        **_pace(endpoint),
    }
    return Allowed(**_tell(endpoint.name, "acquire", told))


def release(endpoint: Endpoint, *, holder: str, unused: int = 0) -> None:
    """The holder has nothing on its way any more, and did not use so many sends. Raises `RedisError`."""
    _tell(endpoint.name, "release", {"holder": holder, "unused": unused, **_pace(endpoint)})


def pause(name: str, seconds: float) -> None:
    """Let nobody send anything to a provider for some time. Raises `RedisError`."""
    _tell(name, "pause", {"seconds": seconds})


def fail(name: str) -> float:
    """A provider is away or too busy: nobody sends it anything for a while, each time twice as long, until somebody
    says that it answers; then a single request finds out. Seconds since the first of the failures, from 0. Raises
    `RedisError`.
    """
    told = {"first": FIRST_WAIT, "longest": MAX_WAIT, "forget": FORGET}
    return float(_tell(name, "fail", told)["seconds"])


def succeed(name: str) -> None:
    """The provider answers. What it asked for itself, by `pause`, stays. Raises `RedisError`."""
    _tell(name, "succeed", {})


def _pace(endpoint: Endpoint) -> dict[str, float]:
    """How far apart requests leave, in seconds, and how many may leave together.

    A second's worth may leave together. What that adds to a minute is taken off the pace, so that no minute,
    whenever it begins, sees more than the limit.
    """
    if endpoint.per_minute is None:
        return {"interval": 0, "burst": 0}
    burst = 1 + endpoint.per_minute // 60
    return {"interval": 60 / (endpoint.per_minute - burst + 1), "burst": burst}


def _tell(name: str, verb: str, told: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(_script()(keys=[f"limits:{name}"], args=[verb, json.dumps(told)]))
    return answer


@cache
def _script() -> Script:
    client: Redis = django_rq.get_connection("calls")
    return client.register_script(_LUA)
