"""What backups need of the program `age`, in the same format, by the wheel pyrage: for where it is not installed.

Only tests and the drill use it. A site has the program itself.
"""

import shutil
import sys
from pathlib import Path


def path_with_age(path: str) -> str:
    """This `PATH`, with a folder more where there is no `age` in it."""
    if shutil.which("age", path=path) and shutil.which("age-keygen", path=path):
        return path
    return f"{Path(__file__).parent}:{Path(sys.executable).parent}:{path}"
