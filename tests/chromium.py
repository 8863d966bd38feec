"""The Chromium that tests and benchmarks drive; `scripts/browser` makes sure that there is one."""

import shutil
from typing import Any, Final

from tests.folders import PROJECT

UNPACKED: Final = PROJECT / ".local/browser/usr/lib/chromium/chromium-headless-shell"
INSTALLED: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def launch_options() -> dict[str, Any]:
    """For Playwright: the one `scripts/browser` has unpacked, or the machine's own, or Playwright's."""
    found = next(filter(None, map(shutil.which, (str(UNPACKED), *INSTALLED))), None)
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    return {"args": arguments, **({"executable_path": found} if found else {})}
