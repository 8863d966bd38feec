"""Scripts that have to run before a page's first paint stand in it: fetching them first would hold the paint up.

The policy of pages names each by its hash, so that no other script in a page runs.
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

NAMES: Final = ("platform/theme.js", "judging/judging-restore.js")
STATIC: Final = Path(__file__).resolve().parent.parent.parent / "static"

_COMMENT: Final = re.compile(r"^[ \t]{0,80}//[^\n]{0,500}\n", re.MULTILINE)


@cache
def text(name: str) -> str:
    """One of `NAMES` without its comments, as it stands in a page."""
    return _COMMENT.sub("", (STATIC / name).read_text(encoding="utf-8")).strip()


def csp_sources() -> list[str]:
    """What `script-src` says of them."""
    return [f"'sha256-{_sha256(text(name))}'" for name in NAMES]


def _sha256(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
