"""`verify_blinding --release FOLDER`: what somebody without the database can recompute, and what they notice."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from analysis.core.release.facts import ReleaseFacts
from analysis.core.release.manifest import manifest
from analysis.core.release.reading import read_facts, read_release
from analysis.core.release.verification import differences
from analysis.core.study_tables import TOMBSTONES, StudyTables, table
from analysis.models.releases import Release, ReleaseArchive
from analysis.services import ceremony
from annotation.core.text import sha256_hex
from annotation.models.participation import Consent, Role
from annotation.models.studies import Study
from annotation.services.members import withdraw_consent
from tests.ceremony import asked, published
from tests.factories import a_judged_study, members_of, researchers_of
from tests.judging import all_guessed

pytestmark = pytest.mark.django_db
ITEMS = 2 * 3  # judges × prompts

Forgery = Callable[[StudyTables, ReleaseFacts], tuple[StudyTables, ReleaseFacts]]


def an_unblinded_one() -> Study:
    """Each judge has guessed who wrote the answers of one item."""
    study = a_judged_study(2, 2, 2, prompts=3, guess_items=1)
    all_guessed(study)
    ceremony.close_study(study=study, by=researchers_of(study)[0])
    ceremony.decide_unblinding(request=asked(study), approve=True, by=researchers_of(study)[1])
    study.refresh_from_db()
    return study


@pytest.fixture
def study() -> Study:
    return an_unblinded_one()


def unpacked(release: Release, folder: Path) -> Path:
    with ZipFile(io.BytesIO(bytes(ReleaseArchive.objects.get(release=release).content))) as packed:
        packed.extractall(folder)
    return folder


def verified(folder: Path) -> str:
    output = io.StringIO()
    call_command("verify_blinding", release=folder, stdout=output, no_color=True)
    return output.getvalue()


def test_says_that_labels_and_judgments_are_what_was_promised(study: Study, tmp_path: Path) -> None:
    said = verified(unpacked(published(study), tmp_path))
    assert f"Every label of {ITEMS} items follows from it." in said
    assert "As they were frozen: guesses, judgments, sources, texts." in said


@pytest.mark.parametrize("role", [Role.WRITER, Role.JUDGE])
def test_after_a_withdrawal_leaves_the_frozen_hash_out_and_says_so(
    study: Study, tmp_path: Path, role: Role
) -> None:
    member = members_of(study, role)[0]
    Consent.objects.get_or_create(participation=member, defaults={"version": study.consent_version})
    withdraw_consent(participation=member, by=member.user)
    said = verified(unpacked(published(study), tmp_path))
    assert "Data were withdrawn" in said
    assert f"Every label of {ITEMS if role == Role.WRITER else 3} items" in said


@pytest.mark.parametrize("change", ["altered", "missing", "added"])
def test_names_a_file_that_is_not_the_published_one(study: Study, tmp_path: Path, change: str) -> None:
    folder = unpacked(published(study), tmp_path)
    file = folder / ("more.txt" if change == "added" else "README.md")
    if change == "missing":
        file.unlink()
    else:
        file.write_text("Something else.", encoding="utf-8")
    with pytest.raises(CommandError, match=file.name):
        verified(folder)


def test_names_a_csv_that_says_something_else_than_its_parquet(study: Study, tmp_path: Path) -> None:
    folder = unpacked(published(study), tmp_path)
    file = folder / "SCRuBAnnotations/task2_guesses.csv"
    file.write_text(file.read_text("utf-8") + "P-9,J-9,,human,5\n", encoding="utf-8")
    sums = folder / "SHA256SUMS"
    names = [line.split("  ")[1] for line in sums.read_text("utf-8").splitlines()]
    sums.write_bytes(manifest({name: (folder / name).read_bytes() for name in names}))
    with pytest.raises(CommandError, match=r"task2_guesses\.csv does not say the same as the Parquet"):
        verified(folder)


def test_knows_a_folder_that_is_no_release(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is no release"):
        verified(tmp_path)


@pytest.mark.parametrize("arguments", [[], ["trial", "--release", "folder"]])
def test_takes_either_a_study_or_a_folder(arguments: list[str]) -> None:
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


def answers_taken_from_an_item(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    """But for one: no order is left."""
    return replace(tables, items=tables.items.iloc[3:]), facts


def another_rubric(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    return tables, replace(facts, rubric_toml=facts.rubric_toml + "# Changed.\n")


def another_design(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    return tables, replace(facts, design={**facts.design, "consent_sha256": "0" * 64})


def with_seed(seed: str) -> Forgery:
    return lambda tables, facts: (tables, replace(facts, seed=seed))


@pytest.fixture(scope="module")
def honest(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> tuple[StudyTables, ReleaseFacts]:
    """What a release has in which nothing was forged."""
    with django_db_blocker.unblock(), transaction.atomic():
        folder = unpacked(published(an_unblinded_one()), tmp_path_factory.mktemp("release"))
        transaction.set_rollback(True)
    return read_release(folder), read_facts(folder)


def test_of_an_honest_release_nothing_is_told(honest: tuple[StudyTables, ReleaseFacts]) -> None:
    assert list(differences(*honest)) == []


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (two_labels_exchanged, "Response A, Response B differs from the seeded order."),
        (another_answer_judged, "judged as another answer than the one given."),
        (a_score_changed, "The judgments are not those that were frozen"),
        (a_judgment_left_out, "The judgments are not those that were frozen"),
        (a_guess_changed, "The guesses are not those that were frozen"),
        (a_score_changed, "the score is not what the dimensions come to."),
        (changed("judgments", "mid_rank", 7), "the ranks are not what the scores come to."),
        (changed("judgments", "true_source", "nobody"), "the source is not that of the answer."),
        (changed("judgments", "item_type", "cal_quality_floor"), "the item’s type is not that of its prompt."),
        (changed("items", "item_type", "cal_quality_floor"), "the item’s type is not that of its prompt."),
        (changed("guesses", "prompt_id", "elsewhere"), "a guess about an answer that was not given."),
        (changed("answers", "prompt_id", *["elsewhere"] * 4), "an answer to another prompt."),
        (changed("items", "withdrawn", 1), "whether the answer was withdrawn is told differently elsewhere."),
        (a_withdrawal_made_up, "whether the answer was withdrawn is told differently elsewhere."),
        (an_answer_left_out, "an answer to another prompt."),
        (answers_taken_from_an_item, "these are not 2 to 8 different answers."),
        (a_text_changed, "the text does not have its hash."),
        (a_text_changed, "The texts are not those that were frozen"),
        (a_text_changed_with_its_hash, "The texts are not those that were frozen"),
        (changed("prompts", "prompt", "Why not?"), "the text does not have its hash."),
        (a_prompt_changed_with_its_hash, "The prompts are not those of the design, by their hashes."),
        (a_source_changed_throughout, "The sources are not those that were frozen"),
        (another_rubric, "The rubric is not the one of the design and the judgments, by its hash."),
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
