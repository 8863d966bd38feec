"""What a browser notes about how an answer is written: sizes and times, never content.

An event is a list `[kind, at, ...]` of whole numbers after its kind; times are milliseconds since the answer was
started, sizes are code points. The numbers come from the writer's browser: they are claims, and nobody is judged by
them alone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from statistics import median
from typing import Any, Final, NamedTuple

FIELDS: Final = {
    "burst": ("at", "duration", "typed", "deleted"),  # typing without a pause of two seconds
    "away": ("at", "duration"),  # the room was not in front
    "paste_inside": ("at", "size"),  # text moved within the room
    "paste_outside": ("at", "size"),
    "paste_blocked": ("at", "size"),  # from outside, and not taken
}
MAX_EVENTS = 200  # of one save
MAX_INTEGER = 2**31 - 1

Event = list[str | int]


def read(sent: object) -> list[Event]:
    """The events of one save, as sent by a browser; what is not one is left out, so that text is never refused."""
    events = sent if isinstance(sent, list) else []
    return [event for event in events[:MAX_EVENTS] if _is_event(event)]


def _is_event(event: Any) -> bool:
    if not (isinstance(event, list) and event and isinstance(event[0], str) and event[0] in FIELDS):
        return False
    kind, *numbers = event
    return len(numbers) == len(FIELDS[kind]) and all(
        type(number) is int and 0 <= number <= MAX_INTEGER for number in numbers
    )


# -- what the events amount to -------------------------------------------------------------------------------

PAUSE_MS = 2000  # a shorter gap does not end a burst; as in static/writing/activity.js


@dataclass(frozen=True)
class Saved:
    """One acknowledged save: in which epoch of the pen, what it changed in code points, and what was noted."""

    epoch: int
    inserted: int
    removed: int
    activity: Sequence[Event] = ()


@dataclass(frozen=True)
class Pastes:
    """Pastes of one origin; sizes in code points, 0 where there were none."""

    count: int
    size: int
    largest: int


@dataclass(frozen=True)
class ProcessRecord:
    """How an answer came about, as far as the writer's browser told.

    A burst is typing without a pause of two seconds, its length the code points typed in it; pauses lie between two
    bursts in the same window. What was pasted is not typed; what was cut, moved or undone is deleted.
    """

    saves: int
    noted: int  # events; 0 where the page ran without scripts
    inside: Pastes
    outside: Pastes
    blocked: Pastes
    times_away: int
    away: timedelta
    bursts: int
    median_burst: float | None
    pauses: int
    longest_pause: timedelta
    typed: int
    deleted: int
    length: int  # of the text as it was saved last

    @property
    def produced(self) -> int:
        """Code points that came into the text, whether or not they stayed."""
        return self.typed + self.inside.size + self.outside.size

    @property
    def kept(self) -> float | None:
        """The product/process ratio, above 0 and at most 1: what stands in the text of all that came into it.

        `None` for an empty text, and where more stands there than was noted: then the record has gaps.
        """
        return self.length / self.produced if 0 < self.length <= self.produced else None


def summarise(saves: Iterable[Saved]) -> ProcessRecord:
    """Sum up an answer's saves.

    An event that was sent a second time, because the reply to the first was lost, counts once.
    """
    saves = list(saves)
    noted = _each_once(saves)
    bursts, away, pauses = _of("burst", noted), _of("away", noted), _pauses(noted)
    return ProcessRecord(
        saves=len(saves),
        noted=len(noted),
        inside=_pastes("paste_inside", noted),
        outside=_pastes("paste_outside", noted),
        blocked=_pastes("paste_blocked", noted),
        times_away=len(away),
        away=timedelta(milliseconds=sum(duration for _, duration in away)),
        bursts=len(bursts),
        median_burst=median(typed for _, _, typed, _ in bursts) if bursts else None,
        pauses=len(pauses),
        longest_pause=timedelta(milliseconds=max(pauses, default=0)),
        typed=sum(typed for _, _, typed, _ in bursts),
        deleted=sum(deleted for _, _, _, deleted in bursts),
        length=sum(save.inserted - save.removed for save in saves),
    )


class Entered(NamedTuple):
    """When words came into a text, since the answer was started: the first and the last keystroke or paste."""

    first: timedelta
    last: timedelta


def entered(activity: Iterable[Event]) -> Entered | None:
    """What the events of one save entered; `None` where none of them put anything into the text."""
    spans = [
        (int(event[1]), int(event[1]) + (int(event[2]) if event[0] == "burst" else 0))
        for event in activity
        if event[0] in ("burst", "paste_inside", "paste_outside")
    ]
    if not spans:
        return None
    first, last = min(begun for begun, _ in spans), max(ended for _, ended in spans)
    return Entered(timedelta(milliseconds=first), timedelta(milliseconds=last))


class _Noted(NamedTuple):
    """An event, and the epoch of the save that told of it first."""

    epoch: int
    kind: str
    numbers: tuple[int, ...]


def _each_once(saves: Iterable[Saved]) -> list[_Noted]:
    epochs: dict[tuple[str | int, ...], int] = {}
    for save in saves:
        for event in save.activity:
            epochs.setdefault(tuple(event), save.epoch)
    return [_Noted(epoch, str(kind), tuple(map(int, numbers))) for (kind, *numbers), epoch in epochs.items()]


def _of(kind: str, noted: Iterable[_Noted]) -> list[tuple[int, ...]]:
    return [event.numbers for event in noted if event.kind == kind]


def _pastes(kind: str, noted: Iterable[_Noted]) -> Pastes:
    sizes = [size for _, size in _of(kind, noted)]
    return Pastes(len(sizes), sum(sizes), max(sizes, default=0))


def _pauses(noted: Iterable[_Noted]) -> list[int]:
    """Milliseconds between one burst and the next of the same epoch, where they make a pause."""
    bursts = sorted((event.epoch, *event.numbers) for event in noted if event.kind == "burst")
    gaps = [
        start - (before + duration)
        for (epoch, before, duration, *_), (next_epoch, start, *_) in pairwise(bursts)
        if epoch == next_epoch
    ]
    return [gap for gap in gaps if gap >= PAUSE_MS]
