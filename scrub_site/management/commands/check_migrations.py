"""Says what the next migrations mean for those who work meanwhile: `manage.py check_migrations`."""

from django.core.management.base import BaseCommand, CommandError

from annotation.platform.core.phrases import counted
from scrub_site.database.migration_locks import concerns, pending, rows_by_table


class Command(BaseCommand):
    help = (
        "Name those of the migrations to come that lock a large table, that the version before could not run "
        "beside, or that are written by hand. Changes nothing; ends with 1 where there is one."
    )
    requires_system_checks: list[str] = []

    def handle(self, **_options: object) -> None:
        migrations = pending()
        found = list(concerns(migrations, rows_by_table()))
        for line in found:
            self.stdout.write(f"- {line}")
        if found:
            raise CommandError(f"{counted(len(found), 'step')} of {len(migrations)} migrations to look at.")
        self.stdout.write(f"{counted(len(migrations), 'migration')} to come, none of which makes anybody wait.")
