from django.apps import AppConfig, apps
from django.core import checks
from django.db.models.signals import post_migrate
from django.utils.module_loading import import_string

from scrub_site.database.migration_check import check_database


class ScrubSiteConfig(AppConfig):
    name = "scrub_site"
    verbose_name = "SCRuB Studio"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        checks.register(check_database, checks.Tags.database)
        post_migrate.connect(
            import_string("scrub_site.updates.after_update"), sender=apps.get_app_config("annotation")
        )
