"""The rubric of a study, parsed once a process: frozen rubrics never change."""

from functools import lru_cache

from annotation.core.rubric import Rubric as ParsedRubric
from annotation.core.rubric import parse
from annotation.models.studies import Rubric


@lru_cache(maxsize=64)
def rubric_by_hash(sha256: str) -> ParsedRubric:
    """Raises `Rubric.DoesNotExist` for a hash no study has frozen."""
    return parse(Rubric.objects.get(pk=sha256).toml)
