"""Looking at a file of ratings while somebody waits: in a process of its own, within limits."""

from typing import Any, Final

from analysis.rating_files.core.looking import Look, Understood
from analysis.rating_files.core.reading import FileKind, RatingOptions
from annotation.platform.core.limits import RATING_FILE_SECONDS
from annotation.platform.providers.reading import read_in_child

_MODULE: Final = "analysis.rating_files.providers.reading_child"


def look_apart(content: bytes, kind: FileKind) -> Look:
    """Like `look_at`, in another process; raises `Refused` also as `read_in_child` does."""
    found: Look = _apart(content=content, kind=kind, options=None)
    return found


def understand_apart(content: bytes, options: RatingOptions, kind: FileKind) -> Understood:
    """Like `understand`, in another process; raises `Refused` also as `read_in_child` does."""
    found: Understood = _apart(content=content, kind=kind, options=options)
    return found


def _apart(**asked: object) -> Any:
    return read_in_child(_MODULE, asked, seconds=RATING_FILE_SECONDS, command="analyse")
