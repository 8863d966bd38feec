"""Takes a person's name out of the site: `manage.py erase_person EMAIL --reason WORDS`."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.coordination.services.erasing import erase
from annotation.management.commands.export_person import person
from annotation.platform.core.errors import Refused


class Command(BaseCommand):
    help = (
        "Erase who somebody is: name, addresses, password, sessions, mails, and profiles of studies that are still "
        "open. What they wrote and judged stays under their pseudonym. This cannot be undone."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email", help="the address of their account")
        parser.add_argument("--reason", required=True, metavar="WORDS", help="such as: their request of 1 March")

    def handle(self, *, email: str, reason: str, **_options: object) -> None:
        user = person(email)
        try:
            erase(user=user, reason=reason, by=None)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            self.style.SUCCESS(
                f"Erased: account {user.pk}. Note that number: after a restore from an older backup it has to be "
                "done again. Backups forget the name when the last one with it is removed."
            )
        )
