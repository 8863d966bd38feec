"""The time zones people can choose from."""

from functools import lru_cache
from importlib import resources

Choices = list[tuple[str, str | list[tuple[str, str]]]]


@lru_cache(maxsize=1)
def grouped_time_zones() -> Choices:
    """UTC, then the zones that are named after places, by region: what a grouped select wants.

    The names are those of the time zone database's table of places, which leaves out earlier spellings and
    aliases.
    """
    regions: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(_zones()):
        regions.setdefault(name.split("/")[0], []).append((name, _label(name)))
    return [("UTC", "UTC"), *regions.items()]


def _zones() -> list[str]:
    table = resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text(encoding="utf-8")
    return [line.split("\t")[2] for line in table.splitlines() if not line.startswith("#")]


def _label(name: str) -> str:
    """`America/Argentina/Buenos_Aires` is shown as `Argentina, Buenos Aires`."""
    return ", ".join(name.split("/")[1:]).replace("_", " ")
