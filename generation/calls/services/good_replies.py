"""Storing good replies in what they were asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generation.calls.models import Attempt, Call
from generation.providers.base import Reply


@dataclass(frozen=True, slots=True)
class GoodReply:
    """A reply to a call that has none yet."""

    call: Call
    attempt: Attempt
    reply: Reply


def one_by_one(good: Sequence[GoodReply], accept: Callable[[GoodReply], str]) -> dict[int, str]:
    """What `Purpose.accept` returns, where each is taken in by itself: `accept` returns an outcome, "" for “ok”."""
    return {each.call.pk: outcome for each in good if (outcome := accept(each))}
