from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "People, studies, writing and judging"
    default_auto_field = "django.db.models.BigAutoField"
