"""What a turn knows of one provider, and what its replies say of it."""

from dataclasses import dataclass, field

from generation.calls.services.rate_limits import Allowed
from generation.providers.base import Outcome, Reply
from generation.providers.core.catalogue import Endpoint

# Work for so many seconds is claimed before it can leave, so that no slot stays empty meanwhile.
AHEAD = 0.5
# So many times the slots at least, since slow replies, which come together, are followed by others at once; and at
# most.
MIN_AHEAD, MAX_AHEAD = 0.25, 4.0
# A turn that could only wait for providers ends, if the wait is longer than so many seconds, and frees its worker.
IDLE = 5.0
TOO_MANY = 429


@dataclass
class ProviderState:
    """What a turn knows of one provider."""

    endpoint: Endpoint
    allowed: Allowed = field(default=Allowed(slots=0, sends=0))
    unused: int = 0
    claimed: int = 0
    # Whether any reply came yet: the first may tell that no other request should follow.
    heard: bool = False
    seconds_each: float = 0.0
    # When there was nothing more to claim of it, the time from which on it is worth looking again.
    look_again: float = 0.0

    @property
    def name(self) -> str:
        return self.endpoint.name

    @property
    def is_idle(self) -> bool:
        """Whether nothing may leave for longer than a worker waits."""
        return self.allowed.paused > IDLE

    def ahead(self) -> int:
        """How many requests leave in the next moments: more than there are slots, if replies are so quick."""
        if self.endpoint.per_minute is not None or not self.heard:
            return 0
        times = AHEAD / max(self.seconds_each, 0.001)
        return round(self.allowed.slots * min(MAX_AHEAD, max(MIN_AHEAD, times)))

    def note(self, milliseconds: int) -> None:
        self.heard = True
        latest = milliseconds / 1000
        self.seconds_each = 0.9 * self.seconds_each + 0.1 * latest if self.seconds_each else latest


def is_away(reply: Reply) -> bool:
    """Whether a provider cannot be reached, is too busy, or fails by itself: others would fare no better."""
    if reply.outcome is Outcome.RETRYABLE:
        return reply.status is not None and (reply.status == TOO_MANY or reply.status >= 500)
    return reply.outcome is Outcome.UNREACHABLE


def is_there(reply: Reply) -> bool:
    """Whether a provider took a request and dealt with it, whatever came of it."""
    return reply.outcome not in (Outcome.RETRYABLE, Outcome.UNREACHABLE)
