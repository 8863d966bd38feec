"""What writers noted about their exchanges with the server, and what that comes to."""

import itertools
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

SECONDS_TO_SETTLE = 5.0  # after the last failure of an outage


@dataclass(frozen=True)
class Span:
    """From one moment to another, in seconds on one clock."""

    began: float
    ended: float

    @property
    def seconds(self) -> float:
        return self.ended - self.began

    def meets(self, other: "Span") -> bool:
        return self.began <= other.ended and other.began <= self.ended


@dataclass
class Log:
    """One writer's saves that were acknowledged, exchanges that failed, and times without any that succeeded."""

    saves: list[Span] = field(default_factory=list)
    failures: list[Span] = field(default_factory=list)
    outages: list[Span] = field(default_factory=list)
    _away_since: float | None = None

    def note(self, exchange: Span, *, succeeded: bool, is_save: bool) -> None:
        if not succeeded:
            self.failures.append(exchange)
            self._away_since = self._away_since or exchange.began
            return
        if is_save:
            self.saves.append(exchange)
        if self._away_since is not None:
            self.outages.append(Span(self._away_since, exchange.ended))
            self._away_since = None


def disturbed(faults: Sequence[float], logs: Iterable[Log]) -> list[Span]:
    """For each fault, the time from it until the last exchange it made fail, and some seconds to settle."""
    failures = [failure for log in logs for failure in log.failures]
    spans = []
    for began, until in itertools.pairwise([*faults, float("inf")]):
        ends = [failure.ended for failure in failures if failure.meets(Span(began, until))]
        spans.append(Span(began, max([began, *ends]) + SECONDS_TO_SETTLE))
    return spans


def away_from(spans: Sequence[Span], saves: Iterable[Span]) -> list[Span]:
    """The saves that were sent and answered outside of all `spans`."""
    return [save for save in saves if not any(save.meets(span) for span in spans)]


def in_milliseconds(saves: Sequence[Span]) -> str:
    """Percentiles of how long saves took, as one line."""
    if len(saves) < 2:
        return "too few to tell"
    cuts = statistics.quantiles([1000 * save.seconds for save in saves], n=100)
    longest = 1000 * max(save.seconds for save in saves)
    return f"p50 {cuts[49]:6.1f}   p95 {cuts[94]:6.1f}   p99 {cuts[98]:6.1f}   longest {longest:7.1f} ms"
