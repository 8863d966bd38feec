"""The statement of who unblinds: the same bytes for the same people, and every change of it shows."""

import hashlib
import json
from collections.abc import Mapping

import pytest

from annotation.unblinders.core.accounts import account_sha256
from annotation.unblinders.core.commitment import (
    BY_CONSENT,
    BY_RECOVERY,
    FOUND,
    FOUNDER,
    Named,
    Third,
    contradictions,
    published_contradictions,
    statement,
    statement_sha256,
)

SEED = "5e" * 32
PEOPLE = [Named("Mei Tanaka", "Kansai"), Named("Ada Novak", "Brno")]
THIRD = Third("Hedda Brun", "Bergen", " Hedda@Example.net")
TEXT = statement(study="trial", seed_sha256=SEED, unblinders=PEOPLE, recovery=THIRD)
SHA256 = statement_sha256(TEXT)


def test_a_statement_names_everybody_and_covers_the_commitment_to_the_seed() -> None:
    assert json.loads(TEXT) == {
        "format": "scrub-commitment/1",
        "study": "trial",
        "seed_sha256": SEED,
        "unblinders": [
            {"name": "Ada Novak", "affiliation": "Brno"},
            {"name": "Mei Tanaka", "affiliation": "Kansai"},
        ],
        "recovery": {
            "name": "Hedda Brun",
            "affiliation": "Bergen",
            "email_sha256": hashlib.sha256(b"hedda@example.net").hexdigest(),
        },
    }
    assert hashlib.sha256(TEXT.encode()).hexdigest() == SHA256


def test_the_order_in_which_people_are_given_changes_no_statement() -> None:
    assert statement(study="trial", seed_sha256=SEED, unblinders=PEOPLE[::-1], recovery=THIRD) == TEXT


KNOWN = {"name": "Hedda Brun", "affiliation": "Bergen"}


def found(
    text: str = TEXT,
    sha256: str = SHA256,
    seed: str = SEED,
    people: list[Named] = PEOPLE,
    third: Mapping[str, str] = KNOWN,
) -> str:
    return " ".join(contradictions(text, sha256=sha256, seed_sha256=seed, founders=people, third=third))


def test_a_commitment_that_fits_contradicts_nothing() -> None:
    assert found() == ""
    assert found(people=PEOPLE[::-1]) == ""


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"text": TEXT.replace("Mei", "May")}, "not the one that was published"),
        ({"sha256": "0" * 64}, "not the one that was published"),
        ({"seed": "00" * 32}, "about another seed"),
        ({"people": PEOPLE[:1]}, "not those whom the statement names"),
        ({"people": [*PEOPLE, Named("Tomas Lindqvist", "")]}, "not those whom the statement names"),
        ({"third": {}}, "not the one whom the statement names"),
        ({"third": {"name": "Tomas Lindqvist"}}, "not the one whom the statement names"),
        ({"third": {"email_sha256": "0" * 64}}, "not the one whom the statement names"),
        ({"text": "{}", "sha256": statement_sha256("{}")}, "cannot be read"),
        ({"text": "[", "sha256": statement_sha256("[")}, "cannot be read"),
    ],
)
def test_every_change_of_a_statement_is_named(changed: dict[str, str], words: str) -> None:
    assert words in found(**changed)  # type: ignore[arg-type]


def release(**others: object) -> dict[str, object]:
    holders = [{"name": p.name, "affiliation": p.affiliation, "by": FOUNDER, "consent": ""} for p in PEOPLE]
    return {"statement": TEXT, "statement_sha256": SHA256, "in_office": holders, "third_person": KNOWN, **others}


def test_a_release_is_compared_with_its_statement() -> None:
    assert not list(published_contradictions(release(), seed_sha256=SEED))
    assert list(published_contradictions(release(), seed_sha256="0" * 64))
    assert list(published_contradictions(release(in_office=[]), seed_sha256=SEED))


@pytest.mark.parametrize("consent", ["", "Tomas Lindqvist"])
def test_a_release_in_which_somebody_consented_to_themselves_or_nobody_did_is_told(consent: str) -> None:
    late = {"name": "Tomas Lindqvist", "affiliation": "", "by": BY_CONSENT, "consent": consent}
    holders = [*release()["in_office"], late]  # type: ignore[misc]
    [said] = published_contradictions(release(in_office=holders), seed_sha256=SEED)
    assert "nobody else is named who consented" in said


def held(by: str) -> list[dict[str, str]]:
    return [{"name": "Tomas Lindqvist", "affiliation": "", "by": by, "consent": "Mei Tanaka"}]


@pytest.mark.parametrize(
    ("said", "by"),
    [
        (release(third_person=None), BY_RECOVERY),
        (release(), FOUND),
        (release(), "an order of the dean"),
        ({}, FOUNDER),
    ],
)
def test_nobody_is_in_office_in_a_way_that_the_study_does_not_have(said: dict[str, object], by: str) -> None:
    """Without a statement nobody was in office by it; with one nobody is found there beside it."""
    told = published_contradictions({**said, "in_office": held(by)}, seed_sha256=SEED)
    assert [line for line in told if line.startswith("Tomas Lindqvist is said to be in office in a way")]


@pytest.mark.parametrize("text", ["[" * 100_000, '{"format":"scrub-commitment/1","recovery":[1]}', "[]", "1"])
def test_a_text_of_another_shape_is_no_statement(text: str) -> None:
    assert "cannot be read" in found(text=text, sha256=statement_sha256(text))


def test_an_earlier_version_s_release_says_nothing_and_contradicts_nothing() -> None:
    assert not list(published_contradictions({}, seed_sha256=SEED))


ACCOUNT = {
    "email": "a@b.example",
    "addresses": ["a@b.example"],
    "password": "hash",
    "factors": [("totp", "one"), ("recovery_codes", "two")],
    "standing": [],
}


@pytest.mark.parametrize(
    "change",
    [
        {"email": "c@b.example"},
        {"addresses": ["a@b.example", "c@b.example"]},
        {"password": "other"},
        {"factors": [("totp", "one")]},
        {"factors": [("totp", "one"), ("recovery_codes", "other")]},
        {"standing": ["closed"]},
    ],
    ids=["address", "second address", "password", "factor removed", "factor exchanged", "closed"],
)
def test_every_way_into_an_account_is_in_its_fingerprint(change: dict[str, object]) -> None:
    before, after = account_sha256(**ACCOUNT), account_sha256(**{**ACCOUNT, **change})  # type: ignore[arg-type]
    assert before != after


def test_the_order_of_factors_is_not_in_the_fingerprint() -> None:
    turned = {**ACCOUNT, "factors": ACCOUNT["factors"][::-1]}
    assert account_sha256(**turned) == account_sha256(**ACCOUNT)  # type: ignore[arg-type]
