"""Composed prompts have the form asked of models, differ as asked, and are judged by what they say."""

import json
from itertools import combinations

import pytest

from generation.calls.core.retries import FaultOfBundle
from generation.demo.core.synthetic_prompts import FAULTS, compare_prompts, compose_bundle, judge_prompt, spoilt
from generation.prompts.core.prompt_replies import BadBundle, WrittenBundle, read_bundle, tagged
from generation.prompts.core.vote_replies import read_comparison, read_quality

MATERIALS = [f"At counter {number} two tenants wait, and a complaint is decided." for number in range(40)]
JUDGES = ("aurora", "boreal", "cobalt")


def bundles(*, number: int = 5, quality: float = 0.8, variety: float = 0.8, seed: str = "s") -> list[WrittenBundle]:
    return [
        compose_bundle(material, number=number, seed=seed, quality=quality, variety=variety)
        for material in MATERIALS
    ]


def texts(quality: float = 0.8) -> list[str]:
    return [prompt.text for bundle in bundles(quality=quality) for prompt in bundle.prompts]


def share_passed(prompts: list[str]) -> float:
    verdicts = [bool(judge_prompt(text, judge=judge)["passes"]) for text in prompts for judge in JUDGES]
    return sum(verdicts) / len(verdicts)


def share_alike(variety: float) -> float:
    pairs = [
        pair
        for bundle in bundles(variety=variety)
        for pair in combinations([prompt.text for prompt in bundle.prompts], 2)
    ]
    return sum(bool(compare_prompts(*pair, judge="aurora")["is_equivalent"]) for pair in pairs) / len(pairs)


@pytest.mark.parametrize("number", [1, 5, 20])
def test_every_bundle_is_in_the_form_asked_for(number: int) -> None:
    for bundle in bundles(number=number, quality=0.3):
        assert read_bundle(tagged(bundle), number=number) == bundle


def test_the_same_arguments_give_the_same_bundle_and_another_seed_another() -> None:
    assert bundles() == bundles()
    assert bundles() != bundles(seed="t")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_spoilt_bundle_has_just_this_fault(fault: FaultOfBundle) -> None:
    for bundle in bundles():
        with pytest.raises(BadBundle) as found:
            read_bundle(spoilt(bundle, fault), number=5)
        assert found.value.fault == fault


def test_the_better_the_generator_the_more_of_its_prompts_pass() -> None:
    worst, middling, best = (share_passed(texts(quality)) for quality in (0, 0.6, 1))
    assert worst < middling < best
    assert best > 0.9


def test_the_less_variety_the_more_prompts_of_a_bundle_are_alike() -> None:
    none, some, all_of_it = (share_alike(variety) for variety in (0, 0.5, 1))
    assert none > 0.5 > some > all_of_it
    assert all_of_it < 0.1


def test_votes_can_be_read_and_do_not_depend_on_the_order_of_two_prompts() -> None:
    for first, second in combinations(texts()[:20], 2):
        vote, turned = (compare_prompts(*pair, judge="aurora") for pair in ((first, second), (second, first)))
        assert vote["is_equivalent"] == turned["is_equivalent"]


def test_judges_differ_and_their_verdicts_follow_from_their_reasons() -> None:
    differ = 0
    for text in texts(0.3):
        votes = [read_quality(json.dumps(judge_prompt(text, judge=judge))) for judge in JUDGES]
        differ += len({vote.passes for vote in votes}) > 1
    assert differ > 0
    assert read_comparison(json.dumps(compare_prompts("One?", "Other?", judge="aurora")))
