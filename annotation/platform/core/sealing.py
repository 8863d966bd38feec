"""Canonical bytes and hash chains: what makes a record's later change visible."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

GENESIS = "0" * 64


def canonical_json(value: Any) -> bytes:
    """One byte string for one value: sorted keys, no spaces, UTF-8. Raises `TypeError` for what JSON has not."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def chained_digest(previous: str, record: Mapping[str, Any]) -> str:
    """SHA-256, in hex, of the previous digest followed by the record's canonical bytes."""
    return hashlib.sha256(previous.encode() + canonical_json(record)).hexdigest()
