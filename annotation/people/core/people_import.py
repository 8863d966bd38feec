"""What the rows of an imported table of people mean, given those who take part or are invited already."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal

from annotation.people.core.limits import NO_LIMITS, Limits, fault_of
from annotation.platform.core.phrases import with_article
from annotation.platform.core.table_import import Examined, ParsedRow, Problem

LIMITED = ("writer", "judge")  # nobody else is given prompts


@dataclass(frozen=True)
class Standing:
    """What an address is in a study already, in which role: an invitation that can still be used counts.

    `limits` are those of a member, or what somebody invited brings along.
    """

    role: str
    state: Literal["member", "left", "invited"]
    limits: Limits = NO_LIMITS


@dataclass(frozen=True)
class Arrival:
    """Somebody to invite, or a member or somebody invited whose limits change.

    `limits` are what the line gives a writer or judge; what it does not name is as it was.
    """

    line: int
    email: str
    name: str
    role: str
    limits: Limits
    is_member: bool
    is_invited: bool = False


def examine(
    lines: Iterable[ParsedRow], *, standing: Mapping[str, Standing], topics: Collection[str]
) -> Examined[Arrival]:
    """Whom to invite and whose limits to change.

    `standing` is by address, and `topics` are those that fit a prompt, all in small letters. A line about somebody
    who takes part or is invited with these limits already says nothing new.
    """
    arrivals, problems, known = [], [], 0
    first_lines: dict[str, int] = {}
    for line in lines:
        stands = standing.get(line.values["email"].lower())
        arrival = _arrival(line, stands)
        fault = _fault_of_person(arrival, stands, first_lines.get(arrival.email))
        is_news = stands is None or arrival.limits != stands.limits
        if is_news and not fault:
            # Whoever is only invited now may be so before there are prompts.
            fault = fault_of(arrival.limits, topics=topics if arrival.is_member else None)
        if fault:
            problems.append(Problem(fault, line.line))
        elif is_news:
            arrivals.append(arrival)
        else:
            known += 1
        first_lines.setdefault(arrival.email, line.line)
    return Examined(tuple(arrivals), known, tuple(problems))


def _arrival(line: ParsedRow, stands: Standing | None) -> Arrival:
    values = line.values
    is_limited = values["role"] in LIMITED
    given = {field.name: values[field.name] for field in fields(Limits) if is_limited and field.name in values}
    return Arrival(
        line=line.line,
        email=values["email"].lower(),
        name=values["name"],
        role=values["role"],
        limits=replace(stands.limits if stands else NO_LIMITS, **given),
        is_member=stands is not None and stands.state == "member",
        is_invited=stands is not None and stands.state == "invited",
    )


def _fault_of_person(arrival: Arrival, stands: Standing | None, first_line: int | None) -> str:
    if first_line:
        return f"the address {arrival.email} is in line {first_line} already"
    if stands and stands.state == "left":
        return f"{arrival.email} has left the study; to let them come back, open the page about them"
    if stands and stands.role != arrival.role:
        has = "is invited" if stands.state == "invited" else "takes part"
        return f"{arrival.email} {has} as {with_article(stands.role)} already; a person has one role in a study"
    return ""
