"""What follows from a failed attempt."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Literal, get_args

# With these, six tries are spread over six minutes at least: an outage of five makes no call fail.
FIRST_BACKOFF, GROWTH, MAX_BACKOFF = 2.0, 5.0, 240.0
# A provider that asks for more patience than this has in effect refused: a person decides when to go on.
MAX_PATIENCE = 900.0

# What the provider or the line did; the same request is worth sending again, later.
AWAY = frozenset({"retryable", "lost"})
# What keeps a reply with prompts from being of the form asked for; the first that applies is the attempt's outcome.
FaultOfBundle = Literal["untagged", "not_five", "label_length", "question_length"]
# The model answered, in another form than was asked for.
OF_ANOTHER_FORM = frozenset({"unreadable", *get_args(FaultOfBundle)})
_FINAL = frozenset({"refused", "filtered", "final_request"})
_MAX_TRIES: Mapping[str, int] = MappingProxyType({"retryable": 6, "lost": 6, "truncated": 3, "empty": 2, "odd": 2})
# A good reply that came when none could be taken in any more, or a request that never left, says nothing against
# its call.
_UNCOUNTED = frozenset({"superseded", "unreachable"})


class Then(Enum):
    AGAIN = "again"
    FAIL = "fail"
    STOP = "stop"  # the model, within the run: no call to it would fare better


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is done with a call, and in how many seconds at the earliest where it is tried again."""

    then: Then
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Rules:
    """How many attempts in all may be of another form, and too long, by what the study says."""

    unreadable: int = 3
    over_limit: int = 3


def alike(outcome: str) -> frozenset[str]:
    """The outcomes that count as failures of one kind."""
    kinds = (AWAY, OF_ANOTHER_FORM)
    return next((kind for kind in kinds if outcome in kind), frozenset({outcome}))


def verdict(
    outcome: str, *, tries: int, rules: Rules, jitter: float, asked_to_wait: float | None = None
) -> Verdict:
    """What follows from an outcome that is not “ok”.

    `tries` counts the call's attempts that ended alike, this one included, and grows by one from each verdict to
    the next. Somebody who asks again for what failed gets the full number again: a call fails at every multiple of
    it. `jitter` (0 to 1) spreads out what failed
    together. `asked_to_wait` is the provider's own figure, in seconds.
    """
    if outcome == "final_account" or (outcome in AWAY and (asked_to_wait or 0) > MAX_PATIENCE):
        return Verdict(Then.STOP)
    if outcome in _FINAL:
        return Verdict(Then.FAIL)
    if outcome in _UNCOUNTED:
        return Verdict(Then.AGAIN)
    if tries % _most(outcome, rules) == 0:
        return Verdict(Then.FAIL)
    return Verdict(Then.AGAIN, _wait(tries, jitter, asked_to_wait) if outcome in AWAY else 0.0)


def _most(outcome: str, rules: Rules) -> int:
    """One attempt is made in any case, also by a rule of 0."""
    if outcome in OF_ANOTHER_FORM:
        return max(1, rules.unreadable)
    return max(1, {**_MAX_TRIES, "over_limit": rules.over_limit}[outcome])


def _wait(tries: int, jitter: float, asked: float | None) -> float:
    """2, 10, 50 … seconds, less up to a quarter; or the provider's figure and up to a tenth more, if it is more."""
    own = min(FIRST_BACKOFF * GROWTH ** (tries - 1), MAX_BACKOFF) * (1 - jitter / 4)
    return max(own, (asked or 0.0) * (1 + jitter / 10))
