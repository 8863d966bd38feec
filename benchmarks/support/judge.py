"""One simulated judge: what their browser asks of the server, request by request."""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from urllib.parse import urlencode

from benchmarks.support.wire import Answer, Connection

CSRF = "a" * 32
FORM = "application/x-www-form-urlencoded"

Request = Callable[[Connection], Awaitable[Answer]]


@dataclass(frozen=True)
class Item:
    """An item that its judge has begun: its address, its answers, and what the judge's browser knows."""

    id: int
    slots: tuple[str, ...]
    dimensions: tuple[str, ...]
    rubric: str
    session: str


Desk = Sequence[Item]  # one judge's items


def reading(desk: Desk) -> Iterator[Request]:
    for item in cycle(desk):
        yield partial(Connection.get, path=f"/judging/{item.id}/")


def scoring(desk: Desk) -> Iterator[Request]:
    """One cell after the other, each with another value than before."""
    for turn, item in enumerate(cycle(desk)):
        for slot in item.slots:
            for dimension in item.dimensions:
                change = {"value": 1 + turn % 10, "over": [None, *range(1, 11)]}
                message = {"rubric": item.rubric, "fields": {f"score:{slot}:{dimension}": change}}
                body = json.dumps(message).encode()
                yield partial(Connection.post, path=f"/judging/{item.id}/save/", body=body)


def submitting(desk: Desk) -> Iterator[Request]:
    """Each item once: all its scores arrive with the form."""
    for item in desk:
        fields = {
            f"score:{slot}:{dimension}": 1 + (place + number) % 10
            for place, slot in enumerate(item.slots)
            for number, dimension in enumerate(item.dimensions)
        }
        body = urlencode(fields | {"csrfmiddlewaretoken": CSRF}).encode()
        yield partial(Connection.post, path=f"/judging/{item.id}/submit/", body=body, content_type=FORM)
