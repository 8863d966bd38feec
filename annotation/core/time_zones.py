"""The time zones people can choose from."""

import zoneinfo
from functools import lru_cache

_REGIONS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")

Choices = list[tuple[str, str | list[tuple[str, str]]]]


@lru_cache(maxsize=1)
def grouped_time_zones() -> Choices:
    """UTC, then the zones that are named after places, by region: what a grouped select wants."""
    names = sorted(zoneinfo.available_timezones())
    choices: Choices = [("UTC", "UTC")]
    for region in _REGIONS:
        places = [name for name in names if name.startswith(f"{region}/")]
        choices.append((region, [(name, _place(name)) for name in places]))
    return choices


def _place(name: str) -> str:
    """`America/Argentina/Buenos_Aires` is shown as `Argentina, Buenos Aires`."""
    return ", ".join(name.split("/")[1:]).replace("_", " ")
