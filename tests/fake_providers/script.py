"""What a fake provider is told to do, and what it has seen."""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Any

from tests.fake_providers.sockets import Break, HttpReply, HttpRequest

ANSWER = "answer"


@dataclass(frozen=True)
class Behaviour:
    """How one request is dealt with: by a case of its wire format, late, with further headers, and with a reply
    that breaks off.
    """

    case: str = ANSWER
    delay: float = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    breaks: Break | None = None


class Script:
    """`then` is for the next requests, one each; `every` for every n-th; `usually` for all others. What `instead`
    replies to a request comes in place of the case.
    """

    def __init__(self) -> None:
        self.usually = Behaviour()
        self.every: dict[int, Behaviour] = {}
        self.instead: Callable[[HttpRequest], HttpReply | None] = lambda _: None
        self._next: deque[Behaviour] = deque()
        self._numbers = count(1)

    def then(self, *behaviours: Behaviour) -> None:
        self._next.extend(behaviours)

    def behaviour(self) -> Behaviour:
        """Of the request that has just come."""
        number = next(self._numbers)
        if self._next:
            return self._next.popleft()
        return next((self.every[n] for n in sorted(self.every) if number % n == 0), self.usually)


class Log:
    """What came, and what was made of it. A reply counts as made even where nobody waits for it any more: its
    provider would charge for it.
    """

    def __init__(self) -> None:
        self.requests: list[HttpRequest] = []
        self.made: Counter[str] = Counter()
        self.made_by_body: Counter[str] = Counter()
        self.on_their_way = 0
        self.most_at_once = 0

    def came(self, request: HttpRequest) -> None:
        self.requests.append(request)
        self.on_their_way += 1
        self.most_at_once = max(self.most_at_once, self.on_their_way)

    def went(self, request: HttpRequest, case: str) -> None:
        self.on_their_way -= 1
        self.made[case] += 1
        self.made_by_body[sha256(request.content).hexdigest()] += 1

    def counts(self) -> dict[str, Any]:
        """`made` by case; `made_by_body` by the SHA-256, in hex, of the request's body."""
        return {
            "requests": len(self.requests),
            "most_at_once": self.most_at_once,
            "on_their_way": self.on_their_way,
            "made": dict(self.made),
            "made_by_body": dict(self.made_by_body),
        }
