"""Lets mail and calls out again after a pause: `manage.py resume --reason WORDS [--drop-mail]`."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.work_kinds import MAIL
from annotation.platform.services import pauses, work
from scrub_site.database.after_restore import BY_RESTORE
from scrub_site.jobs import KINDS_BY_QUEUE


class Command(BaseCommand):
    help = "Let mail and calls to models out again, which a restore has paused. Their runs go on by themselves."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reason", required=True, metavar="WORDS", help="who looked, and at what")
        parser.add_argument(
            "--drop-mail", action="store_true", help="do not send what was due before the pause began"
        )

    @transaction.atomic
    def handle(self, *, reason: str, drop_mail: bool, **_options: object) -> None:
        pause = pauses.current()
        if pause and BY_RESTORE in pause.reason and not pause.has_noted_restore:
            raise CommandError(
                f"Still paused. The restore is not on record yet ({pause.reason}): run after_restore first, which "
                "also lists what may have been sent or paid for already."
            )
        dropped = 0
        if pause and drop_mail:
            dropped = work.drop(kinds=KINDS_BY_QUEUE[MAIL], due_until=pause.began_at)
            reason = f"{reason} Mails dropped: {dropped}."
        try:
            pauses.resume(reason=reason, by=None)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(self.style.SUCCESS(f"Mail and calls go out again. Mails dropped: {dropped}."))
