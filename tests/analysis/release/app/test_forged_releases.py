"""Releases that somebody has changed together with what vouches for them, and what is told of each."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import transaction

from analysis.data.core.judgment_frame import dimensions_of
from analysis.data.core.study_tables import TOMBSTONES, StudyTables, table
from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.release_folder import read_facts, read_release
from analysis.release.core.verification import FROZEN, compared, differences
from annotation.platform.core.text import sha256_hex
from tests.analysis.release.app.test_verify_release import Forgery, a_release_of_it, changed, unpacked

pytestmark = pytest.mark.django_db


def two_labels_exchanged(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    """Of one judge under one prompt, in the items and in the judgments."""
    first = tables.items.iloc[0]
    swap = {"Response A": "Response B", "Response B": "Response A"}
    changed = []
    for frame in (tables.items, tables.judgments):
        where = (frame["judge_id"] == first["judge_id"]) & (frame["prompt_id"] == first["prompt_id"])
        label = frame["blinded_label"]
        changed.append(frame.assign(blinded_label=label.where(~where, label.replace(swap))))
    return replace(tables, items=changed[0], judgments=changed[1]), facts


def another_answer_judged(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    ids = tables.judgments["true_id"].tolist()
    return replace(tables, judgments=tables.judgments.assign(true_id=[ids[1], ids[0], *ids[2:]])), facts


def a_score_changed(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    scores = tables.judgments["score"].tolist()
    return replace(tables, judgments=tables.judgments.assign(score=[scores[0] + 1, *scores[1:]])), facts


def a_judgment_left_out(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    return replace(tables, judgments=tables.judgments.iloc[4:]), facts


def a_guess_changed(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    opposite = tables.guesses["guess"].replace({"human": "model", "model": "human"})
    return replace(tables, guesses=tables.guesses.assign(guess=opposite)), facts


def a_text_changed(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    return replace(tables, answers=tables.answers.assign(text=tables.answers["text"] + " Indeed.")), facts


def a_source_changed_throughout(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    """Two models, exchanged wherever they are named."""
    one, other = sorted(set(tables.judgments["model"]) - {""})[:2]
    swap = {one: other, other: one}
    renamed = {
        table: getattr(tables, table).replace({column: swap})
        for table, column in (("answers", "source"), ("judgments", "model"), ("panel", "respondent_id"))
    }
    return replace(tables, **renamed), facts


def a_text_changed_with_its_hash(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    texts = tables.answers["text"] + " Indeed."
    return replace(tables, answers=tables.answers.assign(text=texts, text_sha256=texts.map(sha256_hex))), facts


def a_prompt_changed_with_its_hash(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    texts = tables.prompts["prompt"] + " Or not?"
    return replace(tables, prompts=tables.prompts.assign(prompt=texts, prompt_sha256=texts.map(sha256_hex))), facts


def an_answer_left_out(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    return replace(tables, answers=tables.answers.iloc[1:]), facts


def a_withdrawal_made_up(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    """It would switch the comparison with the frozen hashes off."""
    given = str(tables.items["true_id"].iloc[0])
    stones = table([("answer", given, "", "consent withdrawn")], TOMBSTONES)
    return replace(tables, tombstones=stones), facts


def two_judgments_exchanged(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    """All that a judge said of the best and of the worst answer of an item: every rank fits its scores."""
    judgments = tables.judgments.copy()
    said = [*dimensions_of(judgments), "score", "rank", "mid_rank"]
    item = judgments.loc[:3, "rank"]  # of four answers
    ends = [item.idxmin(), item.idxmax()]
    judgments.loc[ends, said] = judgments.loc[ends[::-1], said].to_numpy()
    return replace(tables, judgments=judgments), facts


def with_stones(forge: Forgery, *stones: tuple[str, str, str]) -> Forgery:
    """And made-up withdrawals beside it: of what is of no item, or was never there."""

    def forged(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
        tables, facts = forge(tables, facts)
        rows = [(*stone, "consent withdrawn") for stone in stones]
        return replace(tables, tombstones=table(rows, TOMBSTONES)), facts

    return forged


def answers_taken_from_an_item(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    """But for one: no order is left."""
    return replace(tables, items=tables.items.iloc[3:]), facts


def an_answer_shown_twice(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    items = tables.items.copy()
    items.loc[items.index[1], "true_id"] = items.loc[items.index[0], "true_id"]
    return replace(tables, items=items), facts


def another_rubric(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    return tables, replace(facts, rubric_toml=facts.rubric_toml + "# Changed.\n")


def another_design(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    return tables, replace(facts, design={**facts.design, "consent_sha256": "0" * 64})


def with_rubric_hash(anything: object) -> Forgery:
    return lambda tables, facts: (
        tables,
        replace(facts, design={**facts.design, "rubric_sha256": anything}),
    )


def with_seed(seed: str) -> Forgery:
    return lambda tables, facts: (tables, replace(facts, seed=seed))


@pytest.fixture(scope="module")
def honest(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> tuple[StudyTables, ReleaseFacts]:
    """What a release has in which nothing was forged."""
    with django_db_blocker.unblock(), transaction.atomic():
        folder = unpacked(a_release_of_it(), tmp_path_factory.mktemp("release"))
        transaction.set_rollback(True)
    return read_release(folder), read_facts(folder)


def test_of_an_honest_release_nothing_is_told(honest: tuple[StudyTables, ReleaseFacts]) -> None:
    assert list(differences(*honest)) == []


def test_who_withdrew_before_judging_leaves_everything_to_compare(
    honest: tuple[StudyTables, ReleaseFacts],
) -> None:
    tables, facts = honest
    rows = [("writer", "W-9999", "", "consent withdrawn"), ("answer", "given-to-no-judge", "BBQ_01", "")]
    tables, facts = replace(tables, tombstones=table(rows, TOMBSTONES)), replace(facts, table_hashes={})
    assert list(differences(tables, facts)) == []
    assert compared(tables, facts).keys() == FROZEN - {"answers"}  # also those that no judge was given


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (two_labels_exchanged, "Response A, Response B differs from the seeded order."),
        (another_answer_judged, "judged as another answer than the one given."),
        (a_score_changed, "The judgments are not those that were frozen"),
        (a_judgment_left_out, "The judgments are not those that were frozen"),
        (a_guess_changed, "The guesses are not those that were frozen"),
        (two_judgments_exchanged, "The judgments are not those that were frozen"),
        (with_stones(two_judgments_exchanged, ("writer", "X-9999", "")), "The judgments are not those"),
        (with_stones(two_judgments_exchanged, ("judge", "X-9999", "")), "The judgments are not those"),
        (
            with_stones(two_judgments_exchanged, ("judge", "X-9999", ""), ("item", "X-9999", "BBQ_01")),
            "The judgments are not those",
        ),
        (with_stones(a_guess_changed, ("judge", "X-9999", "")), "The guesses are not those that were frozen"),
        (a_score_changed, "the score is not what the dimensions come to."),
        (changed("judgments", "mid_rank", 7), "the ranks are not what the scores, or the places given, come to."),
        (changed("judgments", "true_source", "nobody"), "the source is not that of the answer."),
        (changed("judgments", "item_type", "cal_quality_floor"), "the item’s type is not that of its prompt."),
        (changed("items", "item_type", "cal_quality_floor"), "the item’s type is not that of its prompt."),
        (changed("guesses", "prompt_id", "elsewhere"), "a guess about an answer that was not given."),
        (changed("answers", "prompt_id", *["elsewhere"] * 4), "an answer to another prompt."),
        (changed("items", "withdrawn", 1), "whether the answer was withdrawn is told differently elsewhere."),
        (a_withdrawal_made_up, "whether the answer was withdrawn is told differently elsewhere."),
        (an_answer_left_out, "an answer to another prompt."),
        (answers_taken_from_an_item, "The items are not those that were frozen"),
        (an_answer_shown_twice, "these are not 1 to 8 different answers."),
        (a_text_changed, "the text does not have its hash."),
        (a_text_changed, "The texts are not those that were frozen"),
        (a_text_changed_with_its_hash, "The texts are not those that were frozen"),
        (changed("prompts", "prompt", "Why not?"), "the text does not have its hash."),
        (a_prompt_changed_with_its_hash, "The prompts are not those of the design, by their hashes."),
        (a_source_changed_throughout, "The sources are not those that were frozen"),
        (another_rubric, "The rubric is not the one of the design and the judgments, by its hash."),
        (with_rubric_hash(["none"]), "The rubric is not the one of the design and the judgments, by its hash."),
        (another_design, "The design does not have the hash that is named for it."),
        (with_seed("0" * 64), "The seed does not match its commitment."),
        (with_seed("0" * 62), "The seed is not one"),
        (with_seed("no seed"), "The seed is not one"),
    ],
)
def test_a_forgery_is_named_by_what_it_changed(
    forge: Forgery,
    told: str,
    honest: tuple[StudyTables, ReleaseFacts],
) -> None:
    assert any(told in difference for difference in differences(*forge(*honest)))
