"""Rubrics: those that come with the site, and those of studies, parsed once a process: neither ever changes."""

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from annotation.study.core.rubric import Rubric as ParsedRubric
from annotation.study.core.rubric import parse
from annotation.study.models.studies import Rubric

RUBRICS = Path(__file__).resolve().parent.parent / "rubrics"


@lru_cache(maxsize=64)
def rubric_by_hash(sha256: str) -> ParsedRubric:
    """Raises `Rubric.DoesNotExist` for a hash no study has frozen."""
    return parse(Rubric.objects.get(pk=sha256).toml)


@dataclass(frozen=True)
class StandardRubric:
    """A rubric that comes with the site: its file, and what it says."""

    toml: str
    rubric: ParsedRubric


@cache
def standard_rubrics() -> dict[str, StandardRubric]:
    """The rubrics that come with the site, by the name of their file without its ending."""
    files = {path.stem: path.read_text(encoding="utf-8") for path in sorted(RUBRICS.glob("*.toml"))}
    return {name: StandardRubric(toml, parse(toml)) for name, toml in files.items()}
