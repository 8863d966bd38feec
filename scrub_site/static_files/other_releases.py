"""Static files of other releases: a room that was open while the site was updated fetches modules later, by the
names of the release that it came from; and while two releases answer side by side each is asked for both's.
"""

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

HASH: Final = re.compile(r"[0-9a-f]{12}")
KEPT_FOR: Final = 30 * 24 * 3600.0  # seconds after the last start of a release that has them


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Whitenoise's, which looks for what this release does not have among those that are kept."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if settings.KEPT_STATIC_ROOT and not self.autorefresh and request.path_info not in self.files:
            self._look_for(request.path_info)
        answer: HttpResponseBase = super().__call__(request)
        return answer

    def _look_for(self, url: str) -> None:
        name = url.removeprefix(self.static_prefix)
        if name == url or not is_hashed(name):
            return
        path = Path(settings.KEPT_STATIC_ROOT, name)
        if path.is_file():
            self.add_file_to_dictionary(url, str(path))

    def immutable_file_test(self, path: str, url: str) -> bool:
        """Whether browsers may keep it for good. Those that are kept are in no list of this release."""
        name: str = url.removeprefix(self.static_prefix)
        kept = bool(settings.KEPT_STATIC_ROOT) and Path(path).is_relative_to(settings.KEPT_STATIC_ROOT)
        is_own: Any = super().immutable_file_test(path, url)
        return bool(is_own) or (kept and is_hashed(name))


def is_hashed(name: str) -> bool:
    """Whether it is a name that changes with its content, so that it means the same in every release; none that
    climbs out of the folder is.
    """
    *folders, file = name.split("/")
    parts = file.removesuffix(".gz").split(".")
    is_inside = all(part and not part.startswith(".") for part in (*folders, file))
    return is_inside and len(parts) > 2 and HASH.fullmatch(parts[-2]) is not None


def keep(own: Path, kept: Path, *, now: float | None = None) -> tuple[int, int]:
    """Put this release's hashed files beside those of others, and remove what no release had for `KEPT_FOR`.

    Returns how many were added and how many removed. A file appears under its name when it is whole.
    """
    now = time.time() if now is None else now
    added = removed = 0
    for file in _hashed(own):
        target = kept / file.relative_to(own)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            unfinished = target.with_name(f".{target.name}.new")
            shutil.copyfile(file, unfinished)
            unfinished.rename(target)
            added += 1
        target.touch()
    for file in list(_hashed(kept)):
        if now - file.stat().st_mtime > KEPT_FOR:
            file.unlink()
            removed += 1
    return added, removed


def _hashed(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and is_hashed(path.relative_to(folder).as_posix()):
            yield path
