"""Which prompts are put under pressure, who rewrites which, and who checks it: drawn by a public seed.

What is drawn goes lowest first by HMAC-SHA256 of names, with the seed as key, as samples of prompts are: it depends
on no library's shuffle, on no ids, and not on the order in which anything was given.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Final

from annotation.platform.core.blinding import keyed_hash
from generation.prompts.core.sampling import Option, Pool, draw

_DOMAIN: Final = "scrub/framing/v1"


def choose(pools: Iterable[Pool], *, number: int, seed: int) -> dict[str, tuple[Option, ...]]:
    """`number` prompts by source, or all where there are fewer: sources as evenly as they can be, categories within
    them too (`sampling.draw`).
    """
    by_source = {pool.source: pool for pool in pools}
    sizes = _even({source: len(pool.options) for source, pool in by_source.items()}, number, seed)
    return {
        source: draw([pool], size=sizes[source], seed=seed)[source].chosen for source, pool in by_source.items()
    }


def _even(available: Mapping[str, int], number: int, seed: int) -> dict[str, int]:
    """How many of each source; the last go to the sources drawn first that have some left."""
    order = _drawn(available, seed, "source")
    sizes = dict.fromkeys(order, 0)
    for _ in range(min(number, sum(available.values()))):
        left = [source for source in order if sizes[source] < available[source]]
        sizes[min(left, key=lambda source: sizes[source])] += 1
    return sizes


def draw_rewriters(prompts: Mapping[str, Sequence[str]], rewriters: Sequence[str], *, seed: int) -> dict[str, str]:
    """The rewriter of each prompt. `prompts` are their codes by source, `rewriters` at least one name.

    Sources follow each other, prompts within them in drawn order, and rewriters take turns without a break: so no
    two rewriters differ by more than one prompt, neither within a source nor in all.
    """
    if not rewriters or len(set(rewriters)) < len(rewriters):
        raise ValueError("There must be at least one rewriter, each named once.")
    turns = cycle(_drawn(rewriters, seed, "rewriter"))
    return {
        code: next(turns)
        for source in _drawn(prompts, seed, "source")
        for code in _drawn(prompts[source], seed, "prompt", source)
    }


def checker(code: str, rewriter: str, models: Iterable[str], *, seed: int) -> str | None:
    """The model that checks a prompt's framings: drawn from those that did not write them, `None` without any."""
    others = [model for model in models if model != rewriter]
    return next(iter(_drawn(others, seed, "checker", code)), None)


def _drawn(names: Iterable[str], seed: int, *context: str) -> list[str]:
    return sorted(names, key=lambda name: keyed_hash(str(seed).encode(), _DOMAIN, *context, name))
