"""Which prompts are chosen from many: a sample spread over strata, generators and scenarios.

What counts first comes first: the number wanted; strata as evenly as they can be; no scenario twice where another
of its stratum could stand in; generators as evenly as they then can be. Whatever is left open is drawn: lowest goes
first by HMAC-SHA256 of names, with the seed as key. So a sample depends on no library's shuffle, on no ids, and not
on the order in which anything was given.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from annotation.platform.core.blinding import keyed_hash
from annotation.platform.core.phrases import counted

_DOMAIN: Final = "scrub/sample/v1"


@dataclass(frozen=True, order=True)
class Option:
    """A prompt that may be chosen. No two have all of these in common; none of these is a database's id."""

    stratum: str
    scenario: str
    generator: str
    name: str


@dataclass(frozen=True)
class Pool:
    """A source's prompts that may be chosen, and all its strata and generators, those without any included.

    `unwritten` are the strata that no prompt was written from yet.
    """

    source: str
    strata: frozenset[str]
    generators: frozenset[str]
    options: tuple[Option, ...]
    unwritten: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Share:
    """How many prompts of a stratum or by a generator could be chosen, and how many were."""

    name: str
    eligible: int
    chosen: int


@dataclass(frozen=True)
class Drawn:
    """A sample of one source, by stratum, scenario, generator and name; and what it came from."""

    wanted: int
    chosen: tuple[Option, ...]
    strata: tuple[Share, ...]
    generators: tuple[Share, ...]
    unwritten: frozenset[str]

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """What, in sentences, a sample should have and this one could not."""
        if all(stratum.name in self.unwritten for stratum in self.strata):
            return ("No prompt is written from it yet.",)
        found = (self._too_few(), self._not_there(), self._left_out(), self._repeats(), self._uneven())
        return tuple(filter(None, found))

    def _too_few(self) -> str:
        missing = self.wanted - len(self.chosen)
        return f"{missing} fewer than wanted: no other prompt passes." if missing else ""

    def _not_there(self) -> str:
        return f"No prompt is written yet in {', '.join(sorted(self.unwritten))}." if self.unwritten else ""

    def _left_out(self) -> str:
        empty = [share.name for share in self.strata if not share.eligible and share.name not in self.unwritten]
        return f"No prompt passes in {', '.join(empty)}." if empty else ""

    def _repeats(self) -> str:
        times = Counter(option.scenario for option in self.chosen)
        repeated = [scenario for scenario, number in times.items() if number > 1]
        return f"{counted(len(repeated), 'scenario')} had to be used more than once." if repeated else ""

    def _uneven(self) -> str:
        numbers = [generator.chosen for generator in self.generators]
        if not numbers or max(numbers) - min(numbers) <= 1:
            return ""
        shares = ", ".join(f"{generator.name} {generator.chosen}" for generator in self.generators)
        return f"Generators could not be made even: {shares}."


def draw(pools: Iterable[Pool], *, size: int, seed: int) -> dict[str, Drawn]:
    """Choose `size` prompts of each source, or all where there are fewer, by source.

    Generators are as even as can be within each source, and then together with the sources before it by name.
    """
    drawn: dict[str, Drawn] = {}
    so_far = Counter[str]()
    for pool in sorted(pools, key=lambda pool: pool.source):
        drawn[pool.source] = _draw(pool, size, seed, so_far)
        so_far.update(option.generator for option in drawn[pool.source].chosen)
    return drawn


def _draw(pool: Pool, size: int, seed: int, elsewhere: Mapping[str, int]) -> Drawn:
    picking = _Picking(pool, seed, elsewhere)
    for stratum, quota in picking.quotas(size).items():
        for _ in range(quota):
            picking.pick(stratum)
    while exchanges := picking.improvement():
        for given_up, taken in exchanges:
            picking.exchange(given_up, taken)
    return Drawn(
        wanted=size,
        chosen=tuple(sorted(picking.chosen)),
        strata=_shares(pool.strata, [(option.stratum, option in picking.chosen) for option in pool.options]),
        generators=_shares(
            pool.generators, [(option.generator, option in picking.chosen) for option in pool.options]
        ),
        unwritten=pool.unwritten,
    )


def _shares(names: Collection[str], found: Collection[tuple[str, bool]]) -> tuple[Share, ...]:
    """Shares by name; `found` says of each option whose it is, and whether it was chosen."""
    eligible = Counter(name for name, _ in found)
    chosen = Counter(name for name, is_chosen in found if is_chosen)
    return tuple(Share(name, eligible[name], chosen[name]) for name in sorted(names))


Exchange = tuple[Option, Option]  # given up, taken instead


class _Picking:
    """A sample while it is being put together."""

    def __init__(self, pool: Pool, seed: int, elsewhere: Mapping[str, int]) -> None:
        self.chosen: set[Option] = set()
        self._key, self._source = str(seed).encode(), pool.source
        self._by_stratum: dict[str, list[Option]] = defaultdict(list)
        for option in sorted(pool.options, key=self._rank):
            self._by_stratum[option.stratum].append(option)
        self._uses = Counter[str]()
        self._in_source = Counter[str]()
        self._in_all = Counter(elsewhere)

    def _rank(self, option: Option) -> bytes:
        return self._hash("prompt", option.stratum, option.scenario, option.generator, option.name)

    def _hash(self, *names: str) -> bytes:
        return keyed_hash(self._key, _DOMAIN, self._source, *names)

    def quotas(self, size: int) -> dict[str, int]:
        """How many to choose of each stratum: as even as its options allow.

        The last go where they need no scenario again, and among such strata to those drawn first.
        """
        order = sorted(self._by_stratum, key=lambda stratum: self._hash("stratum", stratum))
        scenarios = {name: len({option.scenario for option in self._by_stratum[name]}) for name in order}
        quotas = dict.fromkeys(order, 0)
        for _ in range(min(size, sum(map(len, self._by_stratum.values())))):
            open_ones = [name for name in order if quotas[name] < len(self._by_stratum[name])]
            quotas[min(open_ones, key=lambda name: (quotas[name], quotas[name] >= scenarios[name]))] += 1
        return quotas

    def pick(self, stratum: str) -> None:
        """Choose the next of a stratum: of a scenario used least, by a generator that has least."""
        left = [option for option in self._by_stratum[stratum] if option not in self.chosen]
        self._count(min(left, key=lambda option: (self._uses[option.scenario], *self._load(option.generator))), 1)

    def exchange(self, given_up: Option, taken: Option) -> None:
        self._count(given_up, -1)
        self._count(taken, 1)

    def _count(self, option: Option, by: int) -> None:
        if by > 0:
            self.chosen.add(option)
        else:
            self.chosen.remove(option)
        self._uses[option.scenario] += by
        self._in_source[option.generator] += by
        self._in_all[option.generator] += by

    def _load(self, generator: str) -> tuple[int, int]:
        return self._in_source[generator], self._in_all[generator]

    def improvement(self) -> list[Exchange]:
        """Exchanges that, made together, leave generators more even; none where they are as even as can be.

        An exchange within a stratum passes one place from a generator to another. A generator that has too many
        may have to pass one on by way of others, so the shortest such way is looked for. On a shortest way no two
        exchanges are in each other's way: where two meet in a stratum or a scenario, there is a shorter one.
        """
        passes = self._passes()
        heaviest_first = sorted(self._in_source, key=lambda name: (*self._load(name), name), reverse=True)
        for start in heaviest_first:
            ways: dict[str, list[Exchange]] = {start: []}
            waiting = deque([start])
            while waiting:
                here = waiting.popleft()
                if self._is_better(start, here):
                    return ways[here]
                for there in sorted(passes[here].keys() - ways.keys()):
                    ways[there] = [*ways[here], passes[here][there]]
                    waiting.append(there)
        return []

    def _is_better(self, giving: str, taking: str) -> bool:
        """Whether sums of squares shrink, the source's first, if one place passes between two generators."""
        (given, given_in_all), (taken, taken_in_all) = self._load(giving), self._load(taking)
        return (taken - given + 1, taken_in_all - given_in_all + 1) < (0, 0)

    def _passes(self) -> dict[str, dict[str, Exchange]]:
        """Exchanges by the generator that gives a place and the one that takes it: of each the first drawn."""
        found: dict[str, dict[str, Exchange]] = defaultdict(dict)
        for options in self._by_stratum.values():
            for given_up, taken in self._exchanges(options):
                found[given_up.generator].setdefault(taken.generator, (given_up, taken))
        return found

    def _exchanges(self, options: list[Option]) -> Iterable[Exchange]:
        """Exchanges within a stratum after which its scenarios are used as evenly as before.

        Either the scenario stays, or one used less takes the place; by each generator the first drawn of those
        whose scenario is used most, or least, stands for all.
        """
        chosen = [option for option in options if option in self.chosen]
        left = [option for option in options if option not in self.chosen]
        by_scenario: dict[str, list[Option]] = defaultdict(list)
        for option in left:
            by_scenario[option.scenario].append(option)
        for option in chosen:
            for other in by_scenario[option.scenario]:
                yield option, other
        most = _first_by_generator(sorted(chosen, key=lambda option: -self._uses[option.scenario]))
        least = _first_by_generator(sorted(left, key=lambda option: self._uses[option.scenario]))
        for given_up in most.values():
            for taken in least.values():
                if self._uses[taken.scenario] < self._uses[given_up.scenario]:
                    yield given_up, taken


def _first_by_generator(options: Iterable[Option]) -> dict[str, Option]:
    found: dict[str, Option] = {}
    for option in options:
        found.setdefault(option.generator, option)
    return found
