"""Outages as the server's own record shows them, and the time an answer lost to one.

What a writer's browser says about the connection is not in this record and counts for nothing here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from operator import attrgetter

MIN_OUTAGE = timedelta(seconds=10)  # an interruption that saving again by itself does not bridge


@dataclass(frozen=True)
class Span:
    """A stretch of time; `ended_at` is not before `began_at`."""

    began_at: datetime
    ended_at: datetime


def outages(periods: Iterable[Span], proofs: Iterable[datetime] = ()) -> list[Span]:
    """The gaps of at least `MIN_OUTAGE` between the periods in which the site was seen to answer, in order.

    A proof is a moment at which it answered for certain, such as an acknowledged save: it parts the gap it lies
    in. Before the first period and after the last one nothing was recorded, and so nothing is an outage.
    """
    seen = sorted(periods, key=attrgetter("began_at"))
    if not seen:
        return []
    since, until = seen[0].began_at, max(span.ended_at for span in seen)
    moments = [Span(proof, proof) for proof in proofs if since <= proof <= until]
    found, up_until = [], since
    for span in sorted([*seen, *moments], key=attrgetter("began_at")):
        if span.began_at - up_until >= MIN_OUTAGE:
            found.append(Span(up_until, span.began_at))
        up_until = max(up_until, span.ended_at)
    return found


def seconds_lost(outage: Span, answer: Span, pauses: Iterable[Span] = ()) -> int:
    """Whole seconds of the answer's time that lie in the outage, rounded up in favour of the writer; 0 or more.

    While the clock stood still, in `pauses` that do not overlap, no time was lost.
    """
    shared = _shared(outage, answer)
    if shared is None:
        return 0
    stood_still = sum(_length(_shared(shared, pause)) for pause in pauses)
    return max(0, ceil(_length(shared) - stood_still))


def _shared(one: Span, other: Span) -> Span | None:
    began_at, ended_at = max(one.began_at, other.began_at), min(one.ended_at, other.ended_at)
    return Span(began_at, ended_at) if began_at < ended_at else None


def _length(span: Span | None) -> float:
    return (span.ended_at - span.began_at).total_seconds() if span else 0
