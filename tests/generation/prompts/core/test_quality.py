"""When a prompt passes, and how far its judges agree."""

from dataclasses import asdict

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.platform.core.category_agreement import cohen
from generation.prompts.core.quality import CRITERIA, REASONS, REJECTIONS, Assessment, between_judges

SOUND = Assessment(depth=True, open_endedness=True, generalisation=True)


class TestAVerdict:
    def test_a_verdict_passes_what_meets_every_criterion_and_has_nothing_against_it(self) -> None:
        assert SOUND.passes
        assert SOUND.against == ()

    @pytest.mark.parametrize("criterion", CRITERIA)
    def test_a_verdict_fails_what_lacks_a_criterion(self, criterion: str) -> None:
        lacking = Assessment(**{**asdict(SOUND), criterion: False})
        assert not lacking.passes
        assert lacking.against == (criterion,)

    @pytest.mark.parametrize("rejection", REJECTIONS)
    def test_a_verdict_fails_what_is_rejected_though_it_meets_every_criterion(self, rejection: str) -> None:
        rejected = Assessment(True, True, True, (rejection,))
        assert not rejected.passes
        assert rejected.against == (rejection,)

    def test_a_verdict_names_all_that_speaks_against_a_prompt_by_codes_that_have_words(self) -> None:
        worst = Assessment(False, False, False, tuple(REJECTIONS))
        assert worst.against == tuple(REASONS)


class TestTwoJudges:
    def test_two_judges_agree_by_as_much_as_chance_does_not_explain(self) -> None:
        # 20 pass with both, 15 fail with both, 5 pass with the first alone, 10 with the second alone: n = 50.
        # p_o = 35/50 = 0.7; p_e = 25/50 · 30/50 + 25/50 · 20/50 = 0.5; κ = (0.7 − 0.5) / 0.5 = 0.4.
        counts = {(True, True): 20, (False, False): 15, (True, False): 5, (False, True): 10}
        found = cohen(verdicts for verdicts, number in counts.items() for _ in range(number))
        assert (found.n, found.share) == (50, 0.7)
        assert found.kappa == pytest.approx(0.4)
        # n(1 − p_e)²·Var = 0.4·(1 − 1.1·0.6)² + 0.3·(1 − 0.9·0.6)² + 0.6²·(0.1·1.1² + 0.2·0.9²) − (0.4 − 0.5·0.6)²
        # = 0.2016, so that the standard error is √(0.2016/(50·0.25)) = 0.1270. Fisher's z of κ is 0.42365, and lies
        # within ± 1.96·0.1270/(1 − 0.4²) = 0.29633: tanh 0.12732 = 0.1266 and tanh 0.71998 = 0.6169.
        assert found.interval == pytest.approx((0.1266, 0.6169), abs=5e-5)

    @pytest.mark.parametrize("others", [1, 2, 9])
    def test_no_interval_of_kappa_is_cut_off_at_what_it_can_be(self, others: int) -> None:
        found = cohen([(True, True)] * 3 + [(False, False)] * others + [(True, False)])
        assert found.kappa is not None
        assert found.interval is not None
        assert -1 < found.interval[0] < found.kappa < found.interval[1] < 1

    def test_two_judges_who_always_contradict_each_other_agree_less_than_by_chance(self) -> None:
        # p_o = 0; p_e = 1/2 · 1/2 + 1/2 · 1/2 = 1/2; κ = −1/2 / (1/2).
        found = cohen([(True, False), (False, True)])
        assert (found.share, found.kappa, found.interval) == (0, -1, None)

    def test_two_judges_who_give_one_verdict_throughout_have_a_share_and_no_kappa(self) -> None:
        found = cohen([(True, True)] * 3)
        assert (found.n, found.share, found.kappa, found.reason) == (3, 1, None, "one verdict throughout")

    def test_two_judges_without_anything_in_common_have_neither_a_share_nor_kappa(self) -> None:
        assert (cohen([]).share, cohen([]).kappa, cohen([]).reason) == (None, None, "nothing judged by both")

    def test_an_interval_of_kappa_covers_it_at_its_rate(self) -> None:
        # Two judges pass 0.6 each, and agree on 0.76: p_e = 0.36 + 0.16 = 0.52, κ = 0.24 / 0.48 = 0.5.
        rng = np.random.default_rng(1)
        pairs = [(True, True), (False, False), (True, False), (False, True)]
        drawn = rng.multinomial(150, [0.48, 0.28, 0.12, 0.12], size=600)
        held = 0
        for numbers in drawn:
            interval = cohen(
                pair for pair, number in zip(pairs, numbers, strict=True) for _ in range(number)
            ).interval
            assert interval
            held += interval[0] <= 0.5 <= interval[1]
        assert held / 600 == pytest.approx(0.95, abs=0.03)


class TestAllJudges:
    def test_all_judges_are_compared_two_by_two_on_what_both_judged(self) -> None:
        found = between_judges([{2: True, 1: True}, {1: True, 3: False}, {1: False, 2: True, 3: False}])
        assert {judges: (pair.n, pair.share) for judges, pair in found.pairs.items()} == {
            (1, 2): (2, 1 / 2),
            (1, 3): (2, 1 / 2),
            (2, 3): (1, 0),
        }

    def test_all_judges_have_an_alpha_over_things_with_two_verdicts_or_more(self) -> None:
        # Verdicts 11, 10, 001, and a lone 1 that nothing can be compared with.
        # Unequal ordered pairs: 0 of 11; 2/1 of 10; 2·1·2/2 = 2 of 001: 4 in all.
        # 7 verdicts, 4 passes: 2·4·3/6 = 4 were to be expected; α = 1 − 4/4 = 0.
        things = [{1: True, 2: True}, {1: True, 2: False}, {1: False, 2: False, 3: True}, {1: True}]
        found = between_judges(things)
        assert found.alpha == pytest.approx(0)
        assert found.n == 3

    @pytest.mark.parametrize("things", [[], [{1: True}], [{1: True, 2: True}, {1: True, 3: True}]])
    def test_all_judges_have_no_alpha_without_two_different_verdicts(self, things: list[dict[int, bool]]) -> None:
        assert between_judges(things).alpha is None

    @given(
        st.lists(
            st.dictionaries(st.sampled_from([1, 2, 3]), st.booleans(), min_size=2, max_size=3),
            min_size=2,
            max_size=30,
        )
    )
    def test_all_judges_have_the_alpha_that_the_published_package_finds(
        self, things: list[dict[int, bool]]
    ) -> None:
        assume(len({verdict for thing in things for verdict in thing.values()}) == 2)
        values = np.array([[thing.get(judge, np.nan) for thing in things] for judge in (1, 2, 3)], dtype=float)
        expected = krippendorff.alpha(values, level_of_measurement="nominal")
        assert between_judges(things).alpha == pytest.approx(expected)
