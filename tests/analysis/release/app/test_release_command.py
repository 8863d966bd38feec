"""`manage.py release` writes what a study publishes, and what it writes is read back to identical numbers."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import ORDER, table_sha256, tables_sha256
from analysis.release.core.release_folder import manifest_faults, read_facts, read_release
from analysis.release.models import Release
from analysis.unblinded.core.full_report import analyse
from analysis.unblinded.selectors.study_tables import study_tables
from annotation.judging.models.judging import Score
from annotation.people.services.members import withdraw_consent
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from tests.factories import a_closed_study, an_unblinded_study, members_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return an_unblinded_study(2, 2, 2, prompts=3)


def released(study: Study, out: Path, *options: str) -> str:
    said = io.StringIO()
    call_command("release", study.slug, "--out", str(out), *options, stdout=said)
    return said.getvalue()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_folder_is_read_back_to_the_same_tables_and_the_same_numbers(study: Study, tmp_path: Path) -> None:
    said = released(study, tmp_path / "out", "--k", "2")

    found, tables = read_release(tmp_path / "out"), study_tables(study)
    assert tables_sha256(found) == tables_sha256(tables)
    parameters = Parameters(draws=20)
    assert analyse(found, parameters=parameters) == analyse(tables, parameters=parameters)
    assert manifest_faults(tmp_path / "out") == []
    assert f"Wrote {len(contents(tmp_path / 'out'))} files" in said


def test_the_same_study_gives_the_same_bytes_and_nothing_is_recorded_as_published(
    study: Study, tmp_path: Path
) -> None:
    released(study, tmp_path / "one")
    released(study, tmp_path / "other")
    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    assert not Release.objects.exists()
    assert read_facts(tmp_path / "other").number == 1


def test_of_fewer_people_than_k_nothing_is_told(study: Study, tmp_path: Path) -> None:
    said = released(study, tmp_path)
    assert "2 judges, too few to tell anything of them." in said
    assert "4 writers, too few to tell anything of them." in said
    assert set(read_release(tmp_path).participants["highest_degree"]) == {""}


def test_a_withdrawal_changes_exactly_what_it_should(study: Study, tmp_path: Path) -> None:
    released(study, tmp_path / "before", "--k", "2")
    writer = members_of(study, Role.WRITER)[0]
    withdraw_consent(participation=writer, by=writer.user)
    said = released(study, tmp_path / "after", "--k", "2")

    gone = {str(text.pk) for text in Stimulus.objects.filter(study=study, source_code=writer.pseudonym)}
    naming = {
        name
        for name, content in contents(tmp_path / "after").items()
        if name.endswith(".csv") and any(word.encode() in content for word in (writer.pseudonym, *gone))
    }
    assert naming == {"SCRuBAnnotations/task2_annotation_items.csv", "SCRuBStudy/withdrawn.csv"}
    assert "Withdrawn: 3 answers." in said
    before, after = read_release(tmp_path / "before"), read_release(tmp_path / "after")
    same = {name for name in ORDER if table_sha256(getattr(before, name)) == table_sha256(getattr(after, name))}
    assert same >= {"prompts", "panel"}
    assert same.isdisjoint({"judgments", "answers", "items", "participants", "tombstones"})
    left = before.judgments[~before.judgments["true_id"].isin(gone)].reset_index(drop=True)
    assert table_sha256(left) == table_sha256(after.judgments)
    # Of each item the judge still was given the withdrawn answer: its label can be computed.
    shown = before.items["true_id"].isin(gone)
    assert after.items["withdrawn"].eq(1).equals(shown)


def test_a_study_that_is_not_unblinded_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="still blinded"):
        released(a_closed_study(1, 1, 1), tmp_path)
    assert not contents(tmp_path)


def test_a_study_that_was_tampered_with_is_refused(study: Study, tmp_path: Path) -> None:
    Score.objects.filter(pk=Score.objects.order_by("pk").values("pk")[:1]).update(value=1)
    with pytest.raises(CommandError, match="not as it was closed"):
        released(study, tmp_path)
    assert not contents(tmp_path)


def test_files_that_are_there_are_left_alone(study: Study, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(CommandError, match="is not an empty folder"):
        released(study, tmp_path)
    assert contents(tmp_path) == {"thesis.txt": b"mine"}
    with pytest.raises(CommandError, match="is not an empty folder"):
        released(study, tmp_path / "thesis.txt")


def test_a_k_that_lets_single_people_be_told_of_is_refused(study: Study, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="from 2"):
        released(study, tmp_path, "--k", "1")


def test_a_study_that_is_not_there_is_named_beside_those_that_are(study: Study, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=f"“missing”. There are: {study.slug}"):
        call_command("release", "missing", "--out", str(tmp_path))
