"""Our stylesheets: what one of them defines, another uses."""

import re

from tests.folders import PROJECT

STYLESHEETS = sorted((PROJECT / "static").rglob("*.css"))
# Whatever else could ask for a custom property by its name.
OTHERS = [
    path
    for folder, endings in (("static", {".js", ".svg"}), ("templates", {".html", ".svg"}))
    for path in (PROJECT / folder).rglob("*")
    if path.suffix in endings
]
RULES = "\n".join(
    re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL) for path in STYLESHEETS
)
DEFINED = set(re.findall(r"(?<![\w-])(--[\w-]+)\s*:", RULES))
USED = set(re.findall(r"\bvar\(\s*(--[\w-]+)", RULES))


def test_there_is_something_to_check() -> None:
    assert len(STYLESHEETS) > 10
    assert len(OTHERS) > 100
    assert len(DEFINED) > 50
    assert len(USED) > 50


def test_every_custom_property_is_used() -> None:
    others = "\n".join(path.read_text(encoding="utf-8") for path in OTHERS)
    assert {name for name in DEFINED - USED if not re.search(rf"{name}(?![\w-])", others)} == set()


def test_every_custom_property_that_is_used_is_defined() -> None:
    assert USED <= DEFINED
