"""A release changed together with its sums: every table shows it, and no name leads out of the folder."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
from django.core.management import CommandError, call_command

from analysis.data.core.study_tables import ORDER, StudyTables, rows_in_order, table_hashes, table_sha256
from analysis.release.core.building import build_release
from analysis.release.core.codebook import CODEBOOK
from analysis.release.core.croissant import CROISSANT
from analysis.release.core.csv_files import csv_bytes
from analysis.release.core.data_card import DATA_CARD
from analysis.release.core.layout import layouts
from analysis.release.core.manifest import MANIFEST, manifest, read_manifest
from analysis.release.core.parquet_files import parquet_bytes, read_parquet
from analysis.release.core.release_folder import (
    ReleaseFolderError,
    file_faults,
    manifest_faults,
    read_facts,
    read_release,
)
from analysis.release.core.study_file import RUBRIC_FILE, STUDY_FILE, read_study
from analysis.release.core.verification import differences
from tests.analysis.release.core.releases import RUBRIC, a_study, some_facts, write
from tests.analysis.tamper_table import PAGE, lines


@cache
def published() -> StudyTables:
    """Every table has rows."""
    tables = a_study()
    assert all(len(getattr(tables, name)) for name in ORDER if name != "tombstones")
    return tables


# The last column of text of these is of where prompts come from, and of what this study did not ask.
ASKED = {"study_prompts": "prompt", "participants": "country"}
COLUMNS = [(name, column) for name in ORDER for column in getattr(published(), name).columns]


@cache
def files() -> Mapping[str, bytes]:
    return build_release(published(), some_facts(), k=5).files


@cache
def hashes() -> dict[str, str]:
    return table_hashes(published())


def changed(name: str, column: str) -> StudyTables:
    """What was published, with another value in a table's first row."""
    frame = getattr(published(), name).copy()
    frame.loc[0, column] = f"{frame.loc[0, column]}x" if _is_text(frame[column]) else 4711.0
    return replace(published(), **{name: frame})


@pytest.mark.parametrize(("name", "column"), [pair for pair in COLUMNS if pair[0] != "tombstones"])
def test_every_column_of_every_table_shows_that_it_was_changed_since_publishing(name: str, column: str) -> None:
    assert table_sha256(rows_in_order(name, getattr(changed(name, column), name))) != hashes()[name]


def test_every_table_with_another_hash_than_was_published_is_told() -> None:
    """All of them are changed at once: each is compared by itself."""
    names = [name for name in ORDER if name != "tombstones"]
    last = {name: getattr(published(), name).columns[-1] for name in names}
    altered = replace(published(), **{name: getattr(changed(name, last[name]), name) for name in names})
    told = set(differences(altered, some_facts(table_hashes=hashes())))
    assert [name for name in names if f"The table {name} is not the one that was published." not in told] == []


def test_tables_as_they_were_published_are_not_told() -> None:
    told = differences(published(), some_facts(table_hashes=hashes()))
    assert not [line for line in told if line.endswith("is not the one that was published.")]


def test_the_page_on_tampering_has_every_column_that_is_tried() -> None:
    tried = [pair for pair in COLUMNS if pair[0] != "tombstones"]
    assert not set(lines(tried, 1)) - set(PAGE.read_text("utf-8").splitlines())


@pytest.mark.parametrize(
    "name",
    ["SCRuBEval/evaluation_dataset.csv", "SCRuBEval/evaluation_dataset.parquet", "templates/answer-0123abcd.txt"],
)
def test_a_file_that_was_changed_with_its_sum_shows_though_no_figure_is_of_it(name: str, tmp_path: Path) -> None:
    folder = write(files(), tmp_path)
    assert file_faults(folder) == []
    sums = {each: (folder / each).read_bytes() for each in read_manifest((folder / MANIFEST).read_bytes())}
    (folder / MANIFEST).write_bytes(manifest({**sums, name: sums[name] + b" "}))
    assert file_faults(folder) == [
        f"{folder / name} is not the file that was published, by its hash in study.json."
    ]


def test_study_json_has_a_hash_of_every_file_that_is_not_made_of_it() -> None:
    made_of_it = {STUDY_FILE, MANIFEST, CODEBOOK, DATA_CARD, CROISSANT}
    facts, _ = read_study(files()[STUDY_FILE], files()[RUBRIC_FILE])
    assert facts.file_hashes.keys() == files().keys() - made_of_it


def _is_text(column: "pd.Series[str]") -> bool:
    return not pd.api.types.is_numeric_dtype(column)


def test_a_row_that_was_left_out_or_added_shows_in_its_table() -> None:
    for name in ORDER:
        rows = getattr(published(), name)
        for other in (rows[1:], pd.concat([rows, rows[:1]], ignore_index=True)):
            if len(rows):
                assert table_sha256(rows_in_order(name, other)) != hashes()[name]


def test_a_release_that_is_read_back_has_the_hashes_that_it_names(tmp_path: Path) -> None:
    folder = write(files(), tmp_path)
    assert read_facts(folder).table_hashes == table_hashes(read_release(folder))


OUTSIDE = ["../secret", "/etc/hostname", "a/../../secret", "./study.json", "a//b", "a\\b", "C:\\secret", ""]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_manifest_that_names_a_file_outside_of_its_folder_is_none(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"kept from readers")
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / MANIFEST).write_bytes(manifest({name: b"kept from readers"}))
    with pytest.raises(ReleaseFolderError, match="no sum and name of a file in it"):
        manifest_faults(folder)


def test_a_manifest_that_names_a_file_twice_is_none() -> None:
    line = manifest({"study.json": b""})
    assert read_manifest(line)
    with pytest.raises(ValueError, match="no sum and name"):
        read_manifest(line + line)


def test_a_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"kept from readers")
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "study.json").symlink_to(tmp_path / "secret")
    (folder / MANIFEST).write_bytes(manifest({"study.json": b"kept from readers"}))
    assert manifest_faults(folder) == [f"{folder}/study.json is a link that leads out of the folder."]


@pytest.mark.parametrize("kind", ["folder", "pipe", "link in circles"])
@pytest.mark.parametrize("name", [MANIFEST, "study.json", "more"])
def test_an_entry_that_is_no_file_is_named_and_never_read(kind: str, name: str, tmp_path: Path) -> None:
    """Reading a pipe would wait for ever. What nobody listed is told too, as long as it is no folder."""
    (tmp_path / MANIFEST).write_bytes(manifest({"study.json": b""}))
    (tmp_path / "study.json").write_bytes(b"")
    path = tmp_path / name
    path.unlink(missing_ok=True)
    make: dict[str, Callable[[], object]] = {
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "link in circles": lambda: path.symlink_to(path),
    }
    make[kind]()
    try:
        told = manifest_faults(tmp_path)
    except ReleaseFolderError as error:
        told = [str(error)]
    if name == MANIFEST:
        assert told == [f"{tmp_path} is no release: there is no {MANIFEST}."]
    elif name == "more":
        assert told == ([] if kind == "folder" else [f"{path}: {MANIFEST} does not name it."])
    else:
        assert told == [f"{path} is missing."]


def test_a_linked_folder_that_nobody_listed_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / MANIFEST).write_bytes(manifest({}))
    (folder / "more").symlink_to(tmp_path)
    assert manifest_faults(folder) == [f"{folder}/more: {MANIFEST} does not name it."]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\u2028", "\x85"])
def test_a_manifest_has_the_lines_that_other_programs_see(end: str) -> None:
    """`sha256sum` knows one end of a line: with another one it would check other names."""
    lines = manifest({"a": b"", "b": b""}).decode()
    try:
        names = list(read_manifest(lines.replace("\n", end).encode()))
    except ValueError:
        return
    assert len(names) == 1


def test_the_command_ends_with_1_and_names_every_table_of_whose_files_one_column_was_changed(
    tmp_path: Path,
) -> None:
    """Both files of each table and all sums are written anew, as by somebody who knows how they are made."""
    folder = write(files(), tmp_path)
    for each in layouts(RUBRIC):
        frame = read_parquet(each, (folder / f"{each.stem}.parquet").read_bytes())
        last = [column.name for column in each.columns if column.kind == "text"][-1:]
        text = [ASKED[each.table]] if each.table in ASKED else last
        if len(frame) and text:
            first, *others = frame[text[0]].tolist()
            frame[text[0]] = [f"{first}x", *others]
            (folder / f"{each.stem}.csv").write_bytes(csv_bytes(each, frame))
            (folder / f"{each.stem}.parquet").write_bytes(parquet_bytes(each, frame))
    names = read_manifest((folder / MANIFEST).read_bytes())
    (folder / MANIFEST).write_bytes(manifest({name: (folder / name).read_bytes() for name in names}))
    with pytest.raises(CommandError) as failed:
        call_command("verify_blinding", release=folder)
    assert failed.value.returncode == 1
    told = str(failed.value).splitlines()
    missed = [name for name in ORDER if f"The table {name} is not the one that was published." not in told]
    assert missed == ["tombstones"]
