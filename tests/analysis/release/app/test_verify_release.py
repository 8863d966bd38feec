"""`verify_blinding --release FOLDER`: what somebody without the database can recompute, and what they notice."""

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from analysis.data.core.judgment_frame import dimensions_of
from analysis.data.core.study_tables import TOMBSTONES, StudyTables, table
from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.manifest import manifest
from analysis.release.core.reading import read_facts, read_release
from analysis.release.core.verification import FROZEN, compared, differences
from analysis.release.models import Release, ReleaseArchive
from annotation.judging.models.judging import JudgingItem
from annotation.people.services.members import withdraw_consent
from annotation.platform.core.text import sha256_hex
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.studies import Study
from tests.analysis.release.core.releases import RUBRIC_TOML
from tests.ceremony import published
from tests.factories import (
    a_judged_study,
    a_judging_study,
    an_unblinded_study,
    closed,
    members_of,
    opened,
    slots_of,
    unblinded,
)
from tests.judging import all_guessed, submit
from tests.remembered import remembered

pytestmark = pytest.mark.django_db
ITEMS = 2 * 3  # judges × prompts
ALL_FROZEN = "answers, domains, guesses, items, judgments, prompts, sources, texts"
# Prompts are nobody's, and a judge's withdrawal takes no answer; but an item goes with its guesses, texts and all.
UNCOMPARED = dict.fromkeys(Role, "answers, guesses, items, judgments, sources, texts")

Forgery = Callable[[StudyTables, ReleaseFacts], tuple[StudyTables, ReleaseFacts]]


@remembered
def an_unblinded_one() -> Study:
    """Each judge has guessed who wrote the answers of one item."""
    study = a_judged_study(2, 2, 2, prompts=3, guess_items=1)
    all_guessed(study)
    return unblinded(closed(study))


def a_ranking_one() -> Study:
    """Judges put answers in order instead of scoring them, and let two share the second place."""
    study = a_judging_study(2, 2, 2, judging_mode="ranking")
    for item in JudgingItem.objects.filter(study=study).select_related("participation__user", "study"):
        places = dict(zip(slots_of(opened(item)).values(), (2, 1, 2, 4), strict=True))
        submit(item, places=places, justification="Because.")
    return unblinded(closed(study))


@remembered
def a_release_of_it() -> Release:
    return published(an_unblinded_one())


def unpacked(release: Release, folder: Path) -> Path:
    with ZipFile(io.BytesIO(bytes(ReleaseArchive.objects.get(release=release).content))) as packed:
        packed.extractall(folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What was published, unpacked."""
    return unpacked(a_release_of_it(), tmp_path)


def verified(folder: Path) -> str:
    output = io.StringIO()
    call_command("verify_blinding", release=folder, stdout=output, no_color=True)
    return output.getvalue()


def withdraw(member: Participation) -> None:
    Consent.objects.get_or_create(participation=member, defaults={"version": member.study.consent_version})
    withdraw_consent(participation=member, by=member.user)


def make_sums_fit(folder: Path) -> None:
    """Every file in the manifest is as it is now."""
    sums = folder / "SHA256SUMS"
    names = [line.split("  ")[1] for line in sums.read_text("utf-8").splitlines()]
    sums.write_bytes(manifest({name: (folder / name).read_bytes() for name in names}))


def change_facts(folder: Path, **others: object) -> None:
    file = folder / "study.json"
    content = json.loads(file.read_bytes())
    content["study"].update(others)
    file.write_text(json.dumps(content), encoding="utf-8")
    make_sums_fit(folder)


def test_verify_release_says_that_labels_and_judgments_are_what_was_promised(folder: Path) -> None:
    said = verified(folder)
    assert f"Every label of {ITEMS} items follows from it." in said
    assert f"As they were frozen: {ALL_FROZEN}." in said


def test_a_study_that_ranked_directly_is_verified_too(tmp_path: Path) -> None:
    study = a_ranking_one()
    folder = unpacked(published(study), tmp_path / "first")
    assert f"As they were frozen: {ALL_FROZEN}." in verified(folder)
    tables, facts = changed("judgments", "mid_rank", 7)(read_release(folder), read_facts(folder))
    assert any("places given" in difference for difference in differences(tables, facts))
    withdraw(members_of(study, Role.WRITER)[0])
    assert f"Every label of {ITEMS} items" in verified(unpacked(published(study), tmp_path / "second"))


def test_a_rubric_uploaded_with_other_line_ends_is_published_as_it_is_hashed(tmp_path: Path) -> None:
    study = an_unblinded_study(1, 1, 1, rubric_toml=RUBRIC_TOML.replace("\n", "\r\n"))
    folder = unpacked(published(study), tmp_path)
    assert verified(folder)
    assert hashlib.sha256((folder / "rubric.toml").read_bytes()).hexdigest() == study.rubric_id


@pytest.mark.parametrize("role", [Role.WRITER, Role.JUDGE])
def test_after_a_withdrawal_verify_release_leaves_the_frozen_hash_out_and_says_so(
    tmp_path: Path, role: Role
) -> None:
    study = an_unblinded_one()
    withdraw(members_of(study, role)[0])
    said = verified(unpacked(published(study), tmp_path))
    assert "Data were withdrawn" in said
    assert f"not compared: {UNCOMPARED[role]}." in said
    assert f"Every label of {ITEMS if role == Role.WRITER else 3} items" in said


def test_verify_release_names_the_commitment_to_the_unblinders(folder: Path) -> None:
    said = verified(folder)
    assert f"and that to the unblinders: {read_facts(folder).unblinders['statement_sha256']}" in said
    assert "The release names no hash" not in said
    assert "no statement of who alone could unblind" not in said


def test_verify_release_says_what_the_release_has_no_hash_or_statement_of(folder: Path) -> None:
    change_facts(folder, unblinders={}, file_hashes={}, table_hashes={})
    said = verified(folder)
    assert "no hash of these tables, so they were not compared with one: judgments, prompts, answers" in said
    assert "no hash of its files" in said
    assert "no statement of who alone could unblind" in said


@pytest.mark.parametrize(
    "unblinders",
    [
        {"statement": 1},
        {"statement": "x", "in_office": None},
        {"in_office": [1]},
        {"in_office": [{"name": "Ada"}]},
        {"third_person": [1]},
    ],
)
def test_unblinders_of_another_shape_are_told_as_no_release(folder: Path, unblinders: dict[str, object]) -> None:
    change_facts(folder, unblinders=unblinders)
    with pytest.raises(CommandError, match=r"study\.json is not of a release"):
        verified(folder)


def test_verify_release_says_what_no_hash_was_frozen_of(folder: Path) -> None:
    change_facts(folder, frozen_tables={})
    said = verified(folder)
    assert "nothing was compared, of: answers, domains, guesses, items, prompts, sources, texts." in said
    assert "As they were frozen: judgments." in said


@pytest.mark.parametrize("change", ["altered", "missing", "added"])
def test_verify_release_names_a_file_that_is_not_the_published_one(folder: Path, change: str) -> None:
    file = folder / ("more.txt" if change == "added" else "README.md")
    if change == "missing":
        file.unlink()
    else:
        file.write_text("Something else.", encoding="utf-8")
    with pytest.raises(CommandError, match=file.name):
        verified(folder)


def test_verify_release_names_a_csv_that_says_something_else_than_its_parquet(folder: Path) -> None:
    file = folder / "SCRuBAnnotations/task2_guesses.csv"
    file.write_text(file.read_text("utf-8") + "P-9,J-9,,human,5\n", encoding="utf-8")
    make_sums_fit(folder)
    with pytest.raises(CommandError, match=r"task2_guesses\.csv does not say the same as the Parquet"):
        verified(folder)


def test_a_changed_readme_hides_nothing_and_what_a_hub_adds_is_passed_over(folder: Path) -> None:
    change_facts(folder, seed="0" * 64)
    readme = folder / "README.md"
    readme.write_text(readme.read_text("utf-8") + "A licence.\n", encoding="utf-8")
    for name in (".gitattributes", ".git/HEAD"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("x", encoding="utf-8")
    with pytest.raises(CommandError) as failed:
        verified(folder)
    first, second, *labels = str(failed.value).splitlines()
    assert first.startswith(f"{readme} is not the file that was published")
    assert second == "The seed does not match its commitment."
    assert any("differs from the seeded order" in label for label in labels)
    assert not any("SHA256SUMS" in label for label in labels)


def test_an_unreadable_table_is_told_once_beside_other_changed_files(folder: Path) -> None:
    for name in ("README.md", "SCRuBAnnotations/task2_guesses.parquet"):
        (folder / name).write_text("x", encoding="utf-8")
    with pytest.raises(CommandError) as failed:
        verified(folder)
    told = [line.split(" is not the file")[0] for line in str(failed.value).splitlines()]
    assert told == [f"{folder}/README.md", f"{folder}/SCRuBAnnotations/task2_guesses.parquet"]


def test_verify_release_knows_a_folder_that_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is no release"):
        verified(tmp_path)


@pytest.mark.parametrize("arguments", [[], ["trial", "--release", "folder"]])
def test_verify_release_takes_either_a_study_or_a_folder(arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("verify_blinding", *arguments)


# -- what a forger would have to change, with every sum made to fit -------------------------------------------


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


def changed(table: str, column: str, *values: object) -> Forgery:
    """The first values of a column, changed."""

    def forge(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
        frame = getattr(tables, table)
        others = [*values, *frame[column].tolist()[len(values) :]]
        return replace(tables, **{table: frame.assign(**{column: others})}), facts

    return forge


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
def test_a_forgery_is_told(
    forge: Forgery,
    told: str,
    honest: tuple[StudyTables, ReleaseFacts],
) -> None:
    assert any(told in difference for difference in differences(*forge(*honest)))
