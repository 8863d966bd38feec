"""The statement that is published with a study's commitment to its seed: who alone can lift the blinding."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from annotation.platform.core.sealing import canonical_json
from annotation.platform.core.text import sha256_hex

FORMAT: Final = "scrub-commitment/1"

# How somebody came into office, as releases have it.
FOUNDER: Final = "accepted before the design was locked"
BY_CONSENT: Final = "another unblinder’s consent"
BY_RECOVERY: Final = "the third person’s consent"
FOUND: Final = "in office since before there were unblinders by name"


@dataclass(frozen=True)
class Named:
    """Somebody as they are published."""

    name: str
    affiliation: str


@dataclass(frozen=True)
class Third:
    """The person outside the team by whom the office can be recovered."""

    name: str
    affiliation: str
    email: str


def statement(*, study: str, seed_sha256: str, unblinders: Sequence[Named], recovery: Third | None) -> str:
    """Return the statement as canonical JSON.

    `seed_sha256` is the commitment to the seed. Unblinders come in the order of their names. Of the third person's
    address there is the SHA-256, in small letters: whoever knows the address can tell that it is the one.
    """
    return canonical_json(
        {
            "format": FORMAT,
            "study": study,
            "seed_sha256": seed_sha256,
            "unblinders": [_plain(person) for person in sorted(unblinders, key=_by_name)],
            "recovery": recovery
            and {
                "name": recovery.name,
                "affiliation": recovery.affiliation,
                "email_sha256": address_sha256(recovery.email),
            },
        }
    ).decode()


def address_sha256(email: str) -> str:
    """Return the SHA-256 of an address in small letters, as a statement has it."""
    return sha256_hex(email.strip().lower())


def statement_sha256(text: str) -> str:
    """Return the SHA-256 of a statement: the commitment to the unblinders, which covers that to the seed."""
    return hashlib.sha256(text.encode()).hexdigest()


def _by_name(person: Named) -> tuple[str, str]:
    return person.name, person.affiliation


def _plain(person: Named) -> dict[str, str]:
    return {"name": person.name, "affiliation": person.affiliation}


def contradictions(
    text: str, *, sha256: str, seed_sha256: str, founders: Sequence[Named], third: Mapping[str, str]
) -> Iterator[str]:
    """What, in words, of a statement is not as its hash, the seed's commitment, or those who accepted first, say.

    `third` is what is known of the third person, by the statement's names; empty where there is none.
    """
    if statement_sha256(text) != sha256:
        yield "The statement of who unblinds is not the one that was published when the design was locked."
    said = read(text)
    if said is None:
        yield "The statement of who unblinds cannot be read."
        return
    if said.get("seed_sha256") != seed_sha256:
        yield "The statement of who unblinds is about another seed."
    if said.get("unblinders") != [_plain(person) for person in sorted(founders, key=_by_name)]:
        yield "Those who accepted the office of unblinder are not those whom the statement names."
    named = said.get("recovery") or {}
    if bool(named) != bool(third) or any(named.get(name) != value for name, value in third.items()):
        yield "The third person is not the one whom the statement names."


def published_contradictions(published: Mapping[str, Any], *, seed_sha256: str) -> Iterator[str]:
    """What, in words, a release says of its unblinders that does not fit; nothing where it says nothing of them."""
    text = published.get("statement", "")
    holders = published.get("in_office", [])
    found = published.get("third_person") or {}
    if text:
        founders = [Named(each["name"], each["affiliation"]) for each in holders if each["by"] == FOUNDER]
        sha256 = published.get("statement_sha256", "")
        third = {name: found[name] for name in ("name", "affiliation") if name in found}
        yield from contradictions(text, sha256=sha256, seed_sha256=seed_sha256, founders=founders, third=third)
    # Founders are those of a statement; who was found in office is of a study that was locked without one.
    fits = {FOUNDER: bool(text), FOUND: not text, BY_CONSENT: True, BY_RECOVERY: bool(found)}
    for each in holders:
        if not fits.get(each["by"], False):
            yield f"{each['name']} is said to be in office in a way that this study does not have: {each['by']}."
        if each["by"] == BY_CONSENT and each["consent"] in ("", each["name"]):
            yield f"{each['name']} is in office since the lock, and nobody else is named who consented."


def read(text: str) -> Mapping[str, Any] | None:
    """What a statement says, or None where it is not one."""
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict) or not isinstance(said.get("recovery") or {}, dict):
        return None
    return said if said.get("format") == FORMAT else None
