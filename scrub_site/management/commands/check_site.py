"""Says what is wrong with the site as it runs: `manage.py check_site [--mail-to ADDRESS]`."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scrub_site.watching.site_check import faults


class Command(BaseCommand):
    help = "Say what is wrong with the proxy, mail, clock, workers and loop of the site that runs, and what to do."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--mail-to", default="", metavar="ADDRESS", help="send a mail there, too")

    def handle(self, *, mail_to: str, **_options: object) -> None:
        found = list(faults(mail_to=mail_to))
        for fault in found:
            self.stderr.write(f"- {fault}")
        if found:
            raise CommandError(f"{len(found)} found.")
        self.stdout.write("The proxy, mail, clock, workers and loop are as they should be.")
