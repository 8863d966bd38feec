"""Hashes of a study as judging opened, so that any later change shows."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Final, NamedTuple

from annotation.platform.core.blinding import keyed_hash
from annotation.platform.core.sealing import canonical_json

_ORIGINS_DOMAIN: Final = "scrub/origins/v1"


@dataclass(frozen=True)
class OpenedItem:
    """What a judge got: the item's place among the judge's own, from 1, and the answers' ids by label."""

    judge: str
    position: int
    asks_guess: bool
    responses: Mapping[str, str]


class Origin(NamedTuple):
    """Where an answer is from: its arm, and the pseudonym or the model's name behind it."""

    response: str
    arm: str
    source: str


def items_sha256(items: Iterable[OpenedItem]) -> str:
    """SHA-256, in hex, of the items of one prompt, in whatever order they are given."""
    by_judge = sorted(items, key=lambda item: (item.judge, item.position))
    return hashlib.sha256(canonical_json([asdict(item) for item in by_judge])).hexdigest()


def origins_hmac(seed: bytes, *, prompt: str, origins: Iterable[Origin]) -> str:
    """HMAC-SHA256, in hex, of where the answers to one prompt are from, in whatever order they are given.

    Under the 32-byte `seed`, because the sources are few: a plain hash could be found by trying all of them. The
    message holds the domain "scrub/origins/v1", the prompt, and response, arm and source of each answer in the
    order of the responses, each part behind its length as in `keyed_hash`.
    """
    parts = (part for origin in sorted(set(origins)) for part in origin)
    return keyed_hash(seed, _ORIGINS_DOMAIN, prompt, *parts).hex()
