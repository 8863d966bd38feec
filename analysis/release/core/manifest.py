"""The sums by which anybody can tell that a release's files are those that were published."""

import hashlib
from collections.abc import Mapping
from typing import Final

MANIFEST: Final = "SHA256SUMS"


def sums(files: Mapping[str, bytes]) -> dict[str, str]:
    """SHA-256 in hexadecimal digits, by name, in the order of names."""
    return {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}


def manifest(files: Mapping[str, bytes]) -> bytes:
    """A line for each file, as `sha256sum --check` reads it."""
    return "".join(f"{digest}  {name}\n" for name, digest in sums(files).items()).encode()


def read_manifest(content: bytes) -> dict[str, str]:
    """SHA-256 by name. Raises ValueError for a line that is none of `manifest`'s."""
    lines = (line.split("  ", 1) for line in content.decode().splitlines())
    return {name: digest for digest, name in lines}
