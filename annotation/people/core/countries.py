"""The countries people can choose from: those of ISO 3166-1, by the names that English has for them."""

from functools import lru_cache
from importlib import resources
from typing import Final

# The time zone database's table of the standard shortens names; here they stand in full.
_IN_FULL: Final = {
    "AS": "American Samoa",
    "BL": "Saint Barthélemy",
    "BQ": "Caribbean Netherlands",
    "CD": "Democratic Republic of the Congo",
    "CF": "Central African Republic",
    "CG": "Republic of the Congo",
    "GB": "United Kingdom",
    "KN": "Saint Kitts and Nevis",
    "KP": "North Korea",
    "KR": "South Korea",
    "LC": "Saint Lucia",
    "MF": "Saint Martin",
    "MM": "Myanmar",
    "PM": "Saint Pierre and Miquelon",
    "SH": "Saint Helena",
    "ST": "São Tomé and Príncipe",
    "SX": "Sint Maarten",
    "SZ": "Eswatini",
    "TC": "Turks and Caicos Islands",
    "TF": "French Southern Territories",
    "TL": "Timor-Leste",
    "TR": "Türkiye",
    "UM": "United States Minor Outlying Islands",
    "VC": "Saint Vincent and the Grenadines",
    "VG": "British Virgin Islands",
    "VI": "United States Virgin Islands",
    "WS": "Samoa",
}


@lru_cache(maxsize=1)
def countries() -> tuple[str, ...]:
    """Names of countries, in the order of the alphabet; letters with marks stand beside those without."""
    table = resources.files("tzdata").joinpath("zoneinfo", "iso3166.tab").read_text(encoding="utf-8")
    listed = dict(line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    names = {code: _IN_FULL.get(code, name).replace(" & ", " and ") for code, name in listed.items()}
    return tuple(sorted(names.values(), key=_sorted_as))


def _sorted_as(name: str) -> str:
    return name.translate(str.maketrans("Åéçôãíü", "Aecoaiu")).casefold()
