"""An account's fingerprint: everything by which somebody could come in as its person."""

import hashlib
from collections.abc import Iterable

from annotation.platform.core.sealing import canonical_json


def account_sha256(
    *,
    email: str,
    addresses: Iterable[str],
    password: str,
    factors: Iterable[tuple[str, str]],
    standing: Iterable[str],
) -> str:
    """Return the SHA-256 of an account as it is, in 64 hexadecimal digits.

    `addresses` are those verified, `password` is as it is stored, `factors` are kinds and secrets of the second
    factors, and `standing` words for what else decides about the account: whether it is closed, or administers.
    """
    content = {
        "email": email,
        "addresses": sorted(addresses),
        "password": password,
        "factors": sorted(map(list, factors)),
        "standing": sorted(standing),
    }
    return hashlib.sha256(canonical_json(content)).hexdigest()
