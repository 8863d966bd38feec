from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, register

from generation.demo.providers import DemoProvider
from generation.providers import add_wire, provider
from generation.providers.catalogue import catalogue

PROVIDERS: Final = "providers"  # the tag of the check that commands ask for which call models


class GenerationConfig(AppConfig):
    name = "generation"
    verbose_name = "Sources, prompts and model answers"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell the lower subjects what the upper ones have for them; purposes need models, which are there now."""
        add_wire("demo", DemoProvider)
        import_module("generation.purposes")


@register(PROVIDERS)
def check_providers(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001
    """A fault in the operator's own file shows at start, not with the first run."""
    try:
        for name in catalogue().endpoints:
            provider(name)
    except (ValueError, OSError) as fault:
        return [Error(str(fault), hint="Correct the file that PROVIDERS_FILE names.", id="generation.E001")]
    return []
