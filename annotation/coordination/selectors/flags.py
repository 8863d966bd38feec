"""Flags as the coordinator reads them: with the number under which whoever raised one knows what it is about."""

from collections.abc import Sequence

from annotation.judging.models.judging import JudgingItem
from annotation.study.selectors.flags import FlagLine
from annotation.writing.models import WritingAssignment


def with_places(flags: Sequence[FlagLine]) -> list[tuple[FlagLine, str]]:
    """Each flag with its place in that person's work, such as "item 3": rooms tell nobody a prompt's code."""
    places: dict[tuple[int, int], str] = {}
    for name, work in (("item", JudgingItem), ("prompt", WritingAssignment)):
        own = work._default_manager.filter(participation__in={flag.participation for flag in flags})
        rows = own.exclude(state="cancelled").values_list("participation", "prompt", "position")
        places |= {(person, prompt): f"{name} {position}" for person, prompt, position in rows}
    return [(flag, places.get((flag.participation, flag.prompt), "")) for flag in flags]
