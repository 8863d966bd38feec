"""Names that distinguish a study's models wherever their answers or scores stand side by side."""

from collections import Counter
from collections.abc import Mapping


def told_apart(called: Mapping[int, tuple[str, str]]) -> dict[int, str]:
    """The name of each by its id; `called` has what it goes by, and what else is known of it.

    Of several that go by one name, such as a model that was retired and its successor, the rest is named too; those
    that are alike still are numbered from 1 on, in the order of their ids.
    """
    times = Counter(name for name, _ in called.values())
    longer = {pk: f"{name} ({rest})" if times[name] > 1 else name for pk, (name, rest) in sorted(called.items())}
    times, seen = Counter(longer.values()), Counter[str]()
    found = {}
    for pk, name in longer.items():
        seen[name] += 1
        found[pk] = f"{name} {seen[name]}" if times[name] > 1 else name
    return found
