"""Whether those who could unblind a study are those who were published, and came into office as they had to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.unblinders.core.commitment import Named, contradictions

BEFORE_OFFICES = "Who alone could unblind was not published when this study was locked, so it is not compared."


@dataclass(frozen=True)
class Appointment:
    """How somebody came into office after the lock. People are known by the numbers of their accounts.

    `recorded` are those who consented as the audit trail has it, None among them for the third person.
    """

    proposed_by: int | None
    consented_by: int | None
    by_recovery: bool
    recorded: frozenset[int | None]


@dataclass(frozen=True)
class Holder:
    """Somebody in office. `accepted_by` is who accepted as the audit trail has it, None where it has nobody.

    `is_found`: since before there were offices. `appointment` is None for whoever accepted before the lock.
    """

    named: Named
    person: int
    is_found: bool
    accepted_by: int | None
    appointment: Appointment | None


@dataclass(frozen=True)
class Unblinding:
    """Who asked and who approved as the audit trail has it, by the number of the account."""

    asked: int | None
    approved: int | None


@dataclass(frozen=True)
class Offices:
    """All there is of a study's unblinders. `statement` is what was published, with the hash kept beside it and the
    one that the audit trail has of the lock; None where there is none. `third` is the third person, by the
    statement's names; empty where nobody is named.
    """

    statement: str | None
    kept_sha256: str | None
    recorded_sha256: str | None
    holders: Sequence[Holder]
    third: Mapping[str, str]
    unblinding: Unblinding | None

    @property
    def are_published(self) -> bool:
        return self.statement is not None or self.recorded_sha256 is not None


def of_offices(offices: Offices, *, seed_sha256: str) -> Iterator[str]:
    """Every way, in words, in which the offices differ from what was published and recorded. Studies without
    offices pass.
    """
    yield from _statement(offices, seed_sha256)
    people = {holder.person for holder in offices.holders}
    for holder in offices.holders:
        name = holder.named.name
        if not holder.is_found and holder.accepted_by != holder.person:
            yield f"The audit trail does not say that {name} accepted the office of unblinder themselves."
        if holder.appointment and (fault := _fault(holder.appointment, holder.person, people)):
            yield f"{name} is in office since the lock, {fault}."
    if offices.are_published and offices.unblinding:
        yield from _unblinding(offices.unblinding, people)


def _statement(offices: Offices, seed_sha256: str) -> Iterator[str]:
    if not offices.are_published:
        return
    if offices.statement is None:
        yield "The statement of who unblinds is gone."
        return
    if offices.kept_sha256 != offices.recorded_sha256:
        yield "The statement of who unblinds is not the one that the audit trail has."
    founders = [h.named for h in offices.holders if h.appointment is None and not h.is_found]
    sha256 = offices.kept_sha256 or ""
    yield from contradictions(
        offices.statement, sha256=sha256, seed_sha256=seed_sha256, founders=founders, third=offices.third
    )


def _fault(appointment: Appointment, person: int, people: set[int]) -> str:
    by = None if appointment.by_recovery else appointment.consented_by
    if by not in appointment.recorded:
        return "and the audit trail has no such consent"
    if appointment.by_recovery:
        return ""
    if by in (appointment.proposed_by, person):
        return "with the consent of whoever proposed it, or of themselves"
    return "" if by in people else "with the consent of somebody who was never in office"


def _unblinding(done: Unblinding, people: set[int]) -> Iterator[str]:
    if done.asked == done.approved:
        yield "The same person asked for unblinding and approved it."
    if done.asked not in people:
        yield "Who asked for unblinding held no office of unblinder."
    if done.approved not in people:
        yield "Who approved the unblinding held no office of unblinder."
