"""What the documentation says of packages and their order is what import-linter's contracts hold them to."""

import re
import tomllib

import pytest

from tests.folders import PROJECT

TOOLS = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]


def layers(app: str) -> list[set[str]]:
    """An app's packages from top to bottom; those that may not know each other stand together."""
    [contract] = [each for each in TOOLS["importlinter"]["contracts"] if each.get("containers") == [app]]
    found = [set(re.findall(r"\w+", layer)) for layer in contract["layers"]]
    return [layer for layer in found if "apps" not in layer]


def names_in(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


@pytest.mark.parametrize("app", ["analysis", "generation", "annotation"])
def test_the_house_has_every_package_in_the_order_of_the_contract(app: str) -> None:
    page = (PROJECT / "docs/explanation/architecture.md").read_text(encoding="utf-8")
    [chapter] = re.findall(rf"^### `{app}`.*?\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL)
    rows = [set(names_in(cell)) for cell in re.findall(r"^\| (`[^|]*) \|", chapter, re.MULTILINE)]
    assert rows == layers(app)


@pytest.mark.parametrize("app", ["analysis", "generation", "annotation"])
def test_the_first_page_names_every_package_after_those_that_it_may_import(app: str) -> None:
    page = (PROJECT / "README.md").read_text(encoding="utf-8")
    [cell] = re.findall(rf"^\| `{app}/` \| (.*) \|$", page, re.MULTILINE)
    named = names_in(cell)
    for layer in reversed(layers(app)):
        assert set(named[: len(layer)]) == layer
        del named[: len(layer)]
    assert not named
