"""What a design asks for, by hand: the full study of the paper, its pilot, and what does not fit together."""

from decimal import Decimal
from typing import Any, ClassVar, Final

import pytest

from annotation.study.core.workload import PERSPECTIVES, Counts, Design, Workload, in_hours, workload
from annotation.study.models.studies import Study
from generation.panel.core import perspectives

# 30 prompts; 10 answers and 10 ratings each; items of 3 human and 3 model answers; 5 dimensions.
FULL: dict[str, Any] = {
    "prompts": 30,
    "writers": 20,
    "judges": 25,
    "scores_per_answer": 5,
    "answers_per_prompt": 10,
    "every_writer_answers_every_prompt": False,
    "writing_minutes": 30,
    "target_words": 400,
    "model_word_limit": 440,
    "output_token_cap": 16_000,
    "human_answers_per_item": 3,
    "model_answers_per_item": 3,
    "human_sets": Study.HumanSets.ROTATING,
    "ratings_per_prompt": 10,
    "minutes_per_item": 20,
    "quality_floor_prompts": 1,
    "source_attribution_prompts": 1,
    "answers_per_target_in_attribution": 2,
    "model_targets_expected": 3,
    "panel_judge_models": 3,
    "fee_per_answer": Decimal("12.50"),
    "fee_per_item": Decimal("9.00"),
}


def asked_by(design: dict[str, Any]) -> Workload:
    numbers = dict(design)
    counts = Counts(numbers.pop("prompts"), numbers.pop("writers"), numbers.pop("judges"))
    scores = numbers.pop("scores_per_answer")
    return workload(Design(Study(**numbers), counts, scores))


def warnings(**changed: Any) -> tuple[str, ...]:
    """What is warned of in the full study with these numbers in place of its own."""
    return said_of(FULL | changed)


def said_of(design: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(warning) for warning in asked_by(design).warnings)


class TestTheFullStudy:
    def test_the_full_study_asks_for_300_answers_in_150_hours_of_writing(self) -> None:
        asked = asked_by(FULL)
        assert asked.writing.total == 30 * 10
        assert asked.words_written == 300 * 400
        assert asked.writing.minutes == 300 * 30 == 150 * 60
        assert (asked.writing.least, asked.writing.most) == (15, 15)  # 300 answers by 20 writers
        assert asked.writing.most_minutes == 15 * 30

    def test_the_full_study_asks_for_300_items_in_100_hours_of_judging(self) -> None:
        asked = asked_by(FULL)
        assert asked.judging.total == 30 * 10
        assert asked.judging.minutes == 300 * 20 == 100 * 60
        assert asked.judging.most == 12  # 300 items by 25 judges
        assert asked.judging.most_minutes == 12 * 20

    def test_the_full_study_shows_six_answers_of_400_words_that_take_ten_minutes_to_read(self) -> None:
        asked = asked_by(FULL)
        assert asked.answers_per_item == 3 + 3
        assert asked.words_per_item == 6 * 400
        assert asked.reading_minutes == 2400 // 240
        assert asked.scores == 300 * 6 * 5

    def test_the_full_study_takes_10_of_the_120_sets_that_ten_answers_give(self) -> None:
        asked = asked_by(FULL)
        assert asked.sets_possible == 10 * 9 * 8 // (3 * 2 * 1)
        assert asked.sets_needed == 10

    def test_the_full_study_calls_models_for_94_answers_and_11820_scores(self) -> None:
        calls = asked_by(FULL).calls
        assert calls.answers == 29 * 3  # every prompt but that of source attribution
        assert calls.weak == 1
        assert calls.attribution == 3 * 2
        assert calls.texts == 87 + 1 + 6
        assert calls.panel == (300 + 94) * 10 * 3

    def test_the_full_study_counts_as_many_perspectives_as_the_panel_has(self) -> None:
        assert len(perspectives.PERSPECTIVES) == PERSPECTIVES

    def test_the_full_study_costs_6450(self) -> None:
        asked = asked_by(FULL)
        assert asked.writing.most_fees == 15 * Decimal("12.50")
        assert asked.judging.most_fees == 12 * Decimal("9.00")
        assert asked.fees == 300 * Decimal("12.50") + 300 * Decimal("9.00") == Decimal("6450.00")

    def test_the_full_studys_design_fits_together(self) -> None:
        assert asked_by(FULL).warnings == ()


class TestThePilot:
    """5 writers and 5 judges; every writer answers each of 11 prompts in 20 minutes; k = 2 + 2, in ranks."""

    PILOT: ClassVar = FULL | {
        "prompts": 11,
        "writers": 5,
        "judges": 5,
        "answers_per_prompt": 5,
        "every_writer_answers_every_prompt": True,
        "writing_minutes": 20,
        "human_answers_per_item": 2,
        "model_answers_per_item": 2,
        "ratings_per_prompt": 5,
        "scores_per_answer": 1,
        "quality_floor_prompts": 0,
        "source_attribution_prompts": 0,
        "model_targets_expected": 2,
    }

    def test_the_pilot_asks_for_55_answers_and_55_items(self) -> None:
        asked = asked_by(self.PILOT)
        assert asked.writing.total == asked.judging.total == 11 * 5
        assert asked.writing.most_minutes == 11 * 20
        assert asked.scores == 55 * 4  # one place for each answer
        assert (asked.sets_possible, asked.sets_needed) == (5 * 4 // 2, 5)
        assert asked.calls.texts == 11 * 2
        assert asked.warnings == ()

    def test_the_pilot_has_as_many_answers_to_a_prompt_as_writers_whatever_the_number_asked_for(self) -> None:
        assert asked_by(self.PILOT | {"writers": 4, "answers_per_prompt": 9}).writing.total == 11 * 4

    def test_the_pilot_warns_where_there_are_more_or_fewer_writers_than_answers_asked_for(self) -> None:
        said = "{} to each prompt; the design says 5."
        assert said_of(self.PILOT | {"writers": 4})[0] == said.format("4 writers give 4 answers")
        assert said_of(self.PILOT | {"writers": 6}) == (said.format("6 writers give 6 answers"),)
        assert said_of(self.PILOT | {"writers": 1})[0] == said.format("1 writer gives 1 answer")

    def test_the_pilot_warns_where_the_writers_give_fewer_answers_than_an_item_shows(self) -> None:
        asked = asked_by(self.PILOT | {"writers": 1})
        assert tuple(map(str, asked.warnings[1:])) == ("An item shows 2 human answers; each prompt collects 1.",)


class TestSharing:
    def test_work_is_shared_as_evenly_as_whole_pieces_go(self) -> None:
        share = asked_by(FULL | {"writers": 45}).writing
        assert (share.least, share.most) == (6, 7)  # 300 = 30 × 7 + 15 × 6
        assert share.most_minutes == 7 * 30

    def test_work_without_a_limit_of_time_has_no_hours(self) -> None:
        share = asked_by(FULL | {"writing_minutes": None}).writing
        assert share.minutes is share.most_minutes is None
        assert share.total == 300

    def test_one_set_of_human_answers_for_all_needs_a_single_set(self) -> None:
        assert asked_by(FULL | {"human_sets": Study.HumanSets.FIXED}).sets_needed == 1
        assert asked_by(FULL | {"human_answers_per_item": 0, "model_answers_per_item": 3}).sets_needed == 0


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            {"ratings_per_prompt": 130, "judges": 400},
            "10 answers of each prompt give 120 sets of 3; 130 ratings asked, each with a set of its own. "
            "11 answers would be enough.",  # 11 × 10 × 9 / 6 = 165
        ),
        ({"judges": 9}, "10 ratings of each prompt need at least 10 judges; there are 9 judges."),
        (
            {"ratings_per_prompt": 1, "judges": 0},
            "1 rating of each prompt needs at least 1 judge; there are 0 judges.",
        ),
        ({"writers": 1}, "10 answers of each prompt need at least 10 writers; there is 1 writer."),
        ({"prompts": 2}, "Calibration takes 2 prompts, so the study needs at least 3. It has 2 prompts so far."),
        (
            {"model_answers_per_item": 4, "source_attribution_prompts": 0},
            "An item shows 4 model answers, each of another model; 3 models are expected.",
        ),
        (
            {"model_answers_per_item": 0, "human_answers_per_item": 6},
            "A deliberately weak answer takes the place of a model answer, and items show no model answers.",
        ),
        (
            {"answers_per_target_in_attribution": 4},
            "Where all 6 answers are models’, they cannot be 4 of each model: that does not divide.",
        ),
        (
            {"answers_per_target_in_attribution": 1},
            "Where all 6 answers are models’, 1 of each, 6 models are needed; 3 expected.",
        ),
        (
            {"minutes_per_item": 8},
            "An item has about 2,400 words, 10 minutes of reading alone; 8 minutes are planned for it.",
        ),
        (
            {"target_words": 100},
            "Writers aim at 100 words; models are told to stay under 440. Their length alone could tell "
            "judges which answers are models’.",
        ),
        (
            {"target_words": 500},
            "Models are told to aim at about 500 words and to stay under 440: they cannot do both.",
        ),
        (
            {"writing_minutes": 9},
            "Writers have 9 minutes for about 400 words: more than the 40 words a minute at which people copy "
            "a text.",
        ),
        (
            {"target_words": 4_000, "model_word_limit": 4_400, "output_token_cap": 4_000},
            "4,000 tokens, with all that a model thinks, are few for 4,000 words: answers would be cut.",
        ),
        (
            {"judges": 10},
            "A judge has up to 30 items, 10\u00a0h of work: more than a day. More judges would have less each.",
        ),
    ],
)
def test_what_does_not_fit_or_is_a_lot_is_said_in_words(changed: dict[str, Any], words: str) -> None:
    assert words in warnings(**changed)


def test_lengths_are_compared_only_where_judges_see_both_and_lead_to_where_they_are_decided() -> None:
    assert not any("Writers aim at" in said for said in warnings(target_words=100, model_answers_per_item=0))
    [apart] = asked_by(FULL | {"target_words": 100}).warnings
    assert apart.about == ("target_words", "model_word_limit")


NO_MODELS: Final[dict[str, Any]] = {
    "model_answers_per_item": 0,
    "human_answers_per_item": 6,
    "quality_floor_prompts": 0,
    "source_attribution_prompts": 0,
}
TOO_LONG_FOR_MODELS: Final = {"target_words": 700, "output_token_cap": 500}


def test_no_length_is_held_against_models_of_which_none_is_asked() -> None:
    assert not any(
        "Models are told" in said or "a model" in said for said in warnings(**TOO_LONG_FOR_MODELS | NO_MODELS)
    )


@pytest.mark.parametrize(
    "asking", ["model_answers_per_item", "quality_floor_prompts", "source_attribution_prompts"]
)
def test_lengths_that_models_cannot_keep_are_named_wherever_one_is_asked(asking: str) -> None:
    said = warnings(**TOO_LONG_FOR_MODELS | NO_MODELS | {asking: 1})
    assert any("they cannot do both" in words for words in said)
    assert any("answers would be cut" in words for words in said)


def test_the_same_set_for_all_judges_is_enough_for_any_number_of_ratings() -> None:
    assert not any(
        "sets of" in warning for warning in warnings(ratings_per_prompt=130, human_sets=Study.HumanSets.FIXED)
    )


@pytest.mark.parametrize(
    ("minutes", "words"), [(0, "0 min"), (45, "45 min"), (60, "1 h"), (450, "7 h 30 min"), (60_000, "1,000 h")]
)
def test_hours_are_never_counted_in_days(minutes: int, words: str) -> None:
    assert in_hours(minutes).replace("\u00a0", " ") == words
