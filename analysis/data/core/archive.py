"""Many files as one."""

import io
import lzma
import zlib
from collections.abc import Mapping
from typing import Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

# The earliest that a ZIP can say: the same files are the same bytes whenever they are packed.
NO_DATE = (1980, 1, 1, 0, 0, 0)
# What reading a ZIP raises that is damaged, locked, or packed in a way nobody here knows.
UNREADABLE: Final = (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, zlib.error, lzma.LZMAError)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A ZIP of `files`, by name in alphabetical order; the same bytes for the same files."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name in sorted(files):
            entry = ZipInfo(name, NO_DATE)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3  # Unix, on every machine
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()
