"""Samples that people mark."""

from annotation.benchmarks.core.marks import stratified_sample

SEED = bytes(range(32))


def test_a_sample_takes_its_share_of_each_stratum_and_is_the_same_in_any_order() -> None:
    strata = {"memory": [f"m{n}" for n in range(40)], "reality": [f"r{n}" for n in range(7)], "": ["alone"]}
    found = stratified_sample(strata, 15, seed=SEED, context="x")
    assert [sum(item.startswith(letter) for item in found) for letter in "mra"] == [6, 2, 1]
    turned = {name: items[::-1] for name, items in reversed(strata.items())}
    assert stratified_sample(turned, 15, seed=SEED, context="x") == found
    assert stratified_sample(strata, 15, seed=SEED[::-1], context="x") != found
    assert len(stratified_sample(strata, 100, seed=SEED, context="x")) == 48
