"""Scenarios and the files that bring them."""

import json

import pytest

from annotation.platform.core.errors import Refused
from generation.trials.core.scenarios import EXAMPLES, read_scenarios

CSV = """key,title,situation,established facts,decision question,tensions,new
ferry,A ferry,A council decides.,"It costs 4; that is much.
It has 64 riders.",Should it stop?,few against many,yes
"""
ROW = {
    "key": "ferry",
    "title": "A ferry",
    "situation": "A council decides.",
    "facts": ["It costs 4.", "It has 64 riders."],
    "question": "Should it stop?",
    "is_new": True,
}


def test_eight_scenarios_come_with_the_site_six_of_them_new() -> None:
    assert len(EXAMPLES) == 8
    assert sum(each.is_new for each in EXAMPLES) == 6
    assert all(len(each.facts) >= 4 and each.tensions for each in EXAMPLES)


def test_what_models_read_has_numbered_facts_and_no_tensions() -> None:
    [found] = read_scenarios(CSV.encode())
    assert found.facts == ("It costs 4; that is much.", "It has 64 riders.")
    assert found.text == (
        "A council decides.\n\nEstablished facts:\n1. It costs 4; that is much.\n2. It has 64 riders.\n\n"
        "Question: Should it stop?"
    )
    assert found.tensions == ("few against many",)
    assert found.is_new


def test_toml_in_another_encoding_is_refused_with_its_line_and_not_read_with_gaps() -> None:
    with pytest.raises(Refused) as refusal:
        read_scenarios('[[scenarios]]\ntitle = "Café"'.encode("latin-1"))
    assert str(refusal.value) == (
        'Line 2 is not UTF-8 text. Read as Windows-1252 (Latin-1) it says “title = "Café"”. Save the file in UTF-8.'
    )


def test_json_lines_and_toml_say_the_same() -> None:
    [from_json] = read_scenarios(json.dumps(ROW).encode())
    lines = [f"{name} = {json.dumps(value)}" for name, value in ROW.items()]
    [from_toml] = read_scenarios("\n".join(["[[scenarios]]", *lines]).encode())
    assert from_json == from_toml


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (CSV.replace("key,", "name,"), "no column “key”"),
        (CSV.replace("A council decides.", ""), "line 2: “situation”"),
        (CSV.replace(",yes", ",perhaps"), "line 2: “is new” is yes or no"),
        (CSV.replace("ferry,A", "Ferry 1,A"), "line 2: A key is"),
        (f"{json.dumps(ROW)}\n{json.dumps(ROW)}", "“ferry” stands in the file twice"),
        ("[[scenarios]]\nkey = 'a'", "“title” is missing"),
        ("[[scenarios]]\nkey = ", "not TOML"),
        ("", "nothing in it"),
    ],
)
def test_a_file_that_is_wrong_brings_nothing_and_says_where(content: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        read_scenarios(content.encode())
