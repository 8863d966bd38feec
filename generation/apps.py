from django.apps import AppConfig


class GenerationConfig(AppConfig):
    name = "generation"
    verbose_name = "Sources, prompts and model answers"
    default_auto_field = "django.db.models.BigAutoField"
