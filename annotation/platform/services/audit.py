"""Audit events, and the chain of seals over them.

An event is inserted without looking at its neighbours, so that writers never wait for each other; the sealer
chains what is there a moment later.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from django.db import connection, transaction
from django.db.models.functions import Now

from annotation.platform.core.errors import Refused
from annotation.platform.core.sealing import GENESIS, chained_digest
from annotation.platform.core.text import clean
from annotation.platform.models.audit import AuditEvent, AuditSeal, UnsealedEvent
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.uptime import SitePause
from annotation.platform.models.users import User

SEALER_LOCK = 7_206_215  # any number no other advisory lock of ours uses


class StudyRow(Protocol):
    """A study, as far as the trail knows one: its class stands above. No other row has all of these."""

    pk: Any
    slug: str
    ratings_per_prompt: int


def record(
    *,
    verb: AuditVerb,
    by: User | None,
    study: StudyRow | int | None = None,
    subject: object = "",
    **detail: Any,
) -> None:
    """Write down that `by` (`None`: the system) did `verb` to `subject`. Belongs in the change's transaction.

    Raises `ValueError` for a verb that is not among `AuditVerb`.
    """
    AuditEvent.objects.create(
        study_id=study if study is None or isinstance(study, int) else study.pk,
        actor=by,
        verb=AuditVerb(verb),
        subject=str(subject)[:120],
        detail=detail,
    )


def stated(reason: str) -> str:
    """A reason as it goes into the trail; raises `Refused` where none is given."""
    reason = clean(reason).strip()
    if not reason:
        raise Refused("Say why, so that the decision can be understood later.")
    return reason


def _content(event: AuditEvent) -> dict[str, Any]:
    return {
        "id": event.pk,
        "at": event.at.isoformat(),
        "study": event.study_id,
        "actor": event.actor_id,
        "verb": event.verb,
        "subject": event.subject,
        "detail": event.detail,
    }


@transaction.atomic
def seal(*, limit: int = 5000) -> int:
    """Chain up to `limit` unsealed events; returns how many. One sealer at a time: others return 0 at once."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [SEALER_LOCK])
        if not cursor.fetchone()[0]:
            return 0
    waiting = UnsealedEvent.objects.order_by("event").values_list("event", flat=True)
    if not (ids := list(waiting[:limit])):
        return 0
    last = AuditSeal.objects.order_by("-number").first()
    number, digest = (last.number, last.digest) if last else (0, GENESIS)
    seals = []
    for event in AuditEvent.objects.filter(id__in=ids).order_by("id"):
        number, digest = number + 1, chained_digest(digest, _content(event))
        seals.append(AuditSeal(number=number, event=event, digest=digest))
    AuditSeal.objects.bulk_create(seals)
    UnsealedEvent.objects.filter(event__in=ids).delete()
    return len(seals)


@dataclass(frozen=True)
class Head:
    """The newest seal. Whoever has noted it can tell later that the trail was cut off behind it, or sealed anew.

    `sealed_at` is the database's time; `None` where somebody noted the rest alone.
    """

    number: int
    digest: str
    sealed_at: datetime | None

    def __str__(self) -> str:
        if self.sealed_at is None:
            return f"{self.number}:{self.digest}"
        sealed_at = self.sealed_at.astimezone(UTC).isoformat(timespec="microseconds")
        return f"{self.number}:{self.digest}@{sealed_at.replace('+00:00', 'Z')}"


def head() -> Head | None:
    """As it is now, or `None` while nothing has been sealed."""
    last = AuditSeal.objects.order_by("-number").first()
    return Head(last.number, last.digest, last.sealed_at) if last else None


def head_at(study: StudyRow, verb: AuditVerb) -> Head | None:
    """The seal of the first such event of the study, or `None` where there is none yet."""
    seal = AuditSeal.objects.filter(event__study_id=study.pk, event__verb=verb).order_by("number").first()
    return Head(seal.number, seal.digest, seal.sealed_at) if seal else None


@dataclass(frozen=True)
class Restore:
    """That the site was brought back as it was at `taken_at`: what was recorded from then until `at` is gone."""

    at: datetime
    taken_at: datetime
    reason: str

    def explains(self, lost: Head) -> bool:
        """Whether a seal that is not there any more went with what is gone."""
        return lost.sealed_at is not None and self.taken_at < lost.sealed_at < self.at


def note_restore(*, taken_at: datetime, reason: str) -> None:
    """Record that the database was restored from a backup taken at `taken_at`, so that the break is no alarm."""
    with transaction.atomic():
        record(
            verb=AuditVerb.SITE_RESTORED,
            by=None,
            taken_at=taken_at.astimezone(UTC).isoformat(),
            reason=stated(reason),
        )
        SitePause.objects.update(restore_noted_at=Now())


def restores() -> list[Restore]:
    """Every restore that was noted and sealed, the first one first."""
    sealed = AuditEvent.objects.filter(verb=AuditVerb.SITE_RESTORED, seal__isnull=False).order_by("seal__number")
    return [
        Restore(event.at, datetime.fromisoformat(event.detail["taken_at"]), event.detail["reason"])
        for event in sealed
    ]


@dataclass(frozen=True)
class Verification:
    """How many events the chain covers, how many wait for a seal, and the first event that does not fit."""

    sealed: int
    unsealed: int
    broken_event: int | None

    @property
    def intact(self) -> bool:
        return self.broken_event is None


@contextmanager
def snapshot() -> Iterator[None]:
    """Whatever is read inside is as it was at one moment; what is recorded and sealed meanwhile is left out.

    Where a transaction is open already, it is that one's isolation that counts.
    """
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def verify() -> Verification:
    """Recompute the whole chain from the events in a snapshot."""
    with snapshot():
        return _verify()


def _verify() -> Verification:
    sealed, digest = 0, GENESIS
    for link in AuditSeal.objects.select_related("event").order_by("number").iterator(chunk_size=2000):
        digest = chained_digest(digest, _content(link.event))
        if link.digest != digest or link.number != sealed + 1:
            return Verification(sealed, 0, link.event_id)
        sealed += 1
    # A seal without its event does not show up above: the join leaves it out.
    if orphan := AuditSeal.objects.filter(number__gt=sealed).order_by("number").first():
        return Verification(sealed, 0, orphan.event_id)
    # Nor does an event that lost its seal, or never waited for one.
    unsealed = AuditEvent.objects.filter(seal__isnull=True)
    if forgotten := unsealed.filter(unsealed__isnull=True).order_by("id").first():
        return Verification(sealed, 0, forgotten.pk)
    return Verification(sealed, unsealed.count(), None)
