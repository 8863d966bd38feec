"""Everything a demonstration needs before its servers start."""

from multiprocessing import get_context

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from scrub_site.management.commands.load_demo import STUDIES, load_common

LARGE = "finished"  # loading it takes most of the time


class Command(BaseCommand):
    help = "Prepare the database, collect static files, load the demonstration."
    requires_system_checks: list[str] = []

    def handle(self, **_options: object) -> None:
        call_command("prepare_database", verbosity=0)
        load_common()
        connections.close_all()  # what is open at the fork would belong to both processes
        beside = get_context("fork").Process(target=call_command, args=("load_demo", LARGE))
        beside.start()
        call_command("collectstatic", interactive=False, verbosity=0)
        call_command("load_demo", *(slug for slug in STUDIES if slug != LARGE))
        beside.join()
        if beside.exitcode:
            raise CommandError(f"The study {LARGE!r} could not be loaded.")
        self.stdout.write(f"Sign in as one of the demo people: {settings.SITE_URL}/demo/people/")
