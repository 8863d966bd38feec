"""The parts of a rubric that judge models may be told, by the names a study keeps."""

from collections.abc import Mapping
from typing import Final

# In the order in which they are shown.
PARTS: Final[Mapping[str, str]] = {
    "definitions": "What each dimension means",
    "bounds": "What each dimension does and does not measure",
    "questions": "Key questions",
    "anchors": "Low, middle and high ends",
    "examples": "Worked examples of the ends",
    "bands": "Bands of the scale",
    "guidance": "Rules",
    "rounding": "How to round between bands",
    "pitfalls": "Pitfalls",
}

ADVICE: Final = ("guidance", "rounding", "pitfalls")
"""The parts that are about scoring as such, and about no one dimension."""


def all_parts() -> list[str]:
    """What people see."""
    return list(PARTS)
