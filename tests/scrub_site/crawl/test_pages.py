"""What pages link, and how much of it: a browser shows nothing before it has all of their stylesheets."""

import re
from functools import cache
from typing import Any, Final

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from tests.annotation.judging.browser.room import an_item
from tests.clients import signed_in
from tests.factories import opened
from tests.folders import PROJECT
from tests.scrub_site.crawl.crawl import Visit

MAX_STYLESHEETS: Final = 5
TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
IMPORTED = re.compile(r"""^.*(?:from|import) "(\..+)";$""", re.MULTILINE)
CALLED_FOR = re.compile(r'\bimport\("(\.[^"]+)"\)')


def stylesheets(page: str) -> list[str]:
    return re.findall(r'<link rel="stylesheet"\s+href="/static/([^"]+)"', page)


def preloaded(page: str) -> list[str]:
    return re.findall(r'<link rel="modulepreload" href="/static/([^"]+)">', page)


def scripts(page: str) -> list[str]:
    return re.findall(r'<script type="module" src="/static/([^"]+)">', page)


def forms(page: str) -> set[str]:
    """The ids of a page's forms."""
    return set(re.findall(r'<form\b[^>]*?\sid="([^"]+)"', page))


@cache
def named_in(module: str, written: re.Pattern[str]) -> set[str]:
    file = PROJECT / "static" / module
    found = written.findall(file.read_text(encoding="utf-8"))
    return {str((file.parent / name).resolve().relative_to(PROJECT / "static")) for name in found}


def all_behind(modules: set[str]) -> set[str]:
    """What they import, and what that imports."""
    found: set[str] = set()
    while new := {name for module in modules | found for name in named_in(module, IMPORTED)} - found:
        found |= new
    return found


@pytest.fixture(scope="module")
def pages(visits: list[Visit]) -> dict[str, str]:
    """Every page of the site as everybody gets it, by its visit."""
    pages = {str(visit): visit.body for visit in visits if visit.is_page and "<html" in visit.body}
    assert len(pages) > 1000
    return pages


def test_every_page_has_a_title_and_no_part_of_it_is_missing(pages: dict[str, str]) -> None:
    titles = {name: " ".join(title.split()) for name, page in pages.items() for title in TITLE.findall(page)}
    assert titles.keys() == pages.keys()
    assert {name: title for name, title in titles.items() if not all(map(str.strip, title.split("·")))} == {}


def test_every_field_that_belongs_to_a_form_by_its_name_finds_it_on_its_page(pages: dict[str, str]) -> None:
    named = {name: set(re.findall(r' form="([^"]*)"', page)) for name, page in pages.items()}
    assert set().union(*named.values()) >= {"section-form", "counts"}
    assert {name: of for name, of in named.items() if not of <= forms(pages[name])} == {}


def test_no_page_links_more_than_five_stylesheets_or_one_twice(pages: dict[str, str]) -> None:
    linked = {name: stylesheets(page) for name, page in pages.items()}
    assert all(linked.values())
    assert max(map(len, linked.values())) > 2
    assert {name for name, of in linked.items() if len(of) > MAX_STYLESHEETS or len(of) > len(set(of))} == set()
    assert {file for of in linked.values() for file in of if not finders.find(file)} == set()


def test_a_page_preloads_what_its_scripts_import_each_module_once_and_nothing_else(pages: dict[str, str]) -> None:
    wrong = {}
    with_scripts = {name: page for name, page in pages.items() if scripts(page)}
    assert len(with_scripts) > 100
    for name, page in with_scripts.items():
        entries, links = set(scripts(page)), preloaded(page)
        called_for = {each for entry in entries for each in named_in(entry, CALLED_FOR)} & set(links)
        if sorted(links) != sorted(called_for | all_behind(entries | called_for)) or entries & set(links):
            wrong[name] = links
    assert wrong == {}


def test_a_page_without_scripts_preloads_nothing(pages: dict[str, str]) -> None:
    assert {name for name, page in pages.items() if preloaded(page) and not scripts(page)} == set()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mode", "sheet"), [("scores", "judging/judging-scores.js"), ("ranking", "judging/ranking/judging-tiers.js")]
)
def test_the_judging_room_preloads_its_modules_and_those_of_its_way_of_judging(mode: str, sheet: str) -> None:
    item = opened(an_item(judging_mode=mode))
    answer: Any = signed_in(item.participation.user).get(reverse("judging_item", args=[item.pk]))
    page = answer.content.decode()
    entry = "judging/judging-room.js"

    assert scripts(page) == [entry]
    assert sheet in named_in(entry, CALLED_FOR)
    assert len(stylesheets(page)) <= MAX_STYLESHEETS
    assert len(preloaded(page)) > 20
    assert sorted(preloaded(page)) == sorted(all_behind({entry, sheet}) | {sheet})
    assert all(finders.find(name) for name in preloaded(page))
