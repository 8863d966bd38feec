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


def test_what_a_list_holds_is_not_taken_apart_at_its_semicolons() -> None:
    facts = ["It costs 4; that is much.", "It has 64 riders."]
    [found] = read_scenarios(json.dumps({**ROW, "facts": facts, "tensions": ["few; many"]}).encode())
    assert (found.facts, found.tensions) == (tuple(facts), ("few; many",))
    [in_a_cell] = read_scenarios(json.dumps({**ROW, "facts": "It costs 4; it has 64 riders"}).encode())
    assert in_a_cell.facts == ("It costs 4", "it has 64 riders")


@pytest.mark.parametrize("mark", ["{}. ", "{}) ", "({}) "])
def test_facts_that_bring_their_numbers_along_are_not_numbered_twice(mark: str) -> None:
    named = "\n".join(f"{mark.format(number)}Fact {number}." for number in (1, 2, 3))
    [found] = read_scenarios(json.dumps({**ROW, "facts": named}).encode())
    assert found.facts == ("Fact 1.", "Fact 2.", "Fact 3.")


@pytest.mark.parametrize(
    "facts",
    [["2. is a number", "5) is one"], ["1.5 million people live there."], ["1:30 was the hour.", "2:15 it ended."]],
    ids=["others", "a decimal", "times"],
)
def test_facts_that_begin_with_figures_of_their_own_keep_them(facts: list[str]) -> None:
    [found] = read_scenarios(json.dumps({**ROW, "facts": facts}).encode())
    assert found.facts == tuple(facts)


def test_brackets_without_end_in_a_cell_are_no_list() -> None:
    with pytest.raises(Refused):
        read_scenarios(json.dumps({**ROW, "facts": "[" * 100_000}).encode())


@pytest.mark.parametrize("spelt", ["[[ scenarios ]]\n{}", "scenarios = [{{ {} }}]"])
def test_toml_is_known_however_its_tables_are_written(spelt: str) -> None:
    lines = [f"{name} = {json.dumps(value)}" for name, value in ROW.items()]
    content = spelt.format(("\n" if spelt.startswith("[") else ", ").join(lines))
    assert read_scenarios(content.encode()) == read_scenarios(json.dumps(ROW).encode())
    [about_toml] = read_scenarios(json.dumps({**ROW, "situation": "[[scenarios]] are tables."}).encode())
    assert about_toml.situation == "[[scenarios]] are tables."


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
        ("", r"nothing in it\.$"),
        ("key,key\na,b", r"“key”\.$"),
        ("scenarios = 1", "“scenarios” is a list"),
        ("[[scenarios]]\nkey = 'a'\n", "scenario 1: .*“title” is missing"),
        (json.dumps({**ROW, "title": ["A", "ferry"]}), "line 1: “title” is a text"),
        (json.dumps({**ROW, "facts": [["It costs 4."]]}), "line 1: “facts” are"),
        (json.dumps({**ROW, "facts": []}), "line 1: “facts” are"),
    ],
)
def test_a_file_that_is_wrong_brings_nothing_and_says_where(content: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        read_scenarios(content.encode())
