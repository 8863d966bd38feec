"""Who took part, in sentences; every question with the number of people who answered it."""

from collections.abc import Iterable
from typing import Final

from analysis.data.core.number_format import numeral
from analysis.outcomes.core.participants import Counted, ParticipantGroup
from analysis.sections.prose.passage import Passage, paragraph, said
from annotation.platform.core.phrases import counted

MIN_GROUP_SIZE: Final = 5  # people whose answers are shown; what fewer said can single somebody out
UNNAMED: Final = (
    f"Unnamed are answers that fewer than {MIN_GROUP_SIZE} people gave: they could single somebody out."
)


def participants(groups: Iterable[ParticipantGroup]) -> Passage:
    return Passage("Participants", tuple(text for group in groups for text in _group(group)))


def _group(group: ParticipantGroup) -> tuple[str, ...]:
    tallies = (group.degrees, group.disciplines, group.countries)
    return paragraph(
        f"{counted(group.people, group.role)} took part.",
        _tally("Highest degree", group.degrees),
        _r1(group),
        _years(group),
        _tally("Discipline", group.disciplines),
        _tally("Country", group.countries),
        _ideology(group),
        UNNAMED if any(map(_unnamed, tallies)) else "",
    )


def _tally(question: str, found: Counted) -> str:
    """A tally as in “Country (9 answered): Chile 5, unnamed 4.”"""
    answers = [f"{answer} {number}" for answer, number in found.counts.items() if number >= MIN_GROUP_SIZE]
    if unnamed := _unnamed(found):
        answers.append(f"unnamed {unnamed}")
    return f"{question} ({found.answered} answered): {', '.join(answers)}." if answers else ""


def _unnamed(found: Counted) -> int:
    """How many gave an answer that too few gave."""
    return sum(number for number in found.counts.values() if number < MIN_GROUP_SIZE)


def _too_few(question: str, answered: int) -> str:
    return f"{question} ({answered} answered): not told of fewer than {MIN_GROUP_SIZE} people."


def _r1(group: ParticipantGroup) -> str:
    share = group.r1_doctorates
    if share.value is None:
        return ""
    if share.n < MIN_GROUP_SIZE:
        return _too_few("Institutions of those with a doctorate", share.n)
    there = said(share, is_share=True)
    return f"Of {share.n:,} with a doctorate who said where, {there} are at research-intensive institutions."


def _years(group: ParticipantGroup) -> str:
    mean, sd = group.years.mean, group.years.sd
    if mean.value is None or group.years_range is None:
        return ""
    if mean.n < MIN_GROUP_SIZE:
        return _too_few("Years of experience", mean.n)
    spread = "" if sd.value is None else f", SD {numeral(sd.value, 1)}"
    low, high = (f"{end:g}" for end in group.years_range)
    return f"Years of experience ({mean.n} answered): mean {said(mean, 1)}{spread}, from {low} to {high}."


def _ideology(group: ParticipantGroup) -> str:
    mean = group.ideology.mean
    if mean.value is None:
        return ""
    if mean.n < MIN_GROUP_SIZE:
        return _too_few("Where they place themselves", mean.n)
    return (
        f"Where they place themselves ({mean.n} answered), from 1, {group.ideology_low}, to "
        f"{group.ideology_points}, {group.ideology_high}: mean {said(mean)}."
    )
