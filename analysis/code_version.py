"""Which code computed something, and on what it ran: kept beside results, so that they can be computed again."""

import hashlib
import platform
import tomllib
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

from django.conf import settings

PACKAGE: Final = Path(__file__).resolve().parent
# What decides a figure: how it is computed, and what it is computed from.
COMPUTING: Final = ("core/**/*.py", "selectors/*.py", "unblinding.py")
LIBRARIES: Final = ("numpy", "pandas", "scipy", "scikit-learn", "matplotlib", "pyarrow")


@cache
def code_version() -> str:
    """The product's version and, behind a plus, the SHA-256 of the analysis' own code: 80 characters at most."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"{project['version']}+{_sha256_of_code()}"


@cache
def environment() -> dict[str, str]:
    """Versions of Python and of the libraries that compute, and the kind of machine, by name."""
    return {
        "Python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "machine": platform.machine(),
    }


def _sha256_of_code() -> str:
    files = [path for pattern in COMPUTING for path in PACKAGE.glob(pattern)]
    lines = sorted(f"{path.relative_to(PACKAGE).as_posix()} {_sha256(path)}\n" for path in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
