"""Orders that nobody can foresee and anybody can recompute once the study's seed is revealed.

A seed is 32 random bytes. Its SHA-256 is published when the design is locked; the seed itself, at
unblinding. An order sorts identifiers by a keyed hash of published names, so it depends on no library's
shuffle, on no Python version and not on the order in which the identifiers were given.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

LABELS: Final = ("A", "B", "C", "D", "E", "F", "G", "H")

_SEED_BYTES: Final = 32
_LABEL_DOMAIN: Final = "scrub/label/v1"
_ORDER_DOMAIN: Final = "scrub/order/v1"


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of the 32-byte `seed`, in 64 hexadecimal digits: what is published first."""
    return hashlib.sha256(_checked(seed)).hexdigest()


def presentation_order(seed: bytes, *, judge: str, prompt: str, responses: Sequence[str]) -> tuple[str, ...]:
    """Return the 1 to 8 distinct `responses` in the order in which `judge` sees them under `prompt`.

    Sorted by HMAC-SHA256(seed, message), where the message holds the domain "scrub/label/v1", the judge, the
    prompt and the response, each as UTF-8 behind its length in bytes (4 bytes, big-endian).
    """
    if not 1 <= len(responses) <= len(LABELS):
        raise ValueError(f"An item shows 1 to {len(LABELS)} answers, not {len(responses)}.")
    return _order(seed, (_LABEL_DOMAIN, judge, prompt), responses)


def labels(seed: bytes, *, judge: str, prompt: str, responses: Sequence[str]) -> dict[str, str]:
    """Return label → response: the first in `presentation_order` is A, the next B."""
    order = presentation_order(seed, judge=judge, prompt=prompt, responses=responses)
    return dict(zip(LABELS, order, strict=False))


def seeded_order(seed: bytes, *context: str, items: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct `items` in an order that belongs to `context` ("items of a judge", "J07").

    The same rule as `presentation_order`, with the domain "scrub/order/v1" and any number of items.
    """
    return _order(seed, (_ORDER_DOMAIN, *context), items)


def _order(seed: bytes, context: tuple[str, ...], items: Sequence[str]) -> tuple[str, ...]:
    _checked(seed)
    if len(set(items)) < len(items):
        raise ValueError("The same identifier is given twice.")
    return tuple(sorted(items, key=lambda item: keyed_hash(seed, *context, item)))


def keyed_hash(seed: bytes, *parts: str) -> bytes:
    """HMAC-SHA256 of the parts, each as UTF-8 behind its length in bytes (4 bytes, big-endian).

    The first part is the domain: another one for each purpose.
    """
    encoded = [part.encode() for part in parts]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in encoded)
    return hmac.digest(seed, message, "sha256")


def _checked(seed: bytes) -> bytes:
    if len(seed) != _SEED_BYTES:
        raise ValueError(f"A seed has {_SEED_BYTES} bytes, not {len(seed)}.")
    return seed
