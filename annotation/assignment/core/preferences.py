"""People's limits, preferences and colleagues: what a design is drawn from besides the seed, as recorded.

No names, and nothing of who wrote what.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation.assignment.core.feasibility import Person


def recorded(people: Iterable[Person]) -> list[dict[str, Any]]:
    """People as the audit trail keeps them; `people_from` reads them again."""
    return [
        {
            "name": person.name,
            "capacity": person.capacity,
            "excluded": sorted(person.excluded),
            "unwished": sorted(person.unwished),
        }
        for person in people
    ]


def people_from(rows: Sequence[Mapping[str, Any]]) -> list[Person]:
    return [
        Person(row["name"], row["capacity"], frozenset(row["excluded"]), frozenset(row["unwished"])) for row in rows
    ]


def answers_of_colleagues(
    colleagues: Mapping[str, Iterable[str]], written_by: Mapping[str, str]
) -> dict[str, frozenset[str]]:
    """Return, for each judge with `colleagues` among the writers, those of the answers that a colleague wrote.

    `written_by` is answer → writer.
    """
    return {
        judge: frozenset(answer for answer, writer in written_by.items() if writer in writers)
        for judge, writers in ((judge, frozenset(writers)) for judge, writers in colleagues.items())
    }
