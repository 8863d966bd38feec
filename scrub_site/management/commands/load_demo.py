"""Loads the demonstration: people and six studies."""

import time
from argparse import ArgumentParser
from collections.abc import Callable, Collection

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotation.platform.services import audit
from annotation.study.models.studies import Study
from annotation.study.services.studies import STANDARD_RUBRIC, freeze_rubric
from scrub_site.demo import cast
from scrub_site.demo.audit import load_audit
from scrub_site.demo.designed import load_designed
from scrub_site.demo.finished import load_finished
from scrub_site.demo.live import load_judging, load_pilot
from scrub_site.demo.trials import load_trials

STUDIES: dict[str, Callable[[], Study]] = {
    "next": load_designed,
    "pilot": load_pilot,
    "live": load_judging,
    "trials": load_trials,
    "audit": load_audit,
    "finished": load_finished,
}


def load_common() -> None:
    """What several studies have. It must be there before two processes load studies at the same time."""
    cast.person(cast.ADMINISTRATOR, is_staff=True)
    for name in (cast.COORDINATOR, *cast.RESEARCHERS):
        cast.person(name)
    freeze_rubric(STANDARD_RUBRIC.read_text())


class Command(BaseCommand):
    help = "Load the demonstration studies that are not there yet. Only in demo mode."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("studies", nargs="*", metavar="study", help=f"{', '.join(STUDIES)}; all by default")

    def handle(self, *, studies: Collection[str], **_options: object) -> None:
        if not settings.DEMO_MODE:
            raise CommandError("The demonstration loads only with DEMO_MODE=1.")
        if unknown := set(studies) - STUDIES.keys():
            raise CommandError(f"The demonstration has no study {min(unknown)!r}, but {', '.join(STUDIES)}.")
        load_common()
        for slug, load in STUDIES.items():
            if (studies and slug not in studies) or Study.objects.filter(slug=slug).exists():
                continue
            started = time.monotonic()
            with transaction.atomic():
                study = load()
                cast.mails_were_read(study)
            self.stdout.write(f"Loaded “{study.title}” in {time.monotonic() - started:.1f} s.")
        while audit.seal():
            pass
