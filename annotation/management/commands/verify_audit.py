"""Recomputes the audit trail's chain of seals: `manage.py verify_audit [--head NUMBER:DIGEST]`."""

from argparse import ArgumentTypeError

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.platform.models.audit import AuditEvent, AuditSeal
from annotation.platform.services import audit


def head(text: str) -> tuple[int, str]:
    """A seal as the command prints it: its number and its digest."""
    number, _, digest = text.partition(":")
    if not number.isdecimal() or not digest:
        raise ArgumentTypeError("a head looks like 1200:9f86d08188…, as an earlier run printed it")
    return int(number), digest


class Command(BaseCommand):
    help = (
        "Recompute the chain of seals over all audit events. Ends with an error that names the first event that "
        "does not fit. The chain alone cannot show that its end was cut off: note the head that is printed, and "
        "give it to a later run."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--head", type=head, metavar="NUMBER:DIGEST", help="a head that was printed before")

    def handle(self, *, head: tuple[int, str] | None, **_options: object) -> None:
        found = audit.verify()
        if found.broken_event is not None:
            raise CommandError(_broken(found.broken_event, intact=found.sealed))
        if head and not AuditSeal.objects.filter(number=head[0], digest=head[1]).exists():
            raise CommandError(f"Seal {head[0]} is not what it was when its digest was noted, or is gone.")
        self.stdout.write(self.style.SUCCESS(f"The chain is intact. Sealed events: {found.sealed:,}."))
        if found.unsealed:
            self.stdout.write(
                f"Newer events without a seal: {found.unsealed:,}. The loop seals them within a second."
            )
        if last := AuditSeal.objects.order_by("-number").first():
            self.stdout.write(f"Head: {last.number}:{last.digest}")


def _broken(event_id: int, *, intact: int) -> str:
    event = AuditEvent.objects.filter(pk=event_id).first()
    what = f"{event.at:%Y-%m-%d %H:%M:%S} UTC, {event.verb} {event.subject}" if event else "which is gone"
    return (
        f"The chain breaks at event {event_id} ({what}): it was changed, it lost its seal, or one before it is "
        f"missing. Sealed before it and intact: {intact:,}."
    )
