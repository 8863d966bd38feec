"""What of a rubric judge models are told: each part can be left out."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from annotation.platform.core.errors import Refused
from annotation.study.core.rubric import Band, Dimension, Rubric, Scale
from annotation.study.core.rubric_parts import PARTS

USUAL_PARTS: Final = ("definitions", "bounds", "questions")
"""What judge models are told of texts of a file, unless it is said otherwise."""

# Parts that could not be left out by themselves at first, and what they were told with.
_TOLD_WITH: Final = {"bounds": "definitions", "rounding": "guidance", "pitfalls": "guidance"}


def check_parts(names: Collection[str]) -> tuple[str, ...]:
    """The parts in the order of `PARTS`. Raises `Refused` for one that a rubric does not have."""
    if unknown := sorted(set(names) - PARTS.keys()):
        raise Refused(f"A rubric has no part {', '.join(unknown)}. It has: {', '.join(PARTS)}.")
    return tuple(part for part in PARTS if part in names)


def told_parts(materials: Mapping[str, Any]) -> tuple[str, ...]:
    """What a run tells of its rubric, by what was frozen with its plan, whenever that was."""
    if "told" in materials:
        return tuple(materials["told"])
    kept = materials.get("parts", USUAL_PARTS)
    return tuple(part for part in PARTS if part in kept or _TOLD_WITH.get(part) in kept)


def named_parts(parts: Collection[str]) -> list[str]:
    """What tells these parts from others, in calls' keys and in names of settings. A part that is shown with what
    it used to be told with goes without a name, so that scores from before stay the same scores.
    """
    named = [part for part in PARTS if part in parts and _TOLD_WITH.get(part) not in parts]
    left_out = [f"-{part}" for part, other in _TOLD_WITH.items() if other in parts and part not in parts]
    return named + left_out


def rubric_text(rubric: Rubric, asked: Collection[str], parts: Collection[str]) -> str:
    """The dimensions whose keys are `asked`, and of the rubric these `parts`."""
    dimensions = [dimension for dimension in rubric.dimensions if dimension.key in asked]
    paragraphs = [_dimension(number, each, parts) for number, each in enumerate(dimensions, start=1)]
    if "bands" in parts and rubric.scale.bands:
        paragraphs.append(f"Bands of the scale: {', '.join(map(_band, rubric.scale.bands))}.")
    if advice := rubric.advice(parts):
        paragraphs.append("\n".join(["How to use the rubric:", *(f"- {sentence}" for sentence in advice)]))
    return "\n\n".join(paragraphs)


def scale_in_words(scale: Scale) -> str:
    """The ends of the scale, or the words it consists of."""
    if scale.words:
        return " or ".join(f"“{word}”" for word in scale.words)
    steps = "" if scale.step == 1 else f" in steps of {scale.step}"
    return f"{scale.minimum} (very poor) to {scale.maximum} (excellent){steps}"


def _dimension(number: int, dimension: Dimension, parts: Collection[str]) -> str:
    name = f"{number}. {dimension.name} ({dimension.key})"
    said = " ".join(_sentences(dimension, parts))
    lines = [f"{name}: {said}" if said else name]
    if "anchors" in parts:
        ends = {"Low": dimension.low, "Medium": dimension.medium, "High": dimension.high}
        lines += [f"   {end}: {text}" for end, text in ends.items() if text]
    if "examples" in parts:
        lines += [f"   Example, {each.key}: “{each.text}” {each.why}" for each in dimension.examples]
    return "\n".join(lines)


def _sentences(dimension: Dimension, parts: Collection[str]) -> Iterator[str]:
    if "definitions" in parts:
        yield dimension.definition
    if "bounds" in parts:
        yield from (
            f"{what}: {'; '.join(named)}."
            for what, named in (("Measured", dimension.measured), ("Not measured", dimension.not_measured))
            if named
        )
    if "questions" in parts:
        yield from dimension.questions


def _band(band: Band) -> str:
    return band.key if band.minimum == band.maximum else f"{band.key} {band.minimum}–{band.maximum}"
