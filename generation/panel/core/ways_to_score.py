"""Ways to have texts scored: by which rubric and scale, with how many prompts, from perspectives or without."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.errors import Refused
from annotation.platform.core.sealing import canonical_json
from annotation.study.core.rubric import Rubric, parse
from generation.panel.core.panel import Mode
from generation.panel.core.rubric_texts import USUAL_PARTS, check_parts, named_parts

FIRST_PERSPECTIVES: Final = "f5abe8665b18"
"""The digest of `perspectives-1.toml`."""


@dataclass(frozen=True)
class WayToScore:
    """`rubric` is the text of its file, `approach` one of its variants ("": the rubric's own scale, one prompt for
    all dimensions). `parts` of the rubric are shown. Without `perspectives` each judge is asked once. With
    `reasons` a sentence is asked for beside each score. `examples` is the text of a file of worked ones.
    """

    rubric: str
    approach: str = ""
    parts: Sequence[str] = USUAL_PARTS
    perspectives: bool = True
    reasons: bool = False
    examples: str = ""

    @property
    def scored_by(self) -> Rubric:
        """The rubric on the scale of the approach."""
        rubric = parse(self.rubric)
        return rubric.in_variant(self.approach) if self.approach else rubric

    def template(self, mode: str) -> str:
        """The name of the template to ask by: the panel's own wording is about perspectives and numbers."""
        as_panel = mode == "inferred" or (self.perspectives and not self.scored_by.scale.words)
        return f"panel_{mode}" if as_panel else f"rater_{mode}"


def check_way(way: WayToScore, mode: Mode) -> None:
    """Raise `Refused` for an approach that the rubric has not, that the mode cannot take, and for unknown parts."""
    rubric = parse(way.rubric)
    names = [variant.key for variant in rubric.variants]
    if way.approach and way.approach not in names:
        offered = f"It has: {', '.join(names)}." if names else "It has none."
        raise Refused(f"“{rubric.title}” has no approach called “{way.approach}”. {offered}")
    if way.approach and mode != "per_dimension":
        raise Refused("An approach is a way to score each dimension.")
    check_parts(way.parts)


def unusual(parts: Sequence[str], perspectives: Sequence[Mapping[str, str]], *, reasons: bool = False) -> list[str]:
    """What tells a setting from others beside its template: versions of the parts told and of the perspectives, and
    whether reasons are given.

    What all runs had before there was a choice goes without a name, so that their scores stay in one setting.
    """
    told = [] if tuple(parts) == USUAL_PARTS else [f"rubric:{_digest(named_parts(parts))}"]
    seats = version_of(perspectives)
    return [*told, *([f"perspectives:{seats}"] if seats else []), *(["reasons"] if reasons else [])]


def version_of(perspectives: Sequence[Mapping[str, str]]) -> str:
    """The version of all perspectives of a setting together; "" for the ones that there always were, and for
    none.
    """
    seats = _digest([dict(row) for row in perspectives])
    return seats if perspectives and seats != FIRST_PERSPECTIVES else ""


def _digest(value: object) -> str:
    """Twelve hex digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()[:12]
