"""What follows from an attempt that brought nothing to keep."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

LONGEST_BACKOFF = 120.0
# A provider that asks for more patience than this has in effect refused: a person decides when to go on.
LONGEST_PATIENCE = 900.0

# What the provider or the line did; the same request is worth sending again, later.
AWAY = frozenset({"retryable", "lost"})
_FINAL = frozenset({"refused", "filtered", "final_request"})
_MOST: Mapping[str, int] = MappingProxyType({"retryable": 6, "lost": 6, "truncated": 3, "empty": 3})
# A good reply that came when none could be taken in any more says nothing against its call.
_UNCOUNTED = "superseded"


class Then(Enum):
    AGAIN = "again"
    FAIL = "fail"
    STOP = "stop"  # the whole run: no call of it would fare better


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is done with a call, and in how many seconds at the earliest where it is tried again."""

    then: Then
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Rules:
    """How many attempts in all may end as unreadable, and as too long, by what the study says."""

    unreadable: int = 3
    over_limit: int = 3


def alike(outcome: str) -> frozenset[str]:
    """The outcomes that count as failures of one kind."""
    return AWAY if outcome in AWAY else frozenset({outcome})


def verdict(
    outcome: str, *, tries: int, rules: Rules, jitter: float, asked_to_wait: float | None = None
) -> Verdict:
    """What follows from an outcome that is not “ok”.

    `tries` counts the call's attempts that ended alike, this one included. Somebody who asks again for what failed
    gets the full number again: a call fails at every multiple of it. `jitter` (0 to 1) spreads out what failed
    together. `asked_to_wait` is the provider's own figure, in seconds.
    """
    if outcome == "final_account" or (outcome in AWAY and (asked_to_wait or 0) > LONGEST_PATIENCE):
        return Verdict(Then.STOP)
    if outcome in _FINAL:
        return Verdict(Then.FAIL)
    if outcome != _UNCOUNTED and tries % _most(outcome, rules) == 0:
        return Verdict(Then.FAIL)
    return Verdict(Then.AGAIN, _wait(tries, jitter, asked_to_wait) if outcome in AWAY else 0.0)


def _most(outcome: str, rules: Rules) -> int:
    own = {"unreadable": rules.unreadable, "over_limit": rules.over_limit}
    return own.get(outcome) or _MOST[outcome]


def _wait(tries: int, jitter: float, asked: float | None) -> float:
    """What the provider asks and up to a tenth more; otherwise 2, 4, 8 … seconds, less up to a quarter."""
    if asked is not None:
        return asked * (1 + jitter / 10)
    return min(2.0**tries, LONGEST_BACKOFF) * (1 - jitter / 4)
