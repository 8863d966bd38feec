"""Who took part, as the table that papers begin with."""

from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter

from analysis.outcomes.core.participants import Counted, ParticipantGroup
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.exhibit import Cell, Column, Exhibit
from analysis.sections.exhibits.wording import capitalised

Groups = Sequence[ParticipantGroup]
Row = tuple[Cell, ...]


def participant_exhibits(groups: Groups) -> Iterator[Exhibit]:
    """One table, with a column for each role."""
    if not groups:
        return
    yield compose(
        "participants",
        "Participants",
        "Participants",
        describes="Those who took part, by what they said of themselves.",
        method="Of those who answered each question: what a study asks has to be answered, but for the items about "
        "one’s position; shares lie between 0 and 1. "
        "An answer that few gave can single them out: join it with others before you publish it.",
        columns=[
            Column("Question"),
            Column("Answer"),
            *(Column(f"{capitalised(group.role)}s") for group in groups),
        ],
        rows=[
            ("People", "", *(group.people for group in groups)),
            *_counted("Highest degree", groups, lambda group: group.degrees),
            _row("Doctorate", "share from research-intensive institutions", groups, "r1_doctorates"),
            *_summarised("Years of experience", groups, "years"),
            ("Years of experience", "range", *(_range(group) for group in groups)),
            *_counted("Discipline", groups, lambda group: group.disciplines),
            *_counted("Country", groups, lambda group: group.countries),
            *_summarised(_position(groups), groups, "ideology"),
        ],
    )


def _counted(question: str, groups: Groups, counted: Callable[[ParticipantGroup], Counted]) -> Iterator[Row]:
    """How many answered, then each answer that somebody gave."""
    asked = [counted(group) for group in groups]
    yield question, "answered", *(each.answered for each in asked)
    for answer in dict.fromkeys(answer for each in asked for answer in each.counts):
        yield question, capitalised(answer), *(each.counts.get(answer, 0) for each in asked)


def _summarised(question: str, groups: Groups, summary: str) -> Iterator[Row]:
    yield question, "answered", *(attrgetter(f"{summary}.mean.n")(group) for group in groups)
    for word, statistic in (("mean", "mean"), ("median", "median"), ("SD", "sd"), ("SE", "se")):
        yield _row(question, word, groups, f"{summary}.{statistic}")


def _row(question: str, answer: str, groups: Groups, place: str) -> Row:
    return question, answer, *(attrgetter(place)(group) for group in groups)


def _range(group: ParticipantGroup) -> str:
    return "–" if group.years_range is None else "–".join(f"{end:g}" for end in group.years_range)


def _position(groups: Groups) -> str:
    """The question about one's position, with the poles between which it lies."""
    asked = next((group for group in groups if group.ideology_points), None)
    if asked is None:
        return "Position"
    return f"Position, from 1 ({asked.ideology_low}) to {asked.ideology_points} ({asked.ideology_high})"
