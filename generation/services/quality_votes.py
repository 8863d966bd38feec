"""The purpose “quality”."""

from collections.abc import Iterator, Sequence
from typing import Any

from generation.core.wanted import Wanted
from generation.models.runs import Attempt, Call, GenerationRun
from generation.models.targets import Target
from generation.providers.base import Reply, Request


class QualityVotes:
    """The purpose “quality”: see `purposes.Purpose`."""

    role = Target.Role.PROMPTS

    def closed(self, run: GenerationRun) -> str:
        return ""

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        raise NotImplementedError

    def wanted(self, run: GenerationRun) -> Iterator[Wanted]:
        raise NotImplementedError

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        raise NotImplementedError

    def accept(self, call: Call, attempt: Attempt, reply: Reply, *, run: GenerationRun) -> str:
        raise NotImplementedError


QUALITY = QualityVotes()
