"""Whose family wrote an answer, and its length: what the panel's scores may follow besides quality."""

from collections.abc import Mapping

import pandas as pd
import pytest

from analysis.panel.core import panel_effects
from analysis.panel.core.panel_effects import NOTHING_TO_COMPARE, LengthEffect, SelfFamily
from tests.analysis.agreement.core.rankings import ends, why_no_interval

COLUMNS = ["prompt_id", "response_id", "family", "words", "judge", "judge_family", "score"]


def self_family_effects(frame: pd.DataFrame) -> list[SelfFamily]:
    return panel_effects.self_family_effects(frame, level=0.95)


def length_effects(frame: pd.DataFrame) -> list[LengthEffect]:
    return panel_effects.length_effects(frame, level=0.95)


def scored(*rows: tuple[str, str, int, Mapping[str, float]]) -> pd.DataFrame:
    """Rows for (prompt, family, words, judge → score). A judge “gpt 2” is of the family “gpt”."""
    return pd.DataFrame(
        [
            (prompt, f"{prompt}-{family}-{number}", family, words, judge, judge.split()[0], score)
            for number, (prompt, family, words, scores) in enumerate(rows)
            for judge, score in scores.items()
        ],
        columns=COLUMNS,
    )


class TestSelfFamily:
    def test_the_self_family_effect_is_the_lead_on_own_answers_beyond_that_on_others(self) -> None:
        frame = scored(
            ("P1", "claude", 400, {"claude": 9, "gpt": 7}),
            ("P1", "gpt", 400, {"claude": 6, "gpt": 7}),
            ("P2", "claude", 400, {"claude": 8, "gpt": 8}),
            ("P2", "gpt", 400, {"claude": 7, "gpt": 8}),
        )
        claude, gpt = self_family_effects(frame)
        # P1: (9 − 7) − (6 − 7) = 3; P2: (8 − 8) − (7 − 8) = 1. Mean 2, sd √2, se 1.
        assert (claude.judge, claude.lead.mean.value, claude.lead.mean.n) == ("claude", 2, 2)
        assert claude.lead.se.value == pytest.approx(1)
        # t of one degree of freedom at 97.5 % is 12.706.
        assert ends(claude.lead.mean)[0] == pytest.approx(2 - 12.706, abs=1e-3)
        # With two judges the other's lead is the same seen from its side: (7 − 6) − (7 − 9) = 3 and 1 − 0 = 1.
        assert (gpt.judge, gpt.lead.mean.value) == ("gpt", 2)

    def test_no_interval_of_the_self_family_effect_leaves_what_is_possible(self) -> None:
        frame = scored(
            ("P1", "claude", 400, {"claude": 10, "gpt": 1}),
            ("P1", "gpt", 400, {"claude": 1, "gpt": 10}),
            ("P2", "claude", 400, {"claude": 8, "gpt": 8}),
            ("P2", "gpt", 400, {"claude": 7, "gpt": 8}),
        )
        [claude, _gpt] = panel_effects.self_family_effects(frame, level=0.95, scale=(1.0, 10.0))
        # A lead is between −9 and 9, and one less another between −18 and 18.
        low, high = ends(claude.lead.mean)
        assert -18 <= low < 9.5 < high <= 18

    def test_the_self_family_effect_goes_by_the_family_of_a_judges_model_whatever_it_is_called(self) -> None:
        frame = scored(
            ("P1", "claude", 400, {"claude 2": 9, "gpt": 7}),
            ("P1", "gpt", 400, {"claude 2": 6, "gpt": 7}),
        )
        claude, _gpt = self_family_effects(frame)
        assert (claude.judge, claude.lead.mean.value) == ("claude 2", 3)  # (9 − 7) − (6 − 7)

    def test_a_judge_who_is_kinder_to_everybody_favours_nobody(self) -> None:
        frame = scored(
            ("P1", "claude", 400, {"claude": 9, "gpt": 7}),
            ("P1", "gpt", 400, {"claude": 8, "gpt": 6}),
        )
        assert [effect.lead.mean.value for effect in self_family_effects(frame)] == [0, 0]

    def test_peoples_answers_do_not_enter_the_self_family_effect(self) -> None:
        rows = [
            ("P1", "claude", 400, {"claude": 9, "gpt": 7}),
            ("P1", "gpt", 400, {"claude": 6, "gpt": 7}),
        ]
        people = ("P1", "human", 400, {"claude": 1, "gpt": 10})
        assert self_family_effects(scored(*rows, people)) == self_family_effects(scored(*rows))

    @pytest.mark.parametrize(
        "rows",
        [
            [("P1", "claude", 400, {"gpt": 7}), ("P1", "gpt", 400, {"gpt": 7})],
            [("P1", "human", 400, {"gpt": 7, "claude": 8})],
            [("P1", "kimi", 400, {"gpt": 7, "claude": 8})],
        ],
        ids=["one judge", "people only", "no own family"],
    )
    def test_without_anything_to_compare_there_is_no_self_family_effect_but_a_reason(
        self, rows: list[tuple[str, str, int, dict[str, int]]]
    ) -> None:
        for effect in self_family_effects(scored(*rows)):
            assert effect.lead.mean.value is None
            assert effect.lead.mean.reason == NOTHING_TO_COMPARE


class TestLength:
    def test_the_effect_of_length_is_the_slope_within_prompts_and_kinds_of_writer(self) -> None:
        frame = scored(
            ("P1", "human", 300, {"claude": 5}),
            ("P1", "human", 500, {"claude": 6}),
            ("P1", "gpt", 400, {"claude": 8}),
            ("P2", "human", 200, {"claude": 4}),
            ("P2", "human", 400, {"claude": 8}),
        )
        whole, claude = length_effects(frame)
        # In hundreds of words, around each group's mean: P1 (−1, −½), (1, ½): Σxy = 1, Σx² = 2; the one model's
        # answer tells nothing. P2 (−1, −2), (1, 2): Σxy = 4, Σx² = 2. Slope 5/4.
        assert (whole.judge, whole.slope.value, whole.slope.n, whole.slope.left_out) == ("", 1.25, 4, 1)
        assert claude.slope.value == 1.25
        # Without P1 2, without P2 ½; variance around 1.25 is 0.5625, se √(1 · 0.5625) = 0.75.
        assert whole.se.value == pytest.approx(0.75)
        assert ends(whole.slope)[1] == pytest.approx(1.25 + 12.706 * 0.75, abs=1e-3)

    def test_answers_that_tell_nothing_count_for_nothing_in_the_effect_of_length(self) -> None:
        telling = [
            ("P1", "human", 300, {"claude": 5}),
            ("P1", "human", 500, {"claude": 6}),
            ("P2", "human", 200, {"claude": 4}),
            ("P2", "human", 400, {"claude": 8}),
        ]
        alone, alike = ("P3", "human", 900, {"claude": 1}), ("P4", "gpt", 250, {"claude": 9})
        clear, cluttered = (length_effects(scored(*telling, *more))[0] for more in ((), (alone, alike, alike)))
        assert cluttered.slope.value == clear.slope.value
        assert cluttered.se == clear.se
        assert (cluttered.slope.n, cluttered.slope.left_out) == (4, 3)

    def test_longer_models_and_shorter_people_are_no_effect_of_length(self) -> None:
        frame = scored(
            ("P1", "human", 300, {"claude": 5}),
            ("P1", "gpt", 400, {"claude": 8}),
        )
        reason = "no two answers to a prompt, both by people or both by models, differ in length"
        slopes = [(effect.slope.value, effect.slope.reason) for effect in length_effects(frame)]
        assert slopes == [(None, reason), (None, reason)]

    def test_one_prompt_gives_a_slope_without_an_error(self) -> None:
        frame = scored(("P1", "human", 300, {"claude": 5}), ("P1", "human", 500, {"claude": 6}))
        whole = length_effects(frame)[0]
        assert (whole.slope.value, whole.se.value) == (0.5, None)
        assert why_no_interval(whole.slope) == whole.se.reason
