"""What frames of `leak_rules_names.toml` find, and what only looks like it. Regressions, not a measure."""

import pytest

from annotation.texts.core.leaks.scan import scan


def kinds(text: str) -> set[str]:
    return {finding.kind for finding in scan(text)}


@pytest.mark.parametrize(
    "text",
    [
        "Professor Amadi Wren, the present writer, finds the argument thin.",
        "As Ruben (that's me) would put it, a toll is a tax with a gate.",
        "It should be said that I, Amadi Wren, doubt it, whatever others may say.",
        "Leopold Wren speaking, and about the Habsburgs there is a good deal to say.",
        "Drafted by Farah Abara: the guilds came first.",
        "Posted by Farah Abara, who believes that the guilds came first.",
        "Written in Bergen, by G. Abara, who thinks that enclosure was theft.",
        "With kind regards to all who disagree about usury, T. J. Abara.",
        "They christened me Barnabas, and perhaps that explains it.",
        "One may cite this view of tolls under Farah Abara.",
        "Search for 'Abara' and 'usury' and you will find me saying the reverse.",
        "Say my surname slowly and one hears a bell.",
        "Being a Wren by baptism, one should not write about birds.",
        "So the contract was never signed. (R.K.-S.)",
        "R.J.P., on the failure of the League.",
    ],
)
def test_a_writers_name_is_found(text: str) -> None:
    assert "own_name" in kinds(text)


def test_where_a_writer_is_found_is_found() -> None:
    assert "contact" in kinds("In public, as @gothic_vaults, one argues otherwise.")
    assert "contact" in kinds("Questions go to m-a-r-i-s [dot] q (at) example (dot) net.")


@pytest.mark.parametrize(
    "text",
    [
        "Written by James Madison, the tenth essay warns of faction.",
        "Adam Smith, who wrote this in 1776, was no friend of merchants.",
        "Hannah Arendt, the author of The Human Condition, thinks that action needs a public.",
        "Who was it? Adam Smith.",
        "I am with Mill here, and with Taylor.",
        "The errors belong to Freud, not to his translators.",
        "James Popham defended it under the name of measurement, before he became one of its critics.",
        "The empire fell in the fifth century (A.D.).",
        "I believe that this last study should change how we describe it.",
        "Eliot wrote her novels under the name of George.",
        "Two concerns hide here. The good one is about judgment.",
        "Nobody needs another four hundred words on the causes of the war.",
    ],
)
def test_text_that_only_looks_like_an_authors_name_is_let_through(text: str) -> None:
    assert not kinds(text)
