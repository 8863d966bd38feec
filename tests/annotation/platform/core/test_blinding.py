import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from annotation.platform.core.blinding import LABELS, commitment, labels, presentation_order, seeded_order
from tests.folders import PROJECT
from tests.thorough import examples

# The first four labels were worked out with Node's crypto module, all of them with the lines of `plain_hmac` below.
VECTORS = json.loads((PROJECT / "tests" / "vectors" / "blinding.json").read_text("utf-8"))
SEEDS = {name: bytes.fromhex(seed) for name, seed in VECTORS["seeds"].items()}
SEED = bytes(range(32))
SIX = ("h1", "h2", "h3", "m1", "m2", "m3")

identifiers = st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=8, unique=True)


def test_the_commitment_is_the_plain_hash_of_the_seed() -> None:
    # python -c 'print("".join(map(chr, range(32))), end="")' | sha256sum
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize("seed", [b"", b"42", bytes(31), bytes(33)])
def test_a_seed_that_is_not_32_bytes_is_refused(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(seed)
    with pytest.raises(ValueError, match="32 bytes"):
        presentation_order(seed, judge="J01", prompt="BBQ_01", responses=SIX)
    with pytest.raises(ValueError, match="32 bytes"):
        seeded_order(seed, items=[])


def plain_hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 as RFC 2104 writes it, with nothing but a hash."""
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def outsiders_order(seed: bytes, parts: list[str], items: list[str]) -> list[str]:
    """The published rule, by somebody who has the published data and none of this program."""

    def key(item: str) -> bytes:
        encoded = [part.encode() for part in (*parts, item)]
        return plain_hmac(seed, b"".join(len(part).to_bytes(4, "big") + part for part in encoded))

    return sorted(items, key=key)


@pytest.mark.parametrize("vector", VECTORS["labels"], ids=str)
def test_labels_are_the_same_on_every_machine_for_ever(vector: dict[str, Any]) -> None:
    judge, prompt, responses = vector["judge"], vector["prompt"], vector["responses"]
    assert labels(SEEDS[vector["seed"]], judge=judge, prompt=prompt, responses=responses) == vector["labels"]


@pytest.mark.parametrize("vector", VECTORS["labels"], ids=str)
def test_an_outsider_recomputes_the_labels_from_the_published_rule(vector: dict[str, Any]) -> None:
    parts = ["scrub/label/v1", vector["judge"], vector["prompt"]]
    order = outsiders_order(SEEDS[vector["seed"]], parts, vector["responses"])
    assert dict(zip("ABCDEFGH", order, strict=False)) == vector["labels"]


@pytest.mark.parametrize("vector", VECTORS["orders"], ids=str)
def test_other_orders_are_the_same_on_every_machine_for_ever(vector: dict[str, Any]) -> None:
    seed, order = SEEDS[vector["seed"]], vector["order"]
    assert list(seeded_order(seed, *vector["context"], items=vector["items"])) == order
    assert outsiders_order(seed, ["scrub/order/v1", *vector["context"]], vector["items"]) == order


def test_commitments_are_the_same_on_every_machine_for_ever() -> None:
    assert {name: commitment(seed) for name, seed in SEEDS.items()} == VECTORS["commitments"]


RECOMPUTE = """
import json, sys
from annotation.platform.core.blinding import labels
vectors = json.load(sys.stdin)
seeds = {name: bytes.fromhex(seed) for name, seed in vectors["seeds"].items()}
print(json.dumps([
    labels(seeds[v["seed"]], judge=v["judge"], prompt=v["prompt"], responses=set(v["responses"]))
    for v in vectors["labels"]
]))
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
@pytest.mark.parametrize("python", [pytest.param(sys.executable, id="this python"), "python3.12", "python3.13"])
def test_labels_depend_neither_on_the_python_nor_on_its_hash_seed(python: str, hash_seed: str) -> None:
    """A set comes in another order under another hash seed: the labels do not."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    command = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    if not shutil.which(python) or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip(f"{python} is not installed here.")
    printed = subprocess.run(
        [python, "-c", RECOMPUTE],
        cwd=PROJECT,
        env=environment,
        input=json.dumps(VECTORS),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert json.loads(printed) == [vector["labels"] for vector in VECTORS["labels"]]


def test_the_first_answer_in_the_order_is_a() -> None:
    order = presentation_order(SEED, judge="J01", prompt="BBQ_01", responses=SIX)
    assert labels(SEED, judge="J01", prompt="BBQ_01", responses=SIX) == dict(zip("ABCDEF", order, strict=True))


@examples(100)
@given(identifiers, st.randoms(use_true_random=False), st.binary(min_size=32, max_size=32))
def test_the_order_given_makes_no_difference(responses: list[str], random: Random, seed: bytes) -> None:
    shuffled = random.sample(responses, len(responses))
    shown = labels(seed, judge="J", prompt="P", responses=responses)
    assert shown == labels(seed, judge="J", prompt="P", responses=shuffled)
    assert tuple(shown) == LABELS[: len(responses)]
    assert sorted(shown.values()) == sorted(responses)


@pytest.mark.parametrize("count", [0, 9])
def test_an_item_shows_one_to_eight_answers(count: int) -> None:
    with pytest.raises(ValueError, match="1 to 8"):
        presentation_order(SEED, judge="J01", prompt="BBQ_01", responses=[str(number) for number in range(count)])


def test_the_same_answer_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        labels(SEED, judge="J01", prompt="BBQ_01", responses=["a", "b", "a"])
    with pytest.raises(ValueError, match="twice"):
        seeded_order(SEED, items=["a", "a"])


def test_identifiers_cannot_run_into_one_another() -> None:
    # without the lengths, "J1" + "2P" and "J12" + "P" would be one message
    ten = [str(number) for number in range(10)]
    assert seeded_order(SEED, "J1", "2P", items=ten) != seeded_order(SEED, "J12", "P", items=ten)
    assert seeded_order(SEED, "J12", items=ten) != seeded_order(SEED, "J1", "2", items=ten)


def test_labels_and_other_orders_are_drawn_apart() -> None:
    eight = [f"r{number}" for number in range(8)]
    other = seeded_order(SEED, "J01", "BBQ_01", items=eight)
    assert presentation_order(SEED, judge="J01", prompt="BBQ_01", responses=eight) != other


# The value that a χ² with 719 degrees of freedom exceeds once in 10,000 times: chi2.isf(1e-4, 719).
CRITICAL_719 = 868.65


def chi_square(counts: list[int], draws: int, cells: int) -> float:
    """The statistic against equally likely cells."""
    expected = draws / cells
    return sum((count - expected) ** 2 / expected for count in counts)


@pytest.mark.parametrize("seed", ["counting", "digest"])
def test_all_720_orders_of_six_answers_are_equally_likely(seed: str) -> None:
    judges = 36_000
    seen = Counter(
        presentation_order(SEEDS[seed], judge=f"J{number:05}", prompt="BBQ_01", responses=SIX)
        for number in range(judges)
    )
    assert set(seen) == set(permutations(SIX))
    # 50 of each are expected
    assert chi_square(list(seen.values()), judges, math.factorial(6)) < CRITICAL_719


def test_the_test_of_the_720_orders_can_fail() -> None:
    """One order in a hundred turned into another one is noticed: 360 of 36,000, 50 + 360 in that one cell."""
    even = [50] * 720
    even[0] += 360
    assert chi_square(even, 36_360, 720) > CRITICAL_719
    assert pytest.approx(chi2.isf(1e-4, 719), abs=0.01) == CRITICAL_719


def test_every_answer_comes_first_equally_often_whatever_the_other_answers_are() -> None:
    """Of 6,000 judges 1,000 meet each answer as A; 5 degrees of freedom, 25.7 exceeded once in 10,000 times."""
    first = Counter(
        presentation_order(SEED, judge=f"J{number:05}", prompt="HLE_07", responses=SIX)[0]
        for number in range(6_000)
    )
    assert chi_square([first[answer] for answer in SIX], 6_000, 6) < 25.75
