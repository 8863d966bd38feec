"""The sums by which anybody can tell that a release's files are those that were published."""

import hashlib
import re
from collections.abc import Mapping
from typing import Final

MANIFEST: Final = "SHA256SUMS"
_LINE: Final = re.compile(r"(?P<digest>[0-9a-f]{64})  (?P<name>[^\\:\x00-\x1f]+)")
_NO_PARTS: Final = frozenset({"", ".", ".."})  # of names that begin at the root, or lead back towards it


def sums(files: Mapping[str, bytes]) -> dict[str, str]:
    """SHA-256 in hexadecimal digits, by name, in the order of names."""
    return {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}


def manifest(files: Mapping[str, bytes]) -> bytes:
    """A line for each file, as `sha256sum --check` reads it."""
    return "".join(f"{digest}  {name}\n" for name, digest in sums(files).items()).encode()


def read_manifest(content: bytes) -> dict[str, str]:
    """SHA-256 by name. Raises ValueError for a line that is not one of `manifest`'s, or names a file twice.

    A name stands for a file in the folder: one that leads out of it is refused. Lines end as `sha256sum` takes them
    to end, so that both read the same names.
    """
    found: dict[str, str] = {}
    text = content.decode()
    for line in text.removesuffix("\n").split("\n") if text else ():
        match = _LINE.fullmatch(line)
        if match is None or match["name"] in found or not _NO_PARTS.isdisjoint(match["name"].split("/")):
            raise ValueError(f"no sum and name of a file in this folder: {line[:100]!r}")
        found[match["name"]] = match["digest"]
    return found
