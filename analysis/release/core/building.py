"""A release: everything that a study publishes, as files."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import pandas as pd

from analysis.data.core.study_tables import ORDER, StudyTables, table_hashes
from analysis.release.core.anonymity import generalise
from analysis.release.core.codebook import CODEBOOK, codebook
from analysis.release.core.columns import Layout
from analysis.release.core.croissant import CROISSANT, croissant
from analysis.release.core.csv_files import csv_bytes
from analysis.release.core.data_card import DATA_CARD, data_card
from analysis.release.core.facts import ReleaseFacts
from analysis.release.core.layout import layouts
from analysis.release.core.manifest import MANIFEST, manifest
from analysis.release.core.parquet_files import parquet_bytes
from analysis.release.core.pool_figures import figure_files, pool_figures
from analysis.release.core.published_tables import published_tables, tables_of
from analysis.release.core.study_file import RUBRIC_FILE, STUDY_FILE, study_json, template_files
from analysis.sections.core.report import SILENT, Progress
from annotation.study.core import rubric


@dataclass(frozen=True)
class BuiltRelease:
    """Files by name, a slash between folders, in the order of their names; and what was done for anonymity.

    `report` are JSON values: `k`, `generalised` (of each role `role`, `people`, `smallest_group`, `is_withheld` and
    `columns`, as `anonymity.Generalised` has them) and `withdrawn` (how many tombstones there are, by kind).
    """

    files: Mapping[str, bytes]
    report: Mapping[str, Any]


def build_release(tables: StudyTables, facts: ReleaseFacts, *, k: int, progress: Progress = SILENT) -> BuiltRelease:
    """Every file of a release. The same tables, in whatever order of rows, and facts give the same bytes.

    Progress is counted in tables. Raises ValueError where `k` is below 1 or the tables still hold what was
    withdrawn.
    """
    check_withdrawn(tables)
    frozen = rubric.parse(facts.rubric_toml)
    participants, generalised = generalise(tables.participants, k=k)
    withdrawn = dict(sorted(Counter(tables.tombstones["kind"]).items()))
    report = {"k": k, "generalised": [asdict(each) for each in generalised], "withdrawn": withdrawn}
    files: dict[str, bytes] = {}
    frames: dict[Layout, pd.DataFrame] = {}
    for each, frame in published_tables(replace(tables, participants=participants), facts, frozen):
        progress.tell(each.table, len(frames), len(layouts(frozen)))
        files[f"{each.stem}.csv"] = csv_bytes(each, frame)
        files[f"{each.stem}.parquet"] = parquet_bytes(each, frame)
        frames[each] = frame
    rows = {each: len(frame) for each, frame in frames.items()}
    # Of what readers will read, so that a table is missed that was changed together with the sum of its file.
    read = tables_of({each.stem: frame for each, frame in frames.items()}, frozen, ideology=tables.ideology)
    progress.tell("pictures", len(frames), len(frames))
    figures = pool_figures(read)
    files |= figure_files(figures)
    files[RUBRIC_FILE] = facts.rubric_toml.encode()
    files |= template_files(facts)
    sums = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    facts = replace(facts, table_hashes=table_hashes(read), file_hashes=sums)
    files[STUDY_FILE] = study_json(facts, ideology=tables.ideology, report=report)
    files[CODEBOOK] = codebook(frames)
    files[DATA_CARD] = data_card(facts, frozen, rows, generalised, withdrawn, k=k, figures=figures)
    files[CROISSANT] = croissant(facts, list(frames), files)
    files[MANIFEST] = manifest(files)
    return BuiltRelease({name: files[name] for name in sorted(files)}, report)


def check_withdrawn(tables: StudyTables) -> None:
    """Raise ValueError where a table holds an answer or a person of whom a tombstone says that they are gone."""
    kinds = tables.tombstones["kind"]
    answers = set(tables.tombstones.loc[kinds == "answer", "id"])
    people = set(tables.tombstones.loc[kinds.isin(["writer", "judge"]), "id"])
    named = dict.fromkeys(("true_id", "response_id"), answers) | dict.fromkeys(
        ("judge_id", "participant_id", "respondent_id", "source"), people
    )
    held = replace(tables, items=tables.items[tables.items["withdrawn"] == 0])
    for name in ORDER:
        table = getattr(held, name)
        for column in table.columns:
            if column in named and table[column].isin(named[column]).any():
                raise ValueError(f"{name}: {column} still names somebody or something that was withdrawn.")
