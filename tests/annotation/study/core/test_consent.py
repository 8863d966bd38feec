import pytest

from annotation.study.core.consent import ASKS, blanks, fill
from annotation.study.selectors.consents import AUDIT_CONSENT, STANDARD_CONSENT

TEXT = """Who
Asked by [to fill in: institution].
Approved by [To fill in: Ethics approval].

Risks
[to fill in: risks]

A part of one line."""


@pytest.mark.parametrize("text", [STANDARD_CONSENT, AUDIT_CONSENT])
def test_a_text_has_the_blanks_that_only_a_study_can_fill(text: str) -> None:
    assert set(blanks(text)) == set(ASKS)


def test_who_audits_a_benchmark_is_told_of_no_essays() -> None:
    assert "essay" in STANDARD_CONSENT
    assert not {"essay", "judge", "writing room"} & set(AUDIT_CONSENT.lower().replace(".", "").split())


def test_places_are_found_whatever_their_case_and_once_each() -> None:
    assert blanks(TEXT + TEXT) == ["institution", "ethics approval", "risks"]
    assert blanks("Square brackets [such as these] are no blank, and [to fill in:] names none.") == []


@pytest.mark.parametrize(
    ("said", "unneeded", "left"),
    [
        ({"institution": "Ada’s college"}, (), ["ethics approval", "risks"]),
        ({}, ("ethics approval",), ["institution", "risks"]),
        ({"institution": "I", "risks": "R"}, ("ethics approval",), []),
    ],
)
def test_a_blank_that_is_filled_in_or_unneeded_is_none_any_more(
    said: dict[str, str], unneeded: tuple[str, ...], left: list[str]
) -> None:
    assert blanks(fill(TEXT, said, unneeded)) == left


def test_an_unneeded_place_goes_with_its_line_and_the_last_line_with_its_heading() -> None:
    filled = fill(TEXT, {"institution": r"Ada’s \1 college"}, ["ethics approval", "risks"])
    assert filled == "Who\nAsked by Ada’s \\1 college.\n\nA part of one line."
