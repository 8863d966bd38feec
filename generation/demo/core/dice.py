"""What looks like chance in composed texts, and is the same for the same words on every Python."""

from hashlib import sha256


class Dice:
    """Numbers that depend on the seed alone: SHA-256 in counter mode."""

    def __init__(self, seed: str) -> None:
        self._seed = seed.encode(errors="surrogatepass")
        self._thrown = 0

    def below(self, limit: int) -> int:
        """The next number from 0 up to, but without, the limit."""
        self._thrown += 1
        digest = sha256(self._seed + self._thrown.to_bytes(8, "big")).digest()
        return int.from_bytes(digest[:8], "big") % limit


def chance(*what: str) -> float:
    """From 0 up to, but without, 1: the same for the same words."""
    digest = sha256("\x1f".join(what).encode(errors="surrogatepass")).digest()
    return int.from_bytes(digest[:6], "big") / 2**48
