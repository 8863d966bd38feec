"""Reproducible randomness for composed texts: the same words give the same numbers on every Python."""

from hashlib import sha256


class DeterministicRng:
    """Numbers that depend on the seed alone: SHA-256 in counter mode."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode(errors="surrogatepass")
        self._drawn = 0

    def randbelow(self, limit: int) -> int:
        """The next whole number from 0 up to, but without, `limit`."""
        self._drawn += 1
        digest = sha256(self._seed + self._drawn.to_bytes(8, "big")).digest()
        return int.from_bytes(digest[:8], "big") % limit


def chance(*what: str) -> float:
    """A number from 0 up to, but without, 1: the same for the same words."""
    digest = sha256("\x1f".join(what).encode(errors="surrogatepass")).digest()
    return int.from_bytes(digest[:6], "big") / 2**48
