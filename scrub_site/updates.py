"""What an update leaves to be done once the database has the new version's tables."""

from annotation.design.services.protocol import keep_fingerprints_of_an_update
from scrub_site.database.migration_check import missing


def after_update(**_: object) -> None:
    """After each `migrate`. One that ends at an earlier migration leaves tables that this version cannot read."""
    if not missing():
        keep_fingerprints_of_an_update()
