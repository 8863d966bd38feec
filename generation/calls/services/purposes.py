"""What calls to models are for, and what each purpose has to say about them."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.selectors.calls import PromptLine, ReplyLine
from generation.calls.services.good_replies import GoodReply
from generation.catalogue.models import Target
from generation.providers.base import Request


class Purpose(ABC):
    """Everything about a run that depends on what its replies are for. `role` is that of the models asked.

    `nothing` says why a plan is empty though nothing was asked before. `asks_again`: whether a call that was
    settled may be asked once more. It is superseded then: what was taken in of it stays, and counts no more.
    """

    role: Target.Role
    nothing: str = "There is nothing yet to ask these models."
    asks_again = False

    @abstractmethod
    def closed(self, run: GenerationRun) -> str:
        """Why no reply can be taken in at present, in words for a person; "" while it can."""

    @abstractmethod
    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        """What requests are made of besides the rows they are about, as JSON; frozen with the plan.

        Always there: `templates`, their texts by name; `efforts`, by the target's id as a string, as its provider
        calls them; `output_tokens`, those `expected` of a reply and the `most` it may take. Where temperatures are
        set, `temperatures`, by the target's id. Raises `Refused` where nothing of the kind can be planned.
        """

    @abstractmethod
    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        """Every reply wanted, whether it was asked for before or not; one after the other, never all at once."""

    @abstractmethod
    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        """The requests by the calls' ids, with as many queries for a thousand calls as for one.

        Of a conversation each call is given its own user turn; also of calls that were settled before, which others
        come after, and whatever their run. What was said earlier is put in by whoever asks.
        """

    @abstractmethod
    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        """Take replies in, each to another call, in the transaction that settles these.

        Where that does not go well nothing is written, and the call's id is returned with the outcome that the
        attempt has instead of “ok”.
        """

    def brought_sha256(self, run: GenerationRun) -> str:  # noqa: ARG002
        """SHA-256, in hex, of what was taken in of the run and is analysed later; "" where nothing is."""
        return ""

    def about_known(self, run: GenerationRun) -> str:  # noqa: ARG002
        """What else to tell a person, in sentences, where all that the run wants was asked for before."""
        return ""

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:  # noqa: ARG002
        """What the run was narrowed down to: labels, each with what was chosen, in words."""
        return ()

    def prompts(self, call: Call) -> Sequence[PromptLine]:  # noqa: ARG002
        """The prompts that are to be which the call wrote, judged or compared."""
        return ()

    def said(self, call: Call) -> Sequence[ReplyLine]:  # noqa: ARG002
        """What was read out of the call's reply, part by part, where it has parts."""
        return ()


_PURPOSES: dict[str, Purpose] = {}


def add_purpose(name: str, purpose: Purpose) -> None:
    """Let runs be for this, too. `name` is what they have as their `purpose`."""
    _PURPOSES[name] = purpose


def purpose_named(name: str) -> Purpose:
    """Raises KeyError that lists the known ones."""
    try:
        return _PURPOSES[name]
    except KeyError:
        raise KeyError(f"no purpose is called {name!r}; known: {', '.join(sorted(_PURPOSES))}") from None


def purpose_of(run: GenerationRun) -> Purpose:
    return purpose_named(run.purpose)
