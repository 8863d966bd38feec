from datetime import date
from typing import Any

import pytest

from annotation.people.core.limits import Limits
from annotation.people.core.people_import import Arrival, Standing, examine
from annotation.platform.core.table_import import Examined, ParsedRow

ADA = {"name": "Ada", "email": "ada@example.org", "role": "judge"}
STANDING = {
    "eva@example.org": Standing("judge", "member", Limits(prefers=("a prompt that was removed",))),
    "mia@example.org": Standing("judge", "member", Limits(institution="Graz", excludes=("BBQ",))),
    "lea@example.org": Standing("writer", "left"),
    "ina@example.org": Standing("judge", "invited"),
    "cora@example.org": Standing("coordinator", "member"),
}


def examined(*lines: dict[str, Any]) -> Examined[Arrival]:
    numbered = [ParsedRow(number, ADA | values) for number, values in enumerate(lines, start=2)]
    return examine(numbered, standing=STANDING, topics={"law", "bbq"})


def problem(values: dict[str, Any]) -> str:
    [found] = examined(values).problems
    return found.text


def test_an_address_nobody_knows_is_invited_in_small_letters() -> None:
    [arrival] = examined({"email": "Ada@Example.org"}).found
    assert (arrival.line, arrival.email, arrival.name, arrival.role) == (2, "ada@example.org", "Ada", "judge")
    assert not arrival.is_member


def test_a_member_gets_the_limits_that_the_line_gives_and_keeps_the_others() -> None:
    [arrival] = examined({"email": "Mia@example.org", "capacity": 0, "excludes": ("Law",)}).found
    assert arrival.is_member
    assert arrival.limits == Limits(capacity=0, institution="Graz", excludes=("Law",))


def test_somebody_invited_gets_the_limits_that_the_line_gives_and_no_second_invitation() -> None:
    [arrival] = examined({"email": "ina@example.org", "capacity": 3, "prefers": ("Philosophy",)}).found
    assert (arrival.is_member, arrival.is_invited) == (False, True)
    assert arrival.limits == Limits(capacity=3, prefers=("Philosophy",))


@pytest.mark.parametrize(
    "values",
    [
        {"email": "mia@example.org"},
        {"email": "mia@example.org", "institution": "Graz"},
        {"email": "eva@example.org", "prefers": ("a prompt that was removed",)},
        {"email": "ina@example.org"},
        {"email": "cora@example.org", "role": "coordinator", "capacity": 3},
    ],
)
def test_a_line_that_says_nothing_new_is_passed_over_so_that_a_table_can_be_brought_twice(
    values: dict[str, Any],
) -> None:
    found = examined(values)
    assert (found.found, found.known, found.problems) == ((), 1, ())


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"email": "lea@example.org"}, "has left the study"),
        ({"email": "mia@example.org", "role": "writer"}, "takes part as a judge already; a person has one role"),
        ({"email": "ina@example.org", "role": "writer"}, "is invited as a judge already; a person has one role"),
        (
            {"available_from": date(2026, 5, 2), "available_until": date(2026, 5, 1)},
            "the last day on which the person has time is before the first",
        ),
        ({"email": "mia@example.org", "excludes": ("BBQ", "Lwa")}, "discipline “Lwa”"),
        ({"prefers": ("Law",), "excludes": ("law",)}, "both preferred and excluded: “Law”"),
        # She excluded BBQ before.
        ({"email": "mia@example.org", "prefers": ("bbq",)}, "both preferred and excluded: “bbq”"),
        ({"capacity": 1001}, "a capacity is between 0 and 1,000 prompts"),
    ],
)
def test_impossible_values_of_a_person_are_named(values: dict[str, Any], fault: str) -> None:
    assert fault in problem(values)


def test_preferences_of_somebody_new_may_refer_to_prompts_still_to_come() -> None:
    assert len(examined({"prefers": ("Philosophy",)}).found) == 1


def test_an_address_that_stands_twice_is_named_with_its_first_line() -> None:
    found = examined({}, {"email": "ADA@example.org", "role": "writer"})
    assert [str(problem) for problem in found.problems] == [
        "line 3: the address ada@example.org is in line 2 already"
    ]
