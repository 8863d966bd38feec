"""`verify_blinding --release FOLDER`: what somebody without the database can recompute, and what they notice."""

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from analysis.data.core.study_tables import StudyTables
from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.manifest import manifest
from analysis.release.core.release_folder import read_facts, read_release
from analysis.release.core.verification import differences
from analysis.release.models import Release, ReleaseArchive
from annotation.judging.models.judging import JudgingItem
from annotation.people.services.members import withdraw_consent
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


def changed(table: str, column: str, *values: object) -> Forgery:
    """The first values of a column, changed."""

    def forge(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
        frame = getattr(tables, table)
        others = [*values, *frame[column].tolist()[len(values) :]]
        return replace(tables, **{table: frame.assign(**{column: others})}), facts

    return forge
