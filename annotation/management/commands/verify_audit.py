"""Recomputes the audit trail's chain of seals: `manage.py verify_audit [--head NUMBER:DIGEST@TIME …]`."""

import re
from argparse import ArgumentTypeError
from collections.abc import Collection, Sequence
from datetime import datetime

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.platform.models.audit import AuditEvent, AuditSeal
from annotation.platform.services import audit
from annotation.platform.services.audit import Head

_HEAD = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})(?:@([0-9T:.-]{19,26}Z))?")


def head(text: str) -> Head:
    """A seal as the command prints it: its number and its digest, with or without its time."""
    found = _HEAD.fullmatch(text.strip())
    if not found:
        raise ArgumentTypeError("a head looks like 1200:9f86d08188…@2026-03-01T…Z, just as it was printed")
    try:
        sealed_at = datetime.fromisoformat(found[3]) if found[3] else None
    except ValueError:
        raise ArgumentTypeError(f"there is no such time as {found[3]}") from None
    return Head(int(found[1]), found[2], sealed_at)


class Command(BaseCommand):
    help = (
        "Recompute the chain of seals over all audit events. Ends with an error that names the first event that "
        "does not fit. The chain alone cannot show that its end was cut off: note the head that is printed, and "
        "give it to a later run."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--head",
            type=head,
            action="extend",
            nargs="+",
            default=[],
            metavar="NUMBER:DIGEST@TIME",
            help="heads that were noted: printed by an earlier run, or on a receipt or in a release",
        )

    def handle(self, *, head: list[Head], **_options: object) -> None:
        with audit.snapshot():
            self._verify(head)

    def _verify(self, noted: Sequence[Head]) -> None:
        found = audit.verify()
        if found.broken_event is not None:
            raise CommandError(_broken(found.broken_event, intact=found.sealed))
        self._tell_lost(*_lost(noted))
        self.stdout.write(self.style.SUCCESS(f"The chain is intact. Sealed events: {found.sealed:,}."))
        if found.unsealed:
            self.stdout.write(
                f"Newer events without a seal: {found.unsealed:,}. The loop seals them within a second."
            )
        if last := audit.head():
            self.stdout.write(f"Head: {last}")

    def _tell_lost(self, lost: Collection[Head], retimed: Collection[Head]) -> None:
        """Say which restore took which of these; raises `CommandError` where none of them explains one."""
        restores = audit.restores()
        unexplained = [each for each in lost if not any(restore.explains(each) for restore in restores)]
        alarming = [*unexplained, *retimed]
        if alarming:
            raise CommandError(
                f"Not what it was when its head was noted, or gone: seal {_numbers(alarming)}. The trail was cut "
                "off, sealed anew, or restored from before, and no restore was noted that explains it."
            )
        for restore in restores:
            gone = [each for each in lost if restore.explains(each)]
            self.stdout.write(
                self.style.WARNING(
                    f"Restored at {restore.at:%Y-%m-%d %H:%M:%S} UTC from a backup of "
                    f"{restore.taken_at:%Y-%m-%d %H:%M:%S} UTC: {restore.reason} What was recorded in between is "
                    f"gone{f', and with it seal {_numbers(gone)}' if gone else ''}."
                )
            )


def _lost(heads: Sequence[Head]) -> tuple[list[Head], list[Head]]:
    """Those that are gone or have another digest, and those that are there and have another time; each once."""
    seals = AuditSeal.objects.filter(number__in=[each.number for each in heads])
    kept = {number: (digest, at) for number, digest, at in seals.values_list("number", "digest", "sealed_at")}
    lost, retimed = [], []
    for each in dict.fromkeys(heads):
        digest, sealed_at = kept.get(each.number, ("", None))
        if each.digest != digest:
            lost.append(each)
        elif each.sealed_at not in (None, sealed_at):
            retimed.append(each)
    return lost, retimed


def _numbers(heads: Collection[Head]) -> str:
    return ", ".join(str(number) for number in sorted({each.number for each in heads}))


def _broken(event_id: int, *, intact: int) -> str:
    event = AuditEvent.objects.filter(pk=event_id).first()
    what = f"{event.at:%Y-%m-%d %H:%M:%S} UTC, {event.verb} {event.subject}" if event else "which is gone"
    return (
        f"The chain breaks at event {event_id} ({what}): it was changed, it lost its seal, or one before it is "
        f"missing. Sealed before it and intact: {intact:,}."
    )
