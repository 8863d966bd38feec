"""Puts this release's static files beside those of earlier ones: `manage.py keep_static`."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from scrub_site.static_files.other_releases import keep


class Command(BaseCommand):
    help = (
        "Put this release's hashed static files into KEPT_STATIC_ROOT, beside those of earlier releases, which "
        "open rooms still ask for. What no release has had for 30 days is removed."
    )
    requires_system_checks = []

    def handle(self, **_options: object) -> None:
        if not settings.KEPT_STATIC_ROOT:
            raise CommandError("Set KEPT_STATIC_ROOT to the folder that they are kept in.")
        added, removed = keep(settings.STATIC_ROOT, Path(settings.KEPT_STATIC_ROOT))
        self.stdout.write(f"Static files kept: {added} more, {removed} removed.")
