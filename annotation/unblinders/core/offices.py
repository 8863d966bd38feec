"""What becomes of an office of unblinder: its state follows from what was said, by whom, and when.

Nothing moves an office on by itself: whoever asks, at whatever time, finds the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from annotation.platform.core.lifecycle import Lifecycle, Transition

MIN_UNBLINDERS: Final = 2
MAX_UNBLINDERS: Final = 5
WAIT: Final = timedelta(hours=72)

APPOINT: Final = "appoint"
LEAVE: Final = "leave"
RESTORE: Final = "restore"
KINDS: Final = (APPOINT, LEAVE, RESTORE)

OFFICE: Final = Lifecycle(
    "The office",
    ("proposed", "accepted", "standing", "suspended", "left"),
    (
        Transition("accept", "proposed", "accepted", "the researcher accepts, in a session of their own"),
        Transition("end", "proposed", "left", "it is declined, withdrawn, or not accepted before the lock"),
        Transition("end", "accepted", "left", "it is given back or withdrawn, or the account has changed"),
        Transition(
            "stand",
            "accepted",
            "standing",
            "the design is locked; later, 72 hours after another unblinder’s consent",
        ),
        Transition("suspend", "standing", "suspended", "mail, password, second factor or account have changed"),
        Transition("restore", "suspended", "standing", "72 hours have passed, and another unblinder has consented"),
        Transition("leave", "standing", "left", "72 hours after another unblinder’s consent, or with the study"),
        Transition("leave", "suspended", "left", "72 hours after another unblinder’s consent, or with the study"),
    ),
)
IN_OFFICE: Final = ("standing", "suspended")


@dataclass(frozen=True)
class Change:
    """Something about an office that needs a consent. `consented_at` and `withdrawn_at` are None until they happen.

    `by_recovery`: the third person consented, whom the protocol named. `account_sha256` is the account as it was
    when it was found changed, of a restoration alone.
    """

    kind: str
    proposed_at: datetime
    consented_at: datetime | None = None
    withdrawn_at: datetime | None = None
    by_recovery: bool = False
    account_sha256: str = ""

    def takes_effect_at(self, closed_at: datetime | None) -> datetime | None:
        """When it takes effect, or None where it does not, as things stand.

        `WAIT` after the consent; a restoration, `WAIT` after the change was found and not before the consent. Once
        collection is closed nothing but a restoration or a recovery takes effect.
        """
        if self.consented_at is None or self.withdrawn_at is not None:
            return None
        if self.kind == RESTORE:
            return max(self.proposed_at + WAIT, self.consented_at)
        at = self.consented_at + WAIT
        return None if closed_at is not None and at > closed_at and not self.by_recovery else at

    def has_taken_effect(self, now: datetime, closed_at: datetime | None) -> bool:
        at = self.takes_effect_at(closed_at)
        return at is not None and at <= now

    def is_open(self, now: datetime, closed_at: datetime | None) -> bool:
        """Whether it still waits, for a consent or for its time."""
        if self.withdrawn_at is not None or self.has_taken_effect(now, closed_at):
            return False
        is_late = self.consented_at is not None and self.takes_effect_at(closed_at) is None
        return not is_late


@dataclass(frozen=True)
class Facts:
    """All that an office's state follows from.

    `account_sha256` is the account as it was when the office was accepted, empty where that is not known yet, and
    `account_now` as it is. `is_found`: held since before there were offices. `may_hold`: an active researcher of
    the study who does not administer the site. `changes` are in the order in which they were proposed.
    """

    accepted_at: datetime | None
    ended_at: datetime | None
    is_found: bool
    account_sha256: str
    account_now: str
    may_hold: bool
    changes: Sequence[Change] = ()


def state_of(facts: Facts, *, now: datetime, is_locked: bool, closed_at: datetime | None) -> str:
    """The state of an office at `now`, one of `OFFICE.states`."""
    done = {change.kind for change in facts.changes if change.has_taken_effect(now, closed_at)}
    if facts.ended_at is not None or LEAVE in done or not facts.may_hold:
        return "left"
    if facts.accepted_at is None and not facts.is_found:
        return "proposed"
    is_appointed_later = any(change.kind == APPOINT for change in facts.changes)
    if not is_locked or (is_appointed_later and APPOINT not in done):
        return "accepted"
    return "standing" if is_intact(facts, now=now, closed_at=closed_at) else "suspended"


def is_intact(facts: Facts, *, now: datetime, closed_at: datetime | None) -> bool:
    """Whether the account is as it was accepted or restored last, and no restoration waits."""
    kept = facts.account_sha256
    for change in facts.changes:
        if change.kind == RESTORE:
            if change.is_open(now, closed_at):
                return False
            if change.has_taken_effect(now, closed_at):
                kept = change.account_sha256
    return not kept or kept == facts.account_now


def missing_before_the_lock(accepted: int, proposed: int) -> Iterator[str]:
    """What, in words, stands in the way of a lock, with so many offices accepted and still only proposed."""
    if accepted < MIN_UNBLINDERS:
        have = "One researcher has accepted it so far" if accepted else "Nobody has accepted it yet"
        waiting = f", and {proposed} proposed {'has' if proposed == 1 else 'have'} not answered" if proposed else ""
        if accepted + proposed >= MIN_UNBLINDERS:
            advice = "Each of them accepts on the page “Unblinders”, signed in with an account of their own."
        else:
            advice = "Invite researchers and propose them on the page “Unblinders”: they are asked by mail."
        yield (
            f"At least {MIN_UNBLINDERS} researchers must accept the office of unblinder before the design is "
            f"locked. {have}{waiting}. {advice}"
        )
