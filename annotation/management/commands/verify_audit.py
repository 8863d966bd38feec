"""Recomputes the audit trail's chain of seals: `manage.py verify_audit [--head NUMBER:DIGEST …]`."""

import re
from argparse import ArgumentTypeError

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.platform.models.audit import AuditEvent, AuditSeal
from annotation.platform.services import audit

_HEAD = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})")


def head(text: str) -> tuple[int, str]:
    """A seal as the command prints it: its number and its digest."""
    found = _HEAD.fullmatch(text.strip())
    if not found:
        raise ArgumentTypeError("a head looks like 1200:9f86d08188…, with all 64 digits as they were printed")
    return int(found[1]), found[2]


class Command(BaseCommand):
    help = (
        "Recompute the chain of seals over all audit events. Ends with an error that names the first event that "
        "does not fit. The chain alone cannot show that its end was cut off: note the head that is printed, and "
        "give it to a later run."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--head",
            type=head,
            action="extend",
            nargs="+",
            default=[],
            metavar="NUMBER:DIGEST",
            help="heads that were noted: printed by an earlier run, or on a receipt or in a release",
        )

    def handle(self, *, head: list[tuple[int, str]], **_options: object) -> None:
        found = audit.verify()
        if found.broken_event is not None:
            raise CommandError(_broken(found.broken_event, intact=found.sealed))
        numbers = [number for number, _ in head]
        kept = dict(AuditSeal.objects.filter(number__in=numbers).values_list("number", "digest"))
        if lost := [str(number) for number, digest in head if kept.get(number) != digest]:
            raise CommandError(
                f"Not what it was when its digest was noted, or gone: seal {', '.join(lost)}. The trail was cut "
                "off, sealed anew, or restored from before."
            )
        self.stdout.write(self.style.SUCCESS(f"The chain is intact. Sealed events: {found.sealed:,}."))
        if found.unsealed:
            self.stdout.write(
                f"Newer events without a seal: {found.unsealed:,}. The loop seals them within a second."
            )
        if last := audit.head():
            self.stdout.write(f"Head: {last}")


def _broken(event_id: int, *, intact: int) -> str:
    event = AuditEvent.objects.filter(pk=event_id).first()
    what = f"{event.at:%Y-%m-%d %H:%M:%S} UTC, {event.verb} {event.subject}" if event else "which is gone"
    return (
        f"The chain breaks at event {event_id} ({what}): it was changed, it lost its seal, or one before it is "
        f"missing. Sealed before it and intact: {intact:,}."
    )
