"""The parts of a rubric that judge models may be told, by the names a study keeps."""

from collections.abc import Mapping
from typing import Final

PARTS: Final[Mapping[str, str]] = {
    "definitions": "What each dimension means",
    "questions": "Key questions",
    "anchors": "Low, middle and high ends",
    "examples": "Worked examples of the ends",
    "bands": "Bands of the scale",
    "guidance": "Rules and pitfalls",
}


def all_parts() -> list[str]:
    """What people see."""
    return list(PARTS)
