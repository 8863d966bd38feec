from django.apps import AppConfig


class ScrubSiteConfig(AppConfig):
    name = "scrub_site"
    verbose_name = "SCRuB Studio"
    default_auto_field = "django.db.models.BigAutoField"
