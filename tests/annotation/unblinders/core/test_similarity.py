"""Names and addresses that may be one person's, and people who are merely like each other and are not told."""

import pytest

from annotation.unblinders.core.similarity import Known, hints, mailbox

INES = Known("Ines Okafor", "ines.okafor@example.org", "coordinator")


def said(name: str, email: str, other: Known = INES) -> str:
    return " ".join(hints(Known(name, email), [other]))


@pytest.mark.parametrize(
    "email",
    [
        "ines.okafor+2@example.org",
        "INES.OKAFOR@example.org",
        "inesokafor@example.org",
        "i.nes.okafor@example.org",
        "ines.okafor+anything+else@Example.ORG.",
    ],
)
def test_an_address_of_the_same_mailbox_is_told(email: str) -> None:
    assert "leads to the same mailbox" in said("Tomas Lindqvist", email)


def test_the_very_same_address_is_told() -> None:
    assert "is the same as" in said("Tomas Lindqvist", INES.email)


@pytest.mark.parametrize(
    "email",
    [
        "ines.оkafor@example.org",  # a Cyrillic о
        "ines.0kafor@example.org",
        "lnes.okafor@example.org",
        "ines.okafοr@example.org",  # a Greek omicron
        "іnes.okafor@exаmple.org",
    ],
)
def test_an_address_that_looks_like_another_is_told(email: str) -> None:
    assert "looks like" in said("Tomas Lindqvist", email)


def test_the_same_name_before_the_at_is_told_wherever_the_mailbox_is() -> None:
    assert "has the same name before the @" in said("Tomas Lindqvist", "ines.okafor@elsewhere.example")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Ines Okafor", "is the same as"),
        ("INES OKAFOR", "differs only in"),
        ("Inés Okafor", "differs only in"),
        ("Okafor Ines", "differs only in"),
        ("lnes Okafor", "differs only in"),
        ("Іnеs Оkаfоr", "differs only in"),
        ("Ines  Okafor ", "differs only in"),
        ("Ines Okafors", "one letter apart"),
        ("Ines Okavor", "one letter apart"),
        ("Ins Okafor", "one letter apart"),
    ],
)
def test_a_name_that_is_nearly_the_same_is_told(name: str, words: str) -> None:
    assert words in said(name, "somebody@elsewhere.example")


def test_two_letters_drawn_like_one_are_told() -> None:
    assert "differs only in" in said(
        "Tornas Claridge", "t@elsewhere.example", Known("Tomas Daridge", "d@b.example")
    )


@pytest.mark.parametrize(
    ("name", "email"),
    [
        ("Mei Tanaka", "mei.tanaka@example.org"),
        ("Ines Larsen", "ines.larsen@example.org"),
        ("Kofi Okafor", "kofi.okafor@example.org"),
        ("Тарас Шевченко", "taras@example.org"),
        ("李 明", "li.ming@example.org"),
    ],
)
def test_people_who_share_a_first_name_a_family_or_an_institution_are_not_told(name: str, email: str) -> None:
    assert said(name, email) == ""


def test_names_in_other_scripts_are_compared_as_they_are() -> None:
    other = Known("李 明", "li@example.org")
    assert "is the same as" in said("李 明", "ming@elsewhere.example", other)
    assert said("王 芳", "wang@elsewhere.example", other) == ""


def test_a_hint_names_whom_it_is_about_and_their_part() -> None:
    assert said("Ines Okafor", "x.y@elsewhere.example").endswith("that of Ines Okafor (coordinator).")


def test_a_mailbox_is_found_by_what_servers_pass_over() -> None:
    assert mailbox("A.da+Tag@GoogleMail.com") == "ada@gmail.com"
    assert mailbox("no-at-sign") == "@no-at-sign"
