"""Ways to have texts scored: by which rubric and scale, with how many prompts, from perspectives or without."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.platform.core.errors import Refused
from annotation.study.core.rubric import Rubric, parse
from generation.panel.core.panel import Mode
from generation.panel.core.rubric_texts import USUAL_PARTS, check_parts


@dataclass(frozen=True)
class WayToScore:
    """`rubric` is the text of its file, `approach` one of its variants ("": the rubric's own scale, one prompt for
    all dimensions). `parts` of the rubric are told. Without `perspectives` each judge is asked once.
    """

    rubric: str
    approach: str = ""
    parts: Sequence[str] = USUAL_PARTS
    perspectives: bool = True

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
