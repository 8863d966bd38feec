"""Loads the demonstration: people and four studies."""

import time
from collections.abc import Callable

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotation.platform.services import audit
from annotation.study.models.studies import Study
from scrub_site.demo import cast
from scrub_site.demo.designed import load_designed
from scrub_site.demo.finished import load_finished
from scrub_site.demo.live import load_judging, load_pilot

STUDIES: dict[str, Callable[[], Study]] = {
    "next": load_designed,
    "pilot": load_pilot,
    "live": load_judging,
    "finished": load_finished,
}


class Command(BaseCommand):
    help = "Load the demonstration studies that are not there yet. Only in demo mode."
    requires_system_checks: list[str] = []

    def handle(self, **_options: object) -> None:
        if not settings.DEMO_MODE:
            raise CommandError("The demonstration loads only with DEMO_MODE=1.")
        cast.person(cast.ADMINISTRATOR, is_staff=True)
        for slug, load in STUDIES.items():
            if Study.objects.filter(slug=slug).exists():
                continue
            started = time.monotonic()
            with transaction.atomic():
                study = load()
            self.stdout.write(f"Loaded “{study.title}” in {time.monotonic() - started:.1f} s.")
        while audit.seal():
            pass
