"""Records that the database was restored: `manage.py note_restore --taken-at TIME --reason WORDS`."""

from argparse import ArgumentTypeError
from datetime import UTC, datetime

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import is_naive

from annotation.platform.core.errors import Refused
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now


def moment(text: str) -> datetime:
    """A time of a day with its offset from UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError("a time looks like 2026-03-01T04:00:00Z") from None
    if is_naive(found):
        raise ArgumentTypeError("say the offset from UTC too: 2026-03-01T04:00:00Z, or +01:00 in place of the Z")
    try:
        return found.astimezone(UTC)
    except OverflowError:
        raise ArgumentTypeError("this time is in no year") from None


class Command(BaseCommand):
    help = (
        "Record in the audit trail that the database was restored from a backup. What was recorded after it "
        "is gone; verify_audit then tells heads that went with it from a trail that was cut off."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--taken-at", type=moment, required=True, metavar="TIME", help="when the backup was taken, in ISO 8601"
        )
        parser.add_argument("--reason", required=True, metavar="WORDS", help="why it was restored")

    def handle(self, *, taken_at: datetime, reason: str, **_options: object) -> None:
        if taken_at > database_now():
            raise CommandError("A backup is from the past: this time is yet to come.")
        try:
            audit.note_restore(taken_at=taken_at, reason=reason)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        audit.seal()
        self.stdout.write(self.style.SUCCESS(f"Noted and sealed. Head: {audit.head()}"))
