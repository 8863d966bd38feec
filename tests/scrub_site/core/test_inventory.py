"""Comparing two inventories tells what moved from what changed."""

from pathlib import Path

import pytest

from scripts.inventory import imports, static_files
from scripts.inventory.folders import NothingFoundError, same_lines, write_lines
from scripts.inventory.html import addresses_in, assets_in, normalised
from scripts.inventory.renames import Renames

MOVED = Renames(
    {"shop.views.orders": ("shop.orders.views",), "shop.people": ("shop.users", "shop.guests")},
    {"static/js/basket.js": "static/orders/basket.js"},
)


def test_what_is_in_a_module_that_moved_has_its_new_name() -> None:
    assert MOVED.text("a shop.views.orders.show b") == "a shop.orders.views.show b"
    assert (
        MOVED.text("tests/shop/views/orders.py::shop.views.other") == "tests/shop/views/orders.py::shop.views.other"
    )
    assert (
        MOVED.text("shop/views/orders.py static/js/basket.js 1f")
        == "shop/orders/views.py static/orders/basket.js 1f"
    )


def test_a_long_parameter_of_a_test_is_read_at_once() -> None:
    assert MOVED.text("a" * 1_000_000 + ".") == "a" * 1_000_000 + "."


def test_what_came_and_what_went_is_listed_as_often_as_it_did(tmp_path: Path) -> None:
    before, after = tmp_path / "before" / "x", tmp_path / "after" / "x"
    write_lines(before / "x.txt", ["shop.views.orders", "kept", "twice", "twice"])
    write_lines(after / "x.txt", ["shop.orders.views", "kept", "twice", "new"])
    assert list(same_lines(before, after, MOVED)) == ["x.txt: + new", "x.txt: - twice"]


def test_finding_nothing_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(NothingFoundError):
        write_lines(tmp_path / "x.txt", [])


def test_a_split_module_is_compared_with_its_parts_together(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    write_lines(before / "imports.txt", ["scrub_site.jobs -> django.db", "scrub_site.urls -> scrub_site.jobs"])
    renames = Renames({"scrub_site.jobs": ("scrub_site.beats", "scrub_site.probe")})
    parts = [
        "scrub_site.beats -> django.db",
        "scrub_site.probe -> scrub_site.beats",
        "scrub_site.urls -> scrub_site.probe",
    ]
    write_lines(after / "imports.txt", parts)
    assert list(imports.compare(before, after, renames)) == []
    write_lines(after / "imports.txt", [*parts, "scrub_site.probe -> django.http"])
    assert list(imports.compare(before, after, renames)) == ["+ scrub_site.beats -> django.http"]


def test_rules_of_a_style_sheet_keep_their_order_when_it_is_put_behind_another(tmp_path: Path) -> None:
    folders = tmp_path / "before", tmp_path / "after"
    for folder in folders:
        for name in ("files", "imports"):
            write_lines(folder / f"{name}.txt", ["the same"])
    write_lines(folders[0] / "rules" / "a.css.txt", ["0000 a {}", "0001 b {}"])
    write_lines(folders[0] / "rules" / "b.css.txt", ["0000 c {}"])
    renames = Renames(paths={"static/a.css": "static/all.css", "static/b.css": "static/all.css"})
    write_lines(folders[1] / "rules" / "all.css.txt", ["0000 a {}", "0001 c {}", "0002 b {}"])
    assert list(static_files.compare(*folders, renames)) == []
    write_lines(folders[1] / "rules" / "all.css.txt", ["0000 b {}", "0001 c {}", "0002 a {}"])
    (found,) = static_files.compare(*folders, renames)
    assert found == "rules: static/all.css does not hold the rules of static/a.css in their order"


PAGE = """
<link rel="stylesheet" href="/static/css/base.css">
<script type="module" src="/static/js/site.js"></script>
<a href="studies/?page=2">On</a>
<form action="/out/"><input type="hidden" name="csrfmiddlewaretoken" value="{}"></form>
<main data-url="/state/">static/ is a word here</main>
"""


def test_of_a_page_everything_counts_but_tokens_and_what_loads_files() -> None:
    page = PAGE.format("x" * 64)
    assert normalised(page) == normalised(PAGE.format("y" * 64))
    assert "/static/" not in normalised(page)
    assert "static/ is a word here" in normalised(page)
    assert list(assets_in(page)) == ["/static/css/base.css", "/static/js/site.js"]
    assert {"studies/?page=2", "/out/", "/state/"} <= set(addresses_in(page))
