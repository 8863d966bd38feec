"""Which code computed something, and on what it ran: kept beside results, so that they can be computed again."""

import hashlib
import platform
import tomllib
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

import numpy as np
from threadpoolctl import threadpool_info

ROOT: Final = Path(__file__).resolve().parents[2]
# All of whose code may decide a figure: how it is computed, what it is computed from, and what counts.
PACKAGES: Final = ("annotation", "generation", "analysis")
LIBRARIES: Final = ("numpy", "pandas", "scipy", "scikit-learn", "matplotlib", "pyarrow")


def sha256_of_code(root: Path) -> str:
    """The hash of all modules of our own in the folder, by their names."""
    files = [path for package in PACKAGES for path in (root / package).rglob("*.py")]
    lines = sorted(f"{path.relative_to(root).as_posix()} {_sha256(path)}\n" for path in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# Taken when the process starts: what is written to the disk later is not what it runs.
_CODE: Final = sha256_of_code(ROOT)


@cache
def code_version() -> str:
    """The product's version and, behind a plus, the SHA-256 of our own code: 80 characters at most."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"{project['version']}+{_CODE}"


@cache
def environment() -> dict[str, str]:
    """Versions of Python and of the libraries that compute, and the kind of machine, by name."""
    return {
        "Python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "machine": platform.machine(),
        "processor": _processor(),
    }


def _processor() -> str:
    """What sums are added for, here: by linear algebra for a kind of processor, by NumPy for what it can.

    Another kind adds in another order, and so rounds otherwise.
    """
    kinds = {found.get("architecture") for found in threadpool_info() if found["user_api"] == "blas"}
    loops = np.show_config("dicts")["SIMD Extensions"].get("found", [])
    return ", ".join([*sorted(filter(None, kinds)), *loops]) or "unknown"
