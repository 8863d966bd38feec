"""Prompts are chosen and their rewriters drawn by a key, and evenly."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.framing.core.rewriter_draw import checker, choose, draw_rewriters
from generation.prompts.core.sampling import Option, Pool

SOURCES = {source: [f"{source}_{number:02}" for number in range(1, 11)] for source in ("BBQ", "HLE", "MSC")}
MODELS = ("claude", "gemini", "gpt")


def test_thirty_prompts_go_to_three_rewriters_in_batches_of_ten() -> None:
    drawn = draw_rewriters(SOURCES, MODELS, seed=42)
    assert Counter(drawn.values()) == dict.fromkeys(MODELS, 10)
    for codes in SOURCES.values():
        assert sorted(Counter(drawn[code] for code in codes).values()) == [3, 3, 4]


@given(
    sizes=st.lists(st.integers(0, 13), min_size=1, max_size=5), rewriters=st.integers(1, 5), seed=st.integers(0, 99)
)
def test_rewriters_differ_by_one_prompt_at_most_within_a_source_and_in_all(
    sizes: list[int], rewriters: int, seed: int
) -> None:
    prompts = {f"S{place}": [f"S{place}_{number}" for number in range(size)] for place, size in enumerate(sizes)}
    names = [f"m{number}" for number in range(rewriters)]
    drawn = draw_rewriters(prompts, names, seed=seed)
    assert sorted(drawn) == sorted(code for codes in prompts.values() for code in codes)
    for codes in (*prompts.values(), drawn):
        shares = Counter(drawn[code] for code in codes)
        assert max(shares[name] for name in names) - min(shares[name] for name in names) <= 1


def test_the_draw_depends_on_the_seed_and_not_on_the_order_given() -> None:
    backwards = {source: codes[::-1] for source, codes in reversed(SOURCES.items())}
    assert draw_rewriters(SOURCES, MODELS, seed=42) == draw_rewriters(backwards, MODELS[::-1], seed=42)
    assert draw_rewriters(SOURCES, MODELS, seed=42) != draw_rewriters(SOURCES, MODELS, seed=43)


def test_over_many_seeds_each_rewriter_gets_a_prompt_equally_often() -> None:
    times = Counter(draw_rewriters(SOURCES, MODELS, seed=seed)["HLE_03"] for seed in range(300))
    assert all(70 <= number <= 130 for number in times.values())  # 100 ± 3.7 standard deviations


def test_rewriters_are_at_least_one_and_named_once() -> None:
    for names in ((), ("gpt", "gpt")):
        with pytest.raises(ValueError, match="at least one rewriter"):
            draw_rewriters(SOURCES, names, seed=42)


def test_a_checker_never_checks_what_it_wrote() -> None:
    drawn = draw_rewriters(SOURCES, MODELS, seed=42)
    checkers = {code: checker(code, rewriter, MODELS, seed=42) for code, rewriter in drawn.items()}
    assert all(checkers[code] in set(MODELS) - {rewriter} for code, rewriter in drawn.items())
    assert set(checkers.values()) == set(MODELS)
    assert checker("BBQ_01", "gpt", ("gpt",), seed=42) is None


def pool(source: str, **strata: int) -> Pool:
    options = tuple(
        Option(stratum, f"{stratum}{number}", "", f"{source}_{stratum}{number}")
        for stratum, size in strata.items()
        for number in range(size)
    )
    return Pool(source, frozenset(strata), frozenset(), options)


def test_prompts_are_chosen_evenly_from_sources_and_within_them_from_categories() -> None:
    pools = [pool("BBQ", age=20, race=20), pool("HLE", law=9, art=1), pool("MSC", trust=4)]
    chosen = choose(pools, number=20, seed=42)
    assert {source: len(options) for source, options in chosen.items()} == {"BBQ": 8, "HLE": 8, "MSC": 4}
    assert Counter(option.stratum for option in chosen["BBQ"]) == {"age": 4, "race": 4}
    assert Counter(option.stratum for option in chosen["HLE"]) == {"law": 7, "art": 1}


def test_where_there_are_fewer_prompts_all_are_chosen() -> None:
    assert len(choose([pool("BBQ", age=2)], number=30, seed=1)["BBQ"]) == 2
