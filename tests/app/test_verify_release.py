"""`verify_blinding --release FOLDER`: what somebody without the database can recompute, and what they notice."""

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from analysis.core.release.facts import ReleaseFacts
from analysis.core.release.reading import read_facts, read_release
from analysis.core.release.verification import differences
from analysis.core.study_tables import StudyTables
from analysis.models.releases import Release, ReleaseArchive
from analysis.services import ceremony
from annotation.models.participation import Consent, Role
from annotation.models.studies import Study
from annotation.services.members import withdraw_consent
from tests.ceremony import asked, published
from tests.factories import a_judged_study, members_of, researchers_of
from tests.judging import all_guessed

pytestmark = pytest.mark.django_db
ITEMS = 2 * 3  # judges × prompts


@pytest.fixture
def study() -> Study:
    """Each judge has guessed who wrote the answers of one item."""
    study = a_judged_study(2, 2, 2, prompts=3, guess_items=1)
    all_guessed(study)
    ceremony.close_study(study=study, by=researchers_of(study)[0])
    ceremony.decide_unblinding(request=asked(study), approve=True, by=researchers_of(study)[1])
    study.refresh_from_db()
    return study


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
    assert "Judgments, guesses and texts are those that were frozen." in said


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


def another_seed(tables: StudyTables, facts: ReleaseFacts) -> tuple[StudyTables, ReleaseFacts]:
    return tables, replace(facts, seed="0" * 64)


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (two_labels_exchanged, "Response A, Response B differs from the seeded order."),
        (another_answer_judged, "was judged as another answer than the one given."),
        (a_score_changed, "The judgments are not those that were frozen"),
        (a_judgment_left_out, "The judgments are not those that were frozen"),
        (a_guess_changed, "The guesses are not those that were frozen"),
        (a_text_changed, "The texts are not those that were frozen"),
        (another_seed, "The seed does not match its commitment."),
    ],
)
def test_a_forgery_is_told(
    forge: Callable[[StudyTables, ReleaseFacts], tuple[StudyTables, ReleaseFacts]],
    told: str,
    study: Study,
    tmp_path: Path,
) -> None:
    folder = unpacked(published(study), tmp_path)
    tables, facts = read_release(folder), read_facts(folder)
    assert list(differences(tables, facts)) == []
    assert any(told in difference for difference in differences(*forge(tables, facts)))
