"""What is done once a database was restored: `manage.py after_restore --taken-at TIME --reason WORDS`."""

import re
from datetime import datetime
from typing import Final

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.management.commands.note_restore import moment
from annotation.platform.core.errors import Refused
from annotation.platform.services import pauses
from annotation.texts.models.seeds import StudySeed
from scrub_site.database.after_restore import BY_RESTORE, may_have_left

SHOWN: Final = 5  # lines of what a command found wrong


class Command(BaseCommand):
    help = (
        "Pause mail and calls, record the break in the audit trail, list what may have been sent or paid for since "
        "the backup, and verify the blinding of every study and the audit trail. Ends with 1 where one of them "
        "does not hold. `resume` lets mail and calls out again."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--taken-at", type=moment, required=True, metavar="TIME", help="when the backup was taken, in ISO 8601"
        )
        parser.add_argument("--reason", required=True, metavar="WORDS", help="why it was restored")

    def handle(self, *, taken_at: datetime, reason: str, **_options: object) -> None:
        pause = pauses.current()
        written = re.search(rf"{BY_RESTORE}(\S+Z)", pause.reason) if pause else None
        if written and moment(written[1]) != taken_at:
            raise CommandError(
                f"The backup that was restored is of {written[1]}: say --taken-at {written[1]}. Nothing was noted."
            )
        try:
            pauses.pause(reason=f"{BY_RESTORE}{taken_at:%Y-%m-%d %H:%M:%S} UTC.", by=None)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        call_command("note_restore", taken_at=taken_at, reason=reason, stdout=self.stdout)
        self._list(taken_at)
        failed = [*self._verify_studies(), *self._verify("verify_audit")]
        if failed:
            raise CommandError("\n".join(("Not as it should be, so mail and calls stay paused:", *failed)))
        self.stdout.write(
            "Mail and calls are paused. Once you have looked at what may have left already: "
            'manage.py resume --reason "…" [--drop-mail]'
        )

    def _list(self, taken_at: datetime) -> None:
        found = list(may_have_left(taken_at=taken_at))
        self.stdout.write(
            "May have been sent or paid for since the backup:" if found else "Nothing was open at the backup."
        )
        for line in found:
            self.stdout.write(f"- {line}")

    def _verify_studies(self) -> list[str]:
        slugs = StudySeed.objects.order_by("study_id").values_list("study__slug", flat=True)
        return [fault for slug in slugs for fault in self._verify("verify_blinding", slug)]

    def _verify(self, command: str, *arguments: str) -> list[str]:
        self.stdout.write(f"{command} {' '.join(arguments)}".strip())
        try:
            call_command(command, *arguments, stdout=self.stdout)
        except CommandError as error:
            return [shortened(" ".join((command, *arguments)), str(error))]
        return []


def shortened(command: str, said: str) -> str:
    """What a command found wrong, a line each, and no more of them than are read."""
    lines = said.splitlines()
    told = [f"- {line}" for line in lines[:SHOWN]]
    if len(lines) > SHOWN:
        told.append(f"- and {len(lines) - SHOWN} more: `manage.py {command}` names all")
    return "\n".join((f"{command}:", *told))
