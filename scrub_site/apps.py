from django.apps import AppConfig
from django.core import checks

from scrub_site.database.migration_check import check_database


class ScrubSiteConfig(AppConfig):
    name = "scrub_site"
    verbose_name = "SCRuB Studio"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        checks.register(check_database, checks.Tags.database)
