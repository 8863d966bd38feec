"""A release's folder, read back into the tables it was made of."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd
from pyarrow import ArrowException

from analysis.data.core.study_tables import StudyTables
from analysis.release.core.audit_layouts import AUDITS
from analysis.release.core.columns import Layout
from analysis.release.core.csv_files import csv_bytes, earlier_csv_bytes
from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.framing_layouts import ADVERSARIAL
from analysis.release.core.layout import layouts
from analysis.release.core.manifest import MANIFEST, read_manifest
from analysis.release.core.panel_layouts import (
    earlier_panel_layouts,
    in_published_way,
    other_ways_layout,
    panel_layout,
    together,
)
from analysis.release.core.parquet_files import column_names, read_parquet
from analysis.release.core.pool_layouts import POOLED
from analysis.release.core.published_tables import tables_of
from analysis.release.core.study_file import RUBRIC_FILE, STUDY_FILE, Ideology, read_study
from analysis.release.core.trial_layouts import TRIALS
from annotation.platform.core.phrases import counted
from annotation.study.core import rubric
from annotation.study.core.rubric import Rubric, RubricError


class ReleaseFolderError(ValueError):
    """The folder is no release, or a file in it is not the one that was published; the message names the file."""


def read_release(folder: Path) -> StudyTables:
    """The tables that a release publishes; what it generalised stays so. Raises ReleaseFolderError."""
    expected = _sums(folder)
    facts, ideology = _study(folder, expected)
    frozen = _rubric(folder, facts)
    frames = {each.stem: frame for each, frame in _tables(folder, frozen, expected)}
    try:
        return tables_of(frames, frozen, ideology=ideology)
    except ValueError as error:
        raise ReleaseFolderError(f"{folder}: a judgment has a rank that is no whole number: {error}") from error


def read_facts(folder: Path) -> ReleaseFacts:
    """What a release says of its study, without the prompts of its pool. Raises ReleaseFolderError."""
    return _study(folder, _sums(folder))[0]


def manifest_faults(folder: Path) -> list[str]:
    """Each file of the manifest, in words, that is missing or changed, and each that the manifest does not name.

    Hidden ones that it does not name are passed over: they are what git and data hubs keep beside a data set.
    Raises ReleaseFolderError where there is no manifest.
    """
    expected = _sums(folder)
    entries = (path.relative_to(folder) for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    present = {entry.as_posix() for entry in entries if not any(part.startswith(".") for part in entry.parts)}
    faults = []
    for name in sorted(present - {MANIFEST} | expected.keys()):
        try:
            _checked(folder, name, expected)
        except ReleaseFolderError as error:
            faults.append(str(error))
    return faults


def file_faults(folder: Path) -> list[str]:
    """Every file, in words, whose checksum in the manifest differs from that in `study.json`.

    What is published beside the tables of figures is there as well. Raises ReleaseFolderError.
    """
    expected = _sums(folder)
    facts, _ = _study(folder, expected)
    return [
        f"{folder / name} is not the file that was published, by its hash in {STUDY_FILE}."
        for name, sha256 in sorted(facts.file_hashes.items())
        if expected.get(name) != sha256
    ]


def csv_faults(folder: Path) -> list[str]:
    """Each CSV, in words, that by its checksum does not say the same as the Parquet beside it.

    Whether it is the published one is for `manifest_faults`. Raises ReleaseFolderError.
    """
    expected = _sums(folder)
    facts, _ = _study(folder, expected)
    return [
        f"{folder / each.stem}.csv does not say the same as the Parquet beside it, by its sum in {MANIFEST}."
        for each, frame in _tables(folder, _rubric(folder, facts), expected)
        if expected.get(f"{each.stem}.csv") not in _csv_sums(each, frame)
    ]


def row_faults(folder: Path) -> list[str]:
    """Each table, in words, in which two rows have the same key, and rows of the panel's scores that are not where
    scripts for them look. Raises ReleaseFolderError.
    """
    expected = _sums(folder)
    frozen = _rubric(folder, _study(folder, expected)[0])
    scores, others = panel_layout(frozen), other_ways_layout(frozen)
    faults = []
    for each, frame in _tables(folder, frozen, expected):
        if frame.duplicated(list(each.order)).any():
            faults.append(f"{folder / each.stem} has two rows with the same {', '.join(each.order)}.")
        if each.stem == others.stem and (strayed := int(in_published_way(together(frame)).sum())):
            rows = f"{counted(strayed, 'row')} that {'belongs' if strayed == 1 else 'belong'}"
            faults.append(f"{folder / each.stem} has {rows} into {scores.stem}.")
    return faults


def _csv_sums(layout: Layout, frame: pd.DataFrame) -> tuple[str, str]:
    """Checksums of the CSV as it is written, and as earlier versions wrote it."""
    return _sha256(csv_bytes(layout, frame)), _sha256(earlier_csv_bytes(layout, frame))


def _rubric(folder: Path, facts: ReleaseFacts) -> Rubric:
    try:
        return rubric.parse(facts.rubric_toml)
    except RubricError as error:
        raise ReleaseFolderError(f"{folder / RUBRIC_FILE}: {error}") from error


def _tables(folder: Path, frozen: Rubric, expected: dict[str, str]) -> Iterator[tuple[Layout, pd.DataFrame]]:
    """Each table, by the layout that it was written in; some only where there were any."""
    scores, others = panel_layout(frozen).stem, other_ways_layout(frozen).stem
    earlier = earlier_panel_layouts(frozen)
    has_all_ways = False
    for each in layouts(frozen):
        if each.config in (ADVERSARIAL, TRIALS, POOLED, AUDITS) and f"{each.stem}.parquet" not in expected:
            continue
        if each.stem == others and has_all_ways:
            continue
        written, frame = _table(folder, (each, *(earlier if each.stem == scores else ())), expected)
        has_all_ways |= written.stem == scores and written.order != each.order
        yield written, frame


def _table(folder: Path, known: Sequence[Layout], expected: dict[str, str]) -> tuple[Layout, pd.DataFrame]:
    """The table, read with whichever known layout matches the file's columns."""
    name = f"{known[0].stem}.parquet"
    content = _checked(folder, name, expected)
    try:
        found = column_names(content)
        written = next((each for each in (each.having(found) for each in known) if each.names == found), known[0])
        return written, read_parquet(written, content)
    except (ArrowException, KeyError, ValueError) as error:
        raise ReleaseFolderError(f"{folder / name} is no table of a release: {error}") from error


def _study(folder: Path, expected: dict[str, str]) -> tuple[ReleaseFacts, Ideology]:
    content, rubric_toml = (_checked(folder, name, expected) for name in (STUDY_FILE, RUBRIC_FILE))
    try:
        return read_study(content, rubric_toml)
    except ValueError as error:
        raise ReleaseFolderError(f"{folder / STUDY_FILE} is not of a release: {error}") from error


def _sums(folder: Path) -> dict[str, str]:
    if folder.is_file():
        raise ReleaseFolderError(f"{folder} is a file: unpack it first. A release is read from its folder.")
    if not folder.exists():
        raise ReleaseFolderError(f"{folder}: there is no such folder.")
    try:
        content = _bytes(folder, MANIFEST)
    except FileNotFoundError as error:
        raise ReleaseFolderError(f"{folder} is no release: there is no {MANIFEST}.") from error
    try:
        return read_manifest(content)
    except ValueError as error:
        raise ReleaseFolderError(
            f"{folder / MANIFEST} has a line that is no sum and name of a file in it."
        ) from error


def _checked(folder: Path, name: str, expected: dict[str, str]) -> bytes:
    """A file, once it is known to be the one that was published."""
    if name not in expected:
        raise ReleaseFolderError(f"{folder / name}: {MANIFEST} does not name it.")
    try:
        content = _bytes(folder, name)
    except OSError as error:
        raise ReleaseFolderError(f"{folder / name} is missing.") from error
    if _sha256(content) != expected[name]:
        raise ReleaseFolderError(f"{folder / name} is not the file that was published, by its sum in {MANIFEST}.")
    return content


def _bytes(folder: Path, name: str) -> bytes:
    """The content of a regular file; a circular link, or a pipe, which would be read for ever, counts as missing.

    Raises FileNotFoundError, or another OSError, and ReleaseFolderError for a link that leads out of the folder.
    """
    path = folder / name
    if not path.is_file():
        raise FileNotFoundError(name)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ReleaseFolderError(f"{path} is a link that leads out of the folder.")
    return path.read_bytes()


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
