import hashlib
import hmac
import math
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from annotation.core.blinding import LABELS, commitment, labels, presentation_order, seeded_order

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


def test_an_outsider_recomputes_the_order_from_the_published_rule() -> None:
    def key(response: str) -> bytes:
        message = (
            b"\x00\x00\x00\x0escrub/label/v1"
            + b"\x00\x00\x00\x03J01"
            + b"\x00\x00\x00\x06BBQ_01"
            + b"\x00\x00\x00\x02"
        )
        return hmac.new(SEED, message + response.encode(), hashlib.sha256).digest()

    assert presentation_order(SEED, judge="J01", prompt="BBQ_01", responses=SIX) == tuple(sorted(SIX, key=key))


# The orders of the next two tests were worked out with Node's crypto module.
@pytest.mark.parametrize(
    ("judge", "prompt", "order"),
    [
        ("J01", "BBQ_01", "m2 h3 m3 m1 h2 h1"),
        ("J02", "BBQ_01", "h3 h1 m3 m1 m2 h2"),
        ("J01", "HLE_07", "m3 h1 h3 h2 m2 m1"),
        ("Jürgen", "MSC_10", "h2 m3 h1 h3 m1 m2"),
    ],
)
def test_orders_are_the_same_on_every_machine_for_ever(judge: str, prompt: str, order: str) -> None:
    assert presentation_order(SEED, judge=judge, prompt=prompt, responses=SIX) == tuple(order.split())


def test_seeded_orders_are_the_same_on_every_machine_for_ever() -> None:
    assert seeded_order(SEED, "items of a judge", "J01", items=["p1", "p2", "p3", "p4"]) == ("p3", "p4", "p1", "p2")


def test_the_first_answer_in_the_order_is_a() -> None:
    order = presentation_order(SEED, judge="J01", prompt="BBQ_01", responses=SIX)
    assert labels(SEED, judge="J01", prompt="BBQ_01", responses=SIX) == dict(zip("ABCDEF", order, strict=True))


@settings(max_examples=100, deadline=None)
@given(identifiers, st.randoms(use_true_random=False), st.binary(min_size=32, max_size=32))
def test_the_order_given_makes_no_difference(responses: list[str], random, seed: bytes) -> None:
    shuffled = random.sample(responses, len(responses))
    shown = labels(seed, judge="J", prompt="P", responses=responses)
    assert shown == labels(seed, judge="J", prompt="P", responses=shuffled)
    assert tuple(shown) == LABELS[: len(responses)]
    assert sorted(shown.values()) == sorted(responses)


@pytest.mark.parametrize("count", [0, 1, 9])
def test_an_item_shows_two_to_eight_answers(count: int) -> None:
    with pytest.raises(ValueError, match="2 to 8"):
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


def test_all_720_orders_of_six_answers_are_equally_likely() -> None:
    judges = 36_000
    seen = Counter(
        presentation_order(SEED, judge=f"J{number:05}", prompt="BBQ_01", responses=SIX) for number in range(judges)
    )
    assert set(seen) == set(permutations(SIX))
    expected = judges / math.factorial(6)  # 50 of each
    statistic = sum((count - expected) ** 2 / expected for count in seen.values())
    assert chi2.sf(statistic, df=720 - 1) > 1e-4
