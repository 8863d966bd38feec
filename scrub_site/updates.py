"""What an update leaves to be done once the database has the new version's tables."""

from collections.abc import Sequence

from django.db.migrations import AddField, Migration

from annotation.design.services.protocol import keep_fingerprints_of_an_update
from scrub_site.database.migration_check import missing


def after_update(*, plan: Sequence[tuple[Migration, bool]], **_: object) -> None:
    """Runs after each `migrate`; `plan` has the migrations that it applied, and whether it took them back.

    One that ends at an earlier migration leaves tables that this version cannot read.
    """
    applied = (migration for migration, is_backwards in plan if not is_backwards)
    operations = (operation for migration in applied for operation in migration.operations)
    fields = (operation for operation in operations if isinstance(operation, AddField))
    added = {field.name for field in fields if field.model_name_lower == "study"}
    if added and not missing():
        keep_fingerprints_of_an_update(added)
