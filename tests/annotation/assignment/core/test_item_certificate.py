"""What judges see, counted again: right as it was put together, and named where a label was tampered with."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from annotation.assignment.core.certificate import Given
from annotation.assignment.core.chi_square import ChiSquare
from annotation.assignment.core.human_sets import human_sets
from annotation.assignment.core.item_certificate import (
    Item,
    Text,
    assignment_sha256,
    calibration_places,
    complete_items,
    concurrences,
    different_sets,
    even_uses,
    fixed_sets,
    hidden_by_chance,
    label_counts,
    meetings,
    no_own_text,
    own_institution,
    roles_apart,
)
from annotation.assignment.core.item_certificate import human_sets as sets_shown
from annotation.platform.core.blinding import labels, seeded_order

SEED = bytes(range(32))
PROMPTS = [f"P{number}" for number in range(4)]
JUDGES = [f"J{number}" for number in range(5)]
WRITERS = [f"W{number}" for number in range(5)]
MODELS = ("claude", "gpt")
ACCOUNTS = {name: number for number, name in enumerate([*JUDGES, *WRITERS])}

# Five answers by people and one of each model to every prompt; an item shows two and two.
TEXTS = {
    f"{prompt}-{source}": Text(prompt, source in WRITERS, source, f"words of {prompt}-{source}")
    for prompt in PROMPTS
    for source in (*WRITERS, *MODELS)
}
POOLS = {prompt: [f"{prompt}-{writer}" for writer in WRITERS] for prompt in PROMPTS}
SOURCES = {"": 0, "claude": 1, "gpt": 2}


def assembled() -> list[Item]:
    """Every judge rates every prompt, and all of the five pairs are different ones."""
    items = []
    for judge in JUDGES:
        for position, prompt in enumerate(seeded_order(SEED, "order", judge, items=PROMPTS), start=1):
            sets = human_sets(POOLS[prompt], size=2, ratings=5, seed=SEED, context=prompt)
            shown = [*sets[JUDGES.index(judge)], *(f"{prompt}-{model}" for model in MODELS)]
            answers = labels(SEED, judge=judge, prompt=prompt, responses=shown)
            items.append(Item(judge, prompt, position, is_added=False, is_done=False, answers=answers))
    return items


def with_answer(items: Sequence[Item], number: int, label: str, response: str) -> list[Item]:
    """The items after one of them was given another answer under a label."""
    changed = list(items)
    changed[number] = replace(items[number], answers={**items[number].answers, label: response})
    return changed


def label_of(item: Item, *, human: bool = True) -> str:
    """The first label under which the item shows an answer by a person, or by a model."""
    return next(label for label, response in item.answers.items() if TEXTS[response].is_human == human)


def other_human(item: Item) -> str:
    """An answer by a person to the item's prompt that it does not show."""
    return next(response for response in POOLS[item.prompt] if response not in item.answers.values())


class TestItems:
    def test_items_show_four_different_answers(self) -> None:
        found = complete_items(assembled(), TEXTS, size=4)
        assert found.holds
        assert found.claim == "Every item shows 4 different answers to its prompt, labelled A to D"
        assert found.counted == "20 items, 80 answers"  # 5 judges × 4 prompts, 4 each

    def test_items_with_an_answer_too_few_are_named(self) -> None:
        items = assembled()
        items[0] = replace(items[0], answers={label: items[0].answers[label] for label in "ABC"})
        assert complete_items(items, TEXTS, size=4).problems == (f"{items[0].person} on {items[0].prompt}",)

    def test_items_with_the_same_words_twice_are_named(self) -> None:
        first = assembled()[0]
        copy = TEXTS | {
            first.answers["A"]: replace(TEXTS[first.answers["A"]], digest=TEXTS[first.answers["B"]].digest)
        }
        problems = complete_items(assembled(), copy, size=4).problems
        assert f"{first.person} on {first.prompt}" in problems

    def test_items_with_an_answer_to_another_prompt_are_named(self) -> None:
        items = assembled()
        elsewhere = next(response for response, text in TEXTS.items() if text.prompt != items[3].prompt)
        tampered = with_answer(items, 3, "C", elsewhere)
        assert complete_items(tampered, TEXTS, size=4).problems == (f"{items[3].person} on {items[3].prompt}",)

    def test_items_with_a_label_that_was_skipped_are_named(self) -> None:
        items = assembled()
        items[2] = replace(items[2], answers=dict(zip("ABCE", items[2].answers.values(), strict=True)))
        assert len(complete_items(items, TEXTS, size=4).problems) == 1


class TestPeople:
    def test_people_with_one_role_each_are_apart(self) -> None:
        assert roles_apart({1: "W1", 2: "W2"}, {3: "J1"}).holds

    def test_people_who_write_and_judge_are_named(self) -> None:
        assert roles_apart({1: "W1", 2: "W2"}, {2: "J1"}).problems == ("W2 is J1",)

    def test_people_judge_no_text_of_their_own(self) -> None:
        found = no_own_text(assembled(), TEXTS, ACCOUNTS)
        assert (found.holds, found.counted) == (True, "40 human answers shown to judges")  # 20 items, two each

    def test_people_who_judge_a_text_of_their_own_are_named(self) -> None:
        accounts = ACCOUNTS | {"W3": ACCOUNTS["J2"]}
        met = [item for item in assembled() if item.person == "J2" and f"{item.prompt}-W3" in item.answers.values()]
        assert met
        found = no_own_text(assembled(), TEXTS, accounts)
        assert sorted(found.problems) == sorted(f"J2 on {item.prompt}" for item in met)

    def test_people_who_meet_a_colleague_s_answer_are_counted_and_break_no_rule(self) -> None:
        met = [item for item in assembled() if item.person == "J0" and f"{item.prompt}-W1" in item.answers.values()]
        found = own_institution(assembled(), TEXTS, {"J0": ["W1"], "J1": []})
        assert (found.holds, found.counted) == (None, f"{len(met)} of 20, 1 judge")


class TestHumanSets:
    def test_human_sets_are_different_and_used_evenly(self) -> None:
        sets = sets_shown(assembled(), TEXTS)
        assert different_sets(sets).counted == "20 different sets on 4 prompts with human answers"
        assert different_sets(sets).holds
        # 5 pairs hold 10 places: 2 for each of 5 answers
        assert (
            even_uses(concurrences(sets, POOLS)).counted == "between 2 and 2 times on 4 prompts with human answers"
        )
        assert even_uses(concurrences(sets, POOLS)).holds

    def test_human_sets_that_two_judges_share_are_named_with_the_prompt(self) -> None:
        items = assembled()
        first, second = (item for item in items[:8] if item.prompt == "P1")
        twin = replace(second, answers=dict(zip("ABCD", first.answers.values(), strict=True)))
        sets = sets_shown([twin if item == second else item for item in items], TEXTS)
        assert different_sets(sets).problems == ("P1: 4 different sets for 5 judges",)

    def test_human_sets_that_leave_an_answer_out_are_named_with_the_prompt(self) -> None:
        sets = sets_shown(assembled(), TEXTS)
        more = {**POOLS, "P2": [*POOLS["P2"], "never shown"]}
        assert even_uses(concurrences(sets, more)).problems == ("P2: from 0 to 2 times",)

    def test_human_sets_that_are_fixed_must_all_be_the_same(self) -> None:
        items = [item for item in assembled() if item.person == "J0"]
        assert fixed_sets(sets_shown(items, TEXTS)).holds
        again = [replace(item, person="J1") for item in items]
        tampered = with_answer(again, 0, label_of(again[0]), other_human(again[0]))
        found = fixed_sets(sets_shown([*items, *tampered], TEXTS))
        assert found.problems == (f"{items[0].prompt}: 2 different sets",)

    def test_human_sets_say_how_often_pairs_meet_and_what_no_sets_go_below(self) -> None:
        sets = {"P": [frozenset("ab"), frozenset("bc"), frozenset("cd"), frozenset("de"), frozenset("ea")]}
        found = meetings(concurrences(sets, {"P": list("abcde")}).values())
        # 5 of the 10 pairs meet once: 5 · 1² = 5, and 5 meetings over 10 pairs cannot give less
        assert found.holds is None
        assert found.counted == "5 pairs 0×, 5 pairs 1×; sum of squares 5, and no choice of sets goes below 5"

    def test_human_sets_that_are_less_even_than_the_bound_say_so(self) -> None:
        sets = {"P": [frozenset("ab"), frozenset("ab"), frozenset("cd")]}
        # Meetings 2 and 1, of C(4, 2) = 6 pairs: 4 + 1 = 5; three meetings spread over six pairs would be 3
        assert meetings(concurrences(sets, {"P": list("abcd")}).values()).counted == (
            "4 pairs 0×, 1 pair 1×, 1 pair 2×; sum of squares 5, and no choice of sets goes below 3"
        )

    def test_human_sets_are_none_where_items_show_no_answers_by_people(self) -> None:
        assert sets_shown([], TEXTS) == {}
        assert even_uses({}).holds


class TestPositions:
    def test_positions_count_sources_under_labels(self) -> None:
        found = label_counts(assembled(), TEXTS, SOURCES, size=4)
        assert found
        assert [sum(row) for row in found.found] == [40, 20, 20]
        assert found.expected[0] == (10, 10, 10, 10)
        assert found.expected[1] == (5, 5, 5, 5)
        assert found.together.degrees == 6  # (3 − 1) sources × (4 − 1) labels

    def test_positions_are_not_compared_where_an_item_is_not_complete(self) -> None:
        assert label_counts(assembled(), TEXTS, SOURCES, size=5) is None

    def test_positions_of_calibration_items_are_counted_in_thirds(self) -> None:
        answers = {"A": "P0-W0"}
        items = [
            Item(judge, f"P{number}", place, is_added=False, is_done=False, answers=answers)
            for judge, order in {"J1": "012345", "J2": "123450"}.items()
            for place, number in enumerate(order, start=1)
        ]
        found = calibration_places(items, ["P0"])
        # P0 stands first with J1 and last with J2; two of six places are in each third
        assert found.found[0] == (1, 0, 1)
        assert found.expected[0] == pytest.approx((2 / 3, 2 / 3, 2 / 3), abs=1e-6)

    @pytest.mark.parametrize(
        ("p", "holds", "figures", "found"),
        [
            (0.4, True, False, "p ≥ 0.001; figures after unblinding"),
            (0.0005, False, False, "p < 0.001; figures after unblinding"),
            (0.4, True, True, "χ² = 1.83 on 2 degrees of freedom, p = 0.400"),
        ],
    )
    def test_positions_of_calibration_items_stay_without_figures_until_unblinding(
        self, p: float, holds: bool, figures: bool, found: str
    ) -> None:
        proof = hidden_by_chance(ChiSquare(1.8326, 2, p), with_figures=figures)
        assert (proof.holds, proof.counted) == (holds, found)


class TestTheHash:
    WRITTEN = (Given("W0", "P0", 1, False, True), Given("W1", "P0", 1, False, False))

    def test_the_hash_of_an_assignment_depends_on_nothing_but_who_has_what_under_which_label(self) -> None:
        again = [replace(one, is_done=False, is_added=True) for one in reversed(self.WRITTEN)]
        assert assignment_sha256(self.WRITTEN, assembled()) == assignment_sha256(again, assembled()[::-1])

    def test_the_hash_of_an_assignment_changes_with_a_prompt_a_place_or_a_label(self) -> None:
        items = assembled()
        swapped = dict(zip("BACD", items[0].answers.values(), strict=True))
        hashes = {
            assignment_sha256(self.WRITTEN, items),
            assignment_sha256(self.WRITTEN[:1], items),
            assignment_sha256([replace(self.WRITTEN[0], position=2), self.WRITTEN[1]], items),
            assignment_sha256(self.WRITTEN, [replace(items[0], answers=swapped), *items[1:]]),
        }
        assert len(hashes) == 4
