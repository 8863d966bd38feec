"""Everything a demonstration needs before its servers start, in one process."""

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from scrub_site.updates import require_database


class Command(BaseCommand):
    help = "Migrate, create the cache table, collect static files, load the demonstration."
    requires_system_checks: list[str] = []

    def handle(self, **_options: object) -> None:
        require_database()  # one command run by another checks nothing
        call_command("migrate", interactive=False, verbosity=0)
        call_command("createcachetable", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        call_command("load_demo", stdout=self.stdout)
        self.stdout.write(f"Sign in as one of the demo people: {settings.SITE_URL}/demo/people/")
