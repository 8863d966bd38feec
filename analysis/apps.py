from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    name = "analysis"
    verbose_name = "Unblinding, statistics and releases"
    default_auto_field = "django.db.models.BigAutoField"
