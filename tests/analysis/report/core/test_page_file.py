"""What the page of a run shows is kept with it, to the last cell."""

import json
from dataclasses import replace

import pytest

from analysis.report.core.page_file import page, page_from_json, page_to_json
from tests.analysis.report.core.made_reports import made_report


def test_what_is_kept_is_read_back_as_it_was_but_for_what_draws_it() -> None:
    shown = page(made_report())
    kept = page_from_json(page_to_json(shown))
    assert kept.exhibits == tuple(replace(exhibit, draw=None) for exhibit in shown.exhibits)
    assert kept.chapters == shown.chapters


def test_whole_numbers_stay_whole_and_others_do_not_become_so() -> None:
    """They are written otherwise on the page."""
    kinds = [
        [type(cell) for exhibit in each.exhibits for row in exhibit.table.rows for cell in row]
        for each in (page(made_report()), page_from_json(page_to_json(page(made_report()))))
    ]
    assert kinds[0] == kinds[1]
    assert int in kinds[0]


def test_members_that_nobody_knows_are_passed_over() -> None:
    shown = page(made_report())
    members = json.loads(page_to_json(shown))
    members["exhibits"][0]["weather"] = members["weather"] = "fine"
    assert page_from_json(json.dumps(members).encode()).chapters == shown.chapters


def test_a_page_without_headlines_stays_so_unless_its_version_knew_none() -> None:
    members = json.loads(page_to_json(replace(page(made_report()), headlines=())))
    assert page_from_json(json.dumps(members).encode()).headlines == ()
    members["schema_version"] = 1
    assert page_from_json(json.dumps(members).encode()).headlines is None
    members["headlines"] = ["Humans led."]
    assert page_from_json(json.dumps(members).encode()).headlines == ("Humans led.",)


def test_json_that_is_not_a_page_is_refused() -> None:
    with pytest.raises(ValueError, match="exhibits"):
        page_from_json(b"{}")
