"""The catalogue of this site: what is shipped, and the operator's file where there is one."""

from functools import cache
from pathlib import Path

from django.conf import settings

from annotation.platform.core.errors import Refused
from generation.providers.core.catalogue import Catalogue, Endpoint, KnownModel, read_catalogue

_FOLDER = Path(__file__).resolve().parent / "data"
SHIPPED = (_FOLDER / "providers.toml", _FOLDER / "models.toml")


def catalogue() -> Catalogue:
    """What this site knows, read once. Raises `ValueError` or `OSError` where the operator's file is amiss."""
    return _read(settings.PROVIDERS_FILE)


def endpoint(provider: str) -> Endpoint:
    """The provider of this name. Raises `Refused` where the site knows it no more."""
    try:
        return catalogue().endpoints[provider]
    except KeyError:
        raise Refused(f"The site knows the provider {provider} no more. Ask whoever runs it.") from None


def known_model(provider: str, model_id: str) -> KnownModel | None:
    """What the catalogue says of a model."""
    return catalogue().model(provider, model_id)


@cache
def _read(own: str) -> Catalogue:
    files = [*SHIPPED, Path(own)] if own else SHIPPED
    return read_catalogue([file.read_text(encoding="utf-8") for file in files])
