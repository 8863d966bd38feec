"""Settles from an invoice what a run assumes at worst: `manage.py settle_run RUN --billed DOLLARS`."""

from decimal import Decimal

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.platform.core.errors import Refused
from generation.calls.models import GenerationRun
from generation.calls.services.settling import settle_assumed
from generation.management.model_runs import costs, dollars


class Command(BaseCommand):
    help = (
        "Put what a provider has billed for requests whose replies never came in the place of their worst case. "
        "Of a run that scores a file; a study's are settled on the run's page, by its coordinator."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("run", type=int, help="its number")
        parser.add_argument("--billed", type=dollars, required=True, metavar="DOLLARS", help="0 if nothing was")

    def handle(self, *, run: int, billed: Decimal, **_options: object) -> None:
        found = GenerationRun.objects.filter(pk=run, study=None).first()
        if found is None:
            raise CommandError(f"No run {run} scores a file.")
        try:
            settle_assumed(run=found, billed=billed, by=None)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        found.refresh_from_db()
        self.stdout.write(f"Run {run}: {costs(found)}.")
