"""Scores, errors and flaws of a benchmark whose arithmetic can be followed."""

from collections.abc import Sequence

import pytest

from analysis.benchmarks.core.audit import (
    CLEANED,
    CORRECTED,
    ORIGINAL,
    WEIGHTED,
    Score,
    differences,
    error_splits,
    flaw_shares,
    scores,
)
from analysis.benchmarks.core.audit_files import HISTORY, SOUND, Flag, Prediction, Ruling
from analysis.benchmarks.core.cluster_shares import Resamples
from analysis.benchmarks.core.flag_agreement import flag_agreement
from analysis.benchmarks.core.items import Items, answers_of, baselines
from analysis.benchmarks.core.people import WITH_DETAIL, agreement_with_people, people_scores
from annotation.benchmarks.core.items import Question, Story


def stories(golds: Sequence[Sequence[int]], sources: Sequence[str] = ()) -> list[Story]:
    """Each of so many questions with three options, by the numbers of the right ones."""
    line, found = 0, []
    for place, labels in enumerate(golds):
        asked = []
        for label in labels:
            line += 1
            asked.append(Question(f"Why {line}?", str(label), line, ("one", "two", "three"), label))
        source = sources[place] if sources else ""
        found.append(Story(f"s{place}", "A story.", tuple(asked), source=source, cluster=f"c{place}"))
    return found


def resamples(items: Items, draws: int = 200) -> Resamples:
    return Resamples.drawn(int(items.clusters.max()) + 1, draws=draws, seed=1, level=0.95)


def said(model: str, words: str, mode: str = "singly") -> list[Prediction]:
    return [Prediction(model, number, word, mode) for number, word in enumerate(words, start=1)]


def of(found: Sequence[Score], subset: str, kind: str = "questions", part: str = "") -> float | None:
    [value] = [s.estimate.value for s in found if (s.subset, s.of, s.part) == (subset, kind, part)]
    return value


GOLDS = ((1, 2), (3, 1), (2, 2), (1, 3))


def test_scores_are_those_of_the_questions_and_of_whole_stories_on_each_subset() -> None:
    rulings = [Ruling(2, "structural", "3"), Ruling(4, "semantic"), Ruling(6, SOUND)]
    items = Items.of(stories(GOLDS, "aabb"), rulings)
    answers = answers_of(items, said("m", "13322111"), "option")
    found = scores(items, answers, resamples(items))
    # right as published: questions 1, 3, 5, 7; corrected also question 2
    assert of(found, ORIGINAL) == 4 / 8
    assert of(found, CLEANED) == 4 / 6
    assert of(found, CORRECTED) == 5 / 8
    assert [of(found, name, "stories") for name in (ORIGINAL, CLEANED, CORRECTED)] == [0, 2 / 4, 1 / 4]
    assert of(found, ORIGINAL, part="source: a") == 2 / 4
    assert of(found, ORIGINAL, "stories", part="source: a") == 0
    [*_, flawed] = flaw_shares(items, resamples(items))
    assert (flawed.share.value, flawed.story_share.value) == (2 / 8, 2 / 4)
    assert of(found, ORIGINAL, part="flawed questions") == 0
    assert of(found, ORIGINAL, part="sound questions") == 4 / 6
    assert of(differences(items, answers, resamples(items)), "corrected − original") == pytest.approx(100 / 8)


def test_corrected_scores_are_without_excluded_questions_and_compared_on_those_that_are_left() -> None:
    rulings = [Ruling(2, "structural", "3"), Ruling(4, "semantic", is_excluded=True), Ruling(6, "semantic")]
    items = Items.of(stories(GOLDS), rulings)
    answers = answers_of(items, said("m", "13322111"), "option")
    found = scores(items, answers, resamples(items))
    # right as published: questions 1, 3, 5, 7; corrected also question 2; 4 is excluded, and 6 stays
    assert of(found, CORRECTED) == 5 / 7
    assert of(found, CORRECTED, "stories") == 2 / 4, "of the second story one question is left"
    assert of(differences(items, answers, resamples(items)), "corrected − original") == pytest.approx(100 / 7)


def test_a_reworded_question_has_a_corrected_score_only_from_an_answer_to_its_new_words() -> None:
    items = Items.of(
        stories(GOLDS), [Ruling(2, "semantic", is_reworded=True), Ruling(5, "semantic", is_reworded=True)]
    )
    predictions = said("m", "13333313")
    predictions[1] = Prediction("m", 2, "3", corrected_words="2")
    answers = answers_of(items, predictions, "option")
    # right as published: 1, 3, 7, 8 but for question 7 a 1; as corrected also 2; 5 was not asked anew
    assert of(scores(items, answers, resamples(items)), CORRECTED) == 5 / 7
    assert of(differences(items, answers, resamples(items)), "corrected − original") == pytest.approx(100 / 7)


def test_corrections_among_missed_questions_are_weighted() -> None:
    rulings = [Ruling(2, "structural", "3"), Ruling(5, "semantic", "1", weight=5), Ruling(7, SOUND, weight=5)]
    items = Items.of(stories(GOLDS), rulings)
    answers = answers_of(items, said("m", "13332213"), "option")
    found = differences(items, answers, resamples(items))
    # question 2 becomes right; 5, which stands for five, becomes wrong
    assert of(found, "corrected, weighted − original") == pytest.approx(100 * (1 - 5) / 11)


def test_an_error_is_counted_once_by_the_first_cause_that_holds() -> None:
    rulings = [Ruling(2, "structural", "3"), Ruling(4, "semantic"), Ruling(6, "pragmatic")]
    items = Items.of(stories(GOLDS), rulings)
    predictions = said("m", "13321111")
    predictions[3] = Prediction("m", 4, "the room", verdict="granularity")
    answers = answers_of(items, predictions, "option")
    [split] = error_splits(items, answers, resamples(items))
    # wrong: 2 (right when corrected), 4 (granularity, on a flawed one), 5, 6 (flawed), 8
    assert split.counts == (1, 1, 0, 1, 2, 0)
    assert (split.least.value, split.most.value, split.weighted) == (2 / 5, 3 / 5, None)
    assert split.unmarked == 3, "of a wrong label nobody has to say whether it is one of granularity"


def test_an_answer_that_people_mark_right_is_no_error_of_the_model_whatever_the_key_says() -> None:
    items = Items.of(stories(GOLDS), [Ruling(2, "structural", "3"), Ruling(4, "semantic")])
    predictions = said("m", "13331111")
    for number in (2, 4, 5):
        predictions[number - 1] = Prediction("m", number, predictions[number - 1].words, verdict="right")
    predictions[5] = Prediction("m", 6, "1", verdict="wrong")
    [split] = error_splits(items, answers_of(items, predictions, "option"), resamples(items))
    # wrong: 2 (right when corrected), 4 (on a flawed one) and 5 (on a sound one), which people mark right, 6, 8
    assert split.counts == (1, 0, 2, 0, 2, 0)
    assert (split.least.value, split.most.value) == (3 / 5, 3 / 5)


def test_an_error_on_a_question_that_nobody_reviewed_may_be_the_benchmarks() -> None:
    rulings = [
        Ruling(1, SOUND),
        Ruling(2, "structural", "3"),
        Ruling(3, "semantic", weight=8),
        Ruling(4, SOUND, weight=8),
    ]
    items = Items.of(stories(GOLDS), rulings)
    predictions = said("m", "23133312", HISTORY)
    predictions[5] = Prediction("m", 6, "3", HISTORY, verdict="granularity")
    [split] = error_splits(items, answers_of(items, predictions, "option"), resamples(items))
    # all are wrong but 7; 5, 6 and 8 were not reviewed, and people said of 6 that its detail is another
    assert split.counts == (1, 1, 0, 1, 2, 2)
    assert (split.least.value, split.most.value) == (2 / 7, 5 / 7)
    assert split.weighted is not None
    assert [end.value for end in split.weighted] == [1 / 18, 9 / 18]
    assert split.unmarked == 5


def test_an_answer_that_only_another_wording_set_right_is_no_error_of_the_label() -> None:
    items = Items.of(stories(GOLDS), [Ruling(2, "semantic"), Ruling(4, "structural", "3")])
    predictions = said("m", "13333213")
    predictions[1] = Prediction("m", 2, "3", corrected_words="2")
    [split] = error_splits(items, answers_of(items, predictions, "option"), resamples(items))
    # question 4 is right by its corrected label, 2 by none, 5 is not flawed
    assert split.counts == (1, 0, 0, 1, 1, 0)


def test_a_story_counts_only_where_each_of_its_questions_was_answered() -> None:
    items = Items.of(stories(GOLDS), [Ruling(2, "semantic")])
    answers = answers_of(
        items,
        [Prediction("m", n, word, HISTORY) for n, word in ((1, "1"), (3, "3"), (4, "1"), (5, "1"), (6, "1"))],
        "option",
    )
    found = scores(items, answers, resamples(items))
    assert of(found, ORIGINAL, "stories") == 1 / 2, "the first broke off"
    assert of(found, CLEANED, "stories") == 2 / 3, "what is missing of the first is flawed"


def test_conversations_about_a_subset_have_the_score_on_it_alone() -> None:
    items = Items.of(stories(GOLDS), [Ruling(2, "structural", "3"), Ruling(4, "semantic", is_reworded=True)])
    ways = [f"{HISTORY}, {subset}" for subset in (CLEANED, CORRECTED)]
    predictions = [
        *(each for each in said("m", "10302113", ways[0]) if each.question not in (2, 4)),
        *(each for each in said("m", "13302211", ways[1]) if each.question != 4),
        Prediction("m", 4, "", ways[1], corrected_words="1"),
        *said("m", "13302211"),
    ]
    answers = answers_of(items, predictions, "option")
    found = scores(items, answers, resamples(items))
    of_subsets = {(s.mode, s.of, s.subset, s.part): s.estimate.value for s in found if s.mode in ways}
    assert of_subsets == {
        (ways[0], "questions", CLEANED, ""): 5 / 6,
        (ways[0], "stories", CLEANED, ""): 3 / 4,
        (ways[1], "questions", CORRECTED, ""): 7 / 8,
        (ways[1], "stories", CORRECTED, ""): 3 / 4,
    }
    assert {s.mode for s in differences(items, answers, resamples(items))} == {"singly"}
    assert [split.mode for split in error_splits(items, answers, resamples(items))] == ["singly"]


def test_an_empty_answer_to_a_reworded_question_is_wrong_and_not_left_out() -> None:
    items = Items.of(stories(GOLDS), [Ruling(1, "semantic", is_reworded=True)])
    answers = answers_of(items, [Prediction("m", 1, "1", corrected_words=""), Prediction("m", 2, "2")], "option")
    assert of(scores(items, answers, resamples(items)), CORRECTED) == 1 / 2


def test_sound_and_flawed_questions_stand_for_those_that_were_not_reviewed() -> None:
    rulings = [Ruling(1, "semantic"), Ruling(2, SOUND), Ruling(3, "semantic", weight=4), Ruling(4, SOUND, weight=4)]
    items = Items.of(stories(GOLDS), rulings)
    found = scores(items, answers_of(items, said("m", "33312213"), "option"), resamples(items))
    assert of(found, ORIGINAL, part="flawed questions") == 4 / 5
    assert of(found, ORIGINAL, part="sound questions") == of(found, WEIGHTED) == 4 / 5


def test_a_question_that_was_not_asked_is_left_out_and_an_empty_answer_is_wrong() -> None:
    items = Items.of(stories(GOLDS), [])
    answers = answers_of(items, [Prediction("m", 1, "1"), Prediction("m", 2, "")], "option")
    assert of(scores(items, answers, resamples(items)), ORIGINAL) == 1 / 2


def test_history_is_compared_with_single_questions_that_were_asked_in_both() -> None:
    items = Items.of(stories(GOLDS), [])
    predictions = [*said("m", "12312213"), *said("m", "1231", HISTORY)]
    predictions[0] = Prediction("m", 1, "3")
    found = differences(items, answers_of(items, predictions, "option"), resamples(items))
    assert of(found, "history − singly") == 25


def test_models_that_always_give_one_answer_are_as_right_as_that_answer_is_frequent() -> None:
    items = Items.of(stories(GOLDS), [])
    answers = answers_of(items, baselines(items), "option")
    assert [each.right.mean() for each in answers] == [3 / 8, 3 / 8, 2 / 8, 3 / 8]


def test_a_difference_of_a_score_with_itself_has_no_spread() -> None:
    items = Items.of(stories(GOLDS), [])
    found = differences(items, answers_of(items, said("m", "11111111"), "option"), resamples(items))
    [same] = [each.estimate for each in found if each.subset == "cleaned − original"]
    assert same.value == 0
    assert same.interval is not None
    assert same.interval.low is None


def test_agreement_of_two_annotators_is_that_of_the_textbook_on_each_category() -> None:
    """20 both, 15 neither, 5 and 10 one of them: κ = 0.4 (the example of Cohen's κ that is found everywhere)."""
    pairs = [("semantic", "semantic")] * 20 + [(SOUND, SOUND)] * 15
    pairs += [("semantic", SOUND)] * 5 + [(SOUND, "semantic")] * 10
    flags = [Flag(n, who, cat) for n, pair in enumerate(pairs) for who, cat in zip("ab", pair, strict=True)]
    found = flag_agreement([*flags, Flag(99, "a", "semantic")], {n: n for n in range(100)})
    [semantic] = [each for each in found.by_category if each.category == "semantic"]
    assert semantic.kappa.kappa == pytest.approx(0.4)
    assert semantic.positive == pytest.approx(40 / 55)
    assert semantic.negative == pytest.approx(30 / 45)
    assert found.confusion["semantic", SOUND] == 5
    [pragmatic] = [each for each in found.by_category if each.category == "pragmatic"]
    assert (pragmatic.kappa.kappa, pragmatic.positive, pragmatic.negative) == (None, None, 1)


def test_the_scoring_is_compared_with_what_people_said() -> None:
    items = Items.of(stories(GOLDS), [])
    verdicts = ("right", "wrong", "right", "wrong")
    predictions = [
        Prediction("m", number, word, verdict=verdict)  # type: ignore[arg-type]  # one of them
        for number, (word, verdict) in enumerate(zip("1131", verdicts, strict=True), start=1)
    ]
    # scored right, wrong, right, right
    found = agreement_with_people(answers_of(items, predictions, "option"))
    assert found.n == 4
    assert found.kappa == pytest.approx(0.5)


def test_an_answer_in_other_detail_is_not_right_and_every_figure_says_what_it_would_be_if_it_were() -> None:
    items = Items.of(stories(GOLDS), [])
    verdicts = ("right", "granularity", "granularity", "wrong")
    predictions = [
        Prediction("m", number, word, verdict=verdict)  # type: ignore[arg-type]  # one of them
        for number, (word, verdict) in enumerate(zip("1131", verdicts, strict=True), start=1)
    ]
    answers = answers_of(items, [*predictions, Prediction("m", 5, "2")], "option")
    # scored right, wrong, right, right; the fifth nobody marked
    [found] = people_scores(items, answers, resamples(items))
    assert (found.marked, found.scored.value) == (4, 3 / 4)
    assert (found.right.value, found.with_detail.value) == (1 / 4, 3 / 4)
    assert agreement_with_people(answers).kappa == pytest.approx(0.2)
    assert agreement_with_people(answers, WITH_DETAIL).kappa == pytest.approx(-1 / 3)
