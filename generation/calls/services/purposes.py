"""What calls to models are for, and what each purpose has to say about them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from generation.answers.services.answers import ANSWERS
from generation.calls.core.wanted import Wanted
from generation.calls.models import Call, GenerationRun
from generation.calls.services.good_replies import GoodReply
from generation.catalogue.models import Target
from generation.panel.services.panel import PANEL
from generation.prompts.services.pair_votes import PAIRS
from generation.prompts.services.prompt_writing import PROMPTS
from generation.prompts.services.quality_votes import QUALITY
from generation.providers.base import Request


class Purpose(Protocol):
    """Everything about a run that depends on what its replies are for. `role` is that of the models asked."""

    role: Target.Role

    def closed(self, run: GenerationRun) -> str:
        """Why no reply can be taken in at present, in words for a person; "" while it can."""

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        """What requests are made of besides the rows they are about, as JSON; frozen with the plan.

        Always there: `templates`, their texts by name; `efforts`, by the target's id as a string, as its provider
        calls them; `output_tokens`, those `expected` of a reply and the `most` it may take. Raises `Refused`
        where nothing of the kind can be planned.
        """

    def wanted(self, run: GenerationRun) -> Iterator[Wanted]:
        """Every reply wanted, whether it was asked for before or not; one after the other, never all at once."""

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        """The requests by the calls' ids, with as many queries for a thousand calls as for one."""

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        """Take replies in, each to another call, in the transaction that settles these.

        Where that does not go well nothing is written, and the call's id is returned with the outcome that the
        attempt has instead of “ok”.
        """


PURPOSES: Mapping[str, Purpose] = {
    "answers": ANSWERS,
    "panel": PANEL,
    "prompts": PROMPTS,
    "quality": QUALITY,
    "pairs": PAIRS,
}


def purpose_of(run: GenerationRun) -> Purpose:
    return PURPOSES[run.purpose]
