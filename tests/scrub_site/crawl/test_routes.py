"""No role reaches what is not theirs, and no address is left out of the table."""

from collections import defaultdict
from collections.abc import Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from tests.scrub_site.crawl.crawl import CANARIES, Visit
from tests.scrub_site.crawl.route_lines import AWAY, FORBIDDEN, MISSING, OUTSIDERS, SIGN_IN, Route
from tests.scrub_site.crawl.routes_table import ROUTES


def addresses(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, str | None]]:
    """Every address of the site with its name."""
    for entry in patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from addresses(entry.url_patterns, path)
        else:
            yield path, entry.name


ADDRESSES = dict(addresses(get_resolver().url_patterns))


def test_every_address_has_a_name_of_its_own_and_a_line_in_the_table() -> None:
    names = list(ADDRESSES.values())

    assert None not in names
    assert len(names) == len(set(names))
    assert set(names) == {route.name for route in ROUTES}


@pytest.fixture(scope="module")
def visits_by_line(visits: list[Visit]) -> dict[str, list[Visit]]:
    by_line: dict[str, list[Visit]] = defaultdict(list)
    for visit in visits:
        by_line[str(visit.route)].append(visit)
    return by_line


def test_no_two_lines_of_the_table_are_of_the_same_request() -> None:
    assert len({str(route) for route in ROUTES}) == len(ROUTES)


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_every_actor_gets_what_the_table_says(route: Route, visits_by_line: dict[str, list[Visit]]) -> None:
    assert {visit.actor: visit.outcome for visit in visits_by_line[str(route)]} == route.expected


def test_what_belongs_to_others_is_never_forbidden_to_outsiders_but_missing(visits: list[Visit]) -> None:
    of_others = [visit for visit in visits if visit.route.of and visit.actor in OUTSIDERS]

    assert of_others
    assert [str(visit) for visit in of_others if visit.outcome == FORBIDDEN] == []


def test_methods_without_a_line_do_nothing_for_anybody(visits: list[Visit]) -> None:
    refusals = {AWAY, SIGN_IN, FORBIDDEN, MISSING, "405"}
    undeclared = [visit for visit in visits if not visit.route.expected]

    assert undeclared
    assert [f"{visit}: {visit.outcome}" for visit in undeclared if visit.outcome not in refusals] == []


def test_nobody_meets_a_secret(visits: list[Visit]) -> None:
    met = [
        f"{visit}: {canary}"
        for visit in visits
        for canary in CANARIES
        if canary in visit.body or any(canary in value for value in visit.headers.values())
    ]

    assert met == []
