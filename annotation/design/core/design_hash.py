"""The fingerprint of a design: everything that was decided about a study before it began, as one byte string.

Two studies with the same bytes have the same design. Names, people and texts that come later are no part of it.
"""

import hashlib
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Final

from annotation.platform.core.sealing import canonical_json

FORMAT: Final = "scrub-design/1"


def design_bytes(
    *,
    parameters: Mapping[str, object],
    rubric_sha256: str,
    consent_sha256: str,
    prompts: Mapping[str, str],
) -> bytes:
    """Return the canonical JSON of a design.

    `parameters` by name: whole numbers, texts, truth values, `None`, lists of texts in which order means nothing,
    days, and amounts of money, which are written to the cent. `prompts` gives the SHA-256 of each text by code.
    Raises `TypeError` for any other value.
    """
    return canonical_json(
        {
            "format": FORMAT,
            "parameters": {name: plain(value) for name, value in parameters.items()},
            "rubric_sha256": rubric_sha256,
            "consent_sha256": consent_sha256,
            "prompts_sha256": dict(prompts),
        }
    )


def design_sha256(design: bytes) -> str:
    """Return the SHA-256 of `design_bytes`, as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(design).hexdigest()


def values_sha256(values: Mapping[str, object]) -> str:
    """Return the SHA-256 of parameters by name, as `design_bytes` takes them."""
    return hashlib.sha256(canonical_json({name: plain(value) for name, value in values.items()})).hexdigest()


def opened_on(values: Mapping[str, object]) -> str:
    """Return what a form sends along of the parameters it was opened on: each name with the hash of its value."""
    return " ".join(f"{name}:{values_sha256({name: value})}" for name, value in values.items())


def read_opened_on(sent: str) -> dict[str, str]:
    """Return the hashes of `opened_on`, by name. What is no such text has none."""
    pairs = (pair.partition(":") for pair in sent.split())
    return {name: sha256 for name, _, sha256 in pairs}


def plain(value: object) -> object:
    """Return a parameter's value as JSON has it."""
    if isinstance(value, Decimal):
        return f"{value:.2f}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return sorted(value)
    return value
