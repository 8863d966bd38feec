"""What the lines of an imported table of people come to, beside those who take part or are invited."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from annotation.core.table_import import Examined, Line, Problem

LIMITS = ("institution", "capacity", "available_from", "available_until", "prefers", "excludes")
LIMITED = ("writer", "judge")  # nobody else is given prompts


@dataclass(frozen=True)
class Standing:
    """What an address is in a study already, in which role: an invitation that can still be used counts."""

    role: str
    state: Literal["member", "left", "invited"]


@dataclass(frozen=True)
class Arrival:
    """Somebody to invite, or a member whose `limits` change.

    `limits` are those of `LIMITS` that the line gives a writer or judge.
    """

    line: int
    email: str
    name: str
    role: str
    limits: Mapping[str, Any]
    is_member: bool


def examine(
    lines: Iterable[Line], *, standing: Mapping[str, Standing], topics: Collection[str]
) -> Examined[Arrival]:
    """Whom to invite and whose limits to change.

    `standing` is by address, and `topics` are those that fit a prompt, all in small letters. A line about somebody
    who is invited, or takes part and is given no limits by it, says nothing new.
    """
    arrivals, problems, known = [], [], 0
    first_lines: dict[str, int] = {}
    for line in lines:
        arrival = _arrival(line, standing)
        fault = _fault_of_person(arrival, standing.get(arrival.email), first_lines.get(arrival.email))
        if fault := fault or _fault_of_limits(arrival, topics):
            problems.append(Problem(fault, line.line))
        elif arrival.email not in standing or (arrival.is_member and arrival.limits):
            arrivals.append(arrival)
        else:
            known += 1
        first_lines.setdefault(arrival.email, line.line)
    return Examined(tuple(arrivals), known, tuple(problems))


def _arrival(line: Line, standing: Mapping[str, Standing]) -> Arrival:
    values = line.values
    email = values["email"].lower()
    return Arrival(
        line=line.line,
        email=email,
        name=values["name"],
        role=values["role"],
        limits={name: values[name] for name in LIMITS if name in values and values["role"] in LIMITED},
        is_member=email in standing and standing[email].state == "member",
    )


def _fault_of_person(arrival: Arrival, stands: Standing | None, first_line: int | None) -> str:
    if first_line:
        return f"the address {arrival.email} is in line {first_line} already"
    if stands and stands.state == "left":
        return f"{arrival.email} has left the study; to let them come back, open the page about them"
    if stands and stands.role != arrival.role:
        has = "is invited" if stands.state == "invited" else "takes part"
        return f"{arrival.email} {has} as a {stands.role} already; a person has one role in a study"
    return ""


def _fault_of_limits(arrival: Arrival, topics: Collection[str]) -> str:
    begins, ends = arrival.limits.get("available_from"), arrival.limits.get("available_until")
    if begins and ends and ends < begins:
        return "the last day on which the person has time is before the first"
    wished = (*arrival.limits.get("prefers", ()), *arrival.limits.get("excludes", ()))
    # Whoever is only invited now may be so before there are prompts.
    if arrival.is_member and (unknown := [topic for topic in wished if topic.casefold() not in topics]):
        return f"no prompt has the code, domain or discipline “{unknown[0]}”"
    return ""
