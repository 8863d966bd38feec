"""Which scenarios of a source a trial is about: a few, spread over its strata."""

from collections import defaultdict
from collections.abc import Mapping
from itertools import chain, islice, zip_longest
from typing import Final

from annotation.platform.core.blinding import keyed_hash

_DOMAIN: Final = "scrub/trial/v1"


def drawn_for_trial(strata: Mapping[str, str], *, source: str, number: int, seed: int) -> set[str]:
    """The keys of `number` scenarios, or all where there are fewer; `strata` has the stratum of each key.

    Strata take turns in an order that is drawn, and so does what each gives: by names and the seed alone. A larger
    number only adds to what a smaller one draws.
    """

    def rank(*names: str) -> bytes:
        return keyed_hash(str(seed).encode(), _DOMAIN, source, *names)

    keys: dict[str, list[str]] = defaultdict(list)
    for key in sorted(strata, key=lambda key: rank("scenario", key)):
        keys[strata[key]].append(key)
    turns = zip_longest(*(keys[stratum] for stratum in sorted(keys, key=lambda stratum: rank("stratum", stratum))))
    return set(islice((key for key in chain.from_iterable(turns) if key is not None), number))
