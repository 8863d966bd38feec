"""Schemes of flaws that studies may work by, by their version."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from annotation.benchmarks.core.scheme import Scheme, parse

DATA: Final = Path(__file__).resolve().parent.parent / "data"


@lru_cache(maxsize=8)
def scheme(version: str) -> Scheme:
    return parse((DATA / f"flaws-{version}.toml").read_text(encoding="utf-8"))
