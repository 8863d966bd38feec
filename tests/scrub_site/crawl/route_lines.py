"""What a line of the routes table says: an address, how it is asked for, of what, and what everybody gets."""

from dataclasses import dataclass

MEMBERS = ("writer", "other_writer", "judge", "other_judge", "coordinator", "researcher")
OUTSIDERS = ("stranger", "other_coordinator", "administrator")
ACTORS = ("anonymous", *MEMBERS, *OUTSIDERS)
GROUPS = {  # the wider first: a line may make an exception of a narrower one
    "members": MEMBERS,
    "writers": ("writer", "other_writer"),
    "judges": ("judge", "other_judge"),
}

# What an actor gets. AWAY is a redirect to another page of theirs, SIGN_IN one to the sign-in page.
OK, BAD, FORBIDDEN, MISSING, CONFLICT = "200", "400", "403", "404", "409"
AWAY, SIGN_IN = "away", "sign in"


@dataclass(frozen=True)
class Route:
    name: str
    method: str
    of: str
    expected: dict[str, str]
    json: str = ""

    def __str__(self) -> str:
        return (
            f"{self.method} {self.name}" + (f" of {self.of}" if self.of else "") + (" as JSON" if self.json else "")
        )


def route(
    name: str, method: str = "GET", of: str = "", *, json: str = "", others: str, **by_actor_or_group: str
) -> Route:
    """A line of the table. What is posted has no body unless `json` is one."""
    if unknown := by_actor_or_group.keys() - GROUPS.keys() - set(ACTORS):
        raise ValueError(f"{method} {name} speaks of {', '.join(unknown)}, whom the cast does not have")
    expected = dict.fromkeys(ACTORS, others) | {"anonymous": SIGN_IN}
    for group, actors in GROUPS.items():
        if group in by_actor_or_group:
            expected |= dict.fromkeys(actors, by_actor_or_group[group])
    expected |= {actor: by_actor_or_group[actor] for actor in ACTORS if actor in by_actor_or_group}
    return Route(name, method, of, expected, json)
