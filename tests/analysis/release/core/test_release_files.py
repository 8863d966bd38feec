"""The files of a release: the published layout, the same bytes always, and back to the tables they were made of."""

import csv
import hashlib
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as hub
import pyarrow.parquet as pq
import pytest

from analysis.data.core.judgment_frame import PUBLISHED_COLUMNS, read_csv, write_csv
from analysis.data.core.study_tables import ORDER, table_hashes, table_sha256, tables_sha256
from analysis.panel.core.panel_report import MODES
from analysis.release.core.building import BuiltRelease, build_release
from analysis.release.core.columns import Layout
from analysis.release.core.layout import layouts
from analysis.release.core.manifest import manifest
from analysis.release.core.pool_figures import FIGURES
from analysis.release.core.release_folder import ReleaseFolderError, manifest_faults, read_facts, read_release
from annotation.platform.core.csv_cells import restored
from generation.calls.models import GenerationRun
from generation.prompts.core.prompt_files import evaluation_dataset
from tests.analysis.release.core.releases import (
    AWKWARD,
    CANDIDATE,
    KINDS,
    RUBRIC,
    a_study,
    response_id,
    shuffled,
    some_facts,
    without_writer,
    write,
)
from tests.folders import PROJECT

JUDGMENTS = "SCRuBAnnotations/task2_human_judgments"
LAYOUTS = layouts(RUBRIC)


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def parquet(content: bytes) -> pa.Table:
    return pq.read_table(pa.BufferReader(content))


def tables_in(built: BuiltRelease) -> dict[str, bytes]:
    """The files without pictures and the figures in them."""
    return {name: content for name, content in built.files.items() if not name.startswith(FIGURES)}


class TestLayout:
    def test_a_release_has_the_published_files_and_ours_each_as_csv_and_as_parquet(
        self, built: BuiltRelease
    ) -> None:
        published = {
            "SCRuBSample/study_prompts",
            "SCRuBAnnotations/task1_human_responses",
            "SCRuBAnnotations/model_responses_standard",
            "SCRuBAnnotations/model_responses_calibration",
            "SCRuBAnnotations/task2_annotation_items",
            JUDGMENTS,
            "SCRuBEval/evaluation_dataset",
        }
        stems = {name.removesuffix(".csv") for name in tables_in(built) if name.endswith(".csv")} - {"codebook"}
        assert published < stems
        assert stems == {each.stem for each in LAYOUTS}
        assert stems == {name.removesuffix(".parquet") for name in tables_in(built) if name.endswith(".parquet")}

    def test_judgments_of_a_release_are_a_drop_in_for_the_published_ones(self, built: BuiltRelease) -> None:
        content = built.files[f"{JUDGMENTS}.csv"]
        assert tuple(rows(content)[0])[: len(PUBLISHED_COLUMNS)] == PUBLISHED_COLUMNS
        tables = a_study()
        buffer = io.BytesIO()
        write_csv(tables.judgments, buffer)
        assert content == buffer.getvalue()
        pd.testing.assert_frame_equal(read_csv(io.BytesIO(content)), tables.judgments)

    def test_the_pool_is_the_file_that_the_pool_itself_publishes(self, built: BuiltRelease) -> None:
        assert rows(built.files["SCRuBEval/evaluation_dataset.csv"]) == [
            {**row, "prompt_sha256": CANDIDATE.sha256} for row in rows(evaluation_dataset([CANDIDATE]))
        ]

    def test_a_prompt_out_of_the_pool_says_where_it_came_from_and_others_leave_that_blank(
        self, built: BuiltRelease
    ) -> None:
        first, second, _ = rows(built.files["SCRuBSample/study_prompts.csv"])
        assert [first[name] for name in ("source", "generator", "position", "candidate_sha256")] == [
            *("bbq", "claude", "2"),
            CANDIDATE.sha256,
        ]
        assert {second[name] for name in ("source", "generator", "position", "candidate_sha256")} == {""}

    def test_answers_in_a_release_are_parted_by_who_wrote_them_and_what_for(self, built: BuiltRelease) -> None:
        counts = {
            name: len(rows(built.files[f"SCRuBAnnotations/{name}.csv"]))
            for name in (
                "task1_human_responses",
                "model_responses_standard",
                "model_responses_calibration",
                "model_responses_maximum",
            )
        }
        # Three prompts × 2 people; 2 ordinary prompts × 2 models; 1 calibration prompt × 2; 3 at maximum.
        assert list(counts.values()) == [6, 4, 2, 3]
        calibration = rows(built.files["SCRuBAnnotations/model_responses_calibration.csv"])
        assert {row["arm"] for row in calibration} == {"model", "weak"}

    def test_the_codebook_explains_every_column_of_every_file(self, built: BuiltRelease) -> None:
        explained = {(row["file"], row["column"]) for row in rows(built.files["codebook.csv"]) if row["meaning"]}
        there = {
            (name, column)
            for name, content in tables_in(built).items()
            if name.endswith(".csv") and name != "codebook.csv"
            for column in next(csv.reader(io.StringIO(content.decode(), newline="")))
        }
        assert explained == there

    def test_no_value_in_a_release_is_one_that_the_codebook_does_not_have(self, built: BuiltRelease) -> None:
        named = {"item_type", "true_source", "guess", "mode", "presentation", "role", "kind", "arm", "withdrawn"}
        known = {
            (row["file"], row["column"]): re.sub(r" \(.*?\)", "", row["values"]).split(", ")
            for row in rows(built.files["codebook.csv"])
            if row["column"] in named and row["values"]  # a benchmark's kinds of question are its own
        }
        assert {column for _, column in known} == named
        for (file, column), values in known.items():
            assert {row[column] for row in rows(built.files[file])} <= set(values), (file, column)

    def test_the_codebook_has_every_way_in_which_a_panel_can_be_asked(self, built: BuiltRelease) -> None:
        explained = {(row["column"], row["values"]) for row in rows(built.files["codebook.csv"])}
        assert ("mode", ", ".join(MODES)) in explained
        assert ("presentation", ", ".join(GenerationRun.Presentation.values)) in explained

    def test_the_reference_page_names_every_table(self) -> None:
        page = (PROJECT / "docs/reference/release-files.md").read_text("utf-8")
        assert set(re.findall(r"^\| `([A-Z]\w+/\w+)` \|", page, re.MULTILINE)) == {each.stem for each in LAYOUTS}

    def test_the_rubric_is_published_as_it_was_frozen(self, built: BuiltRelease) -> None:
        assert hashlib.sha256(built.files["rubric.toml"]).hexdigest() == RUBRIC.sha256

    def test_the_wordings_that_models_were_asked_with_are_files_of_their_own(self, built: BuiltRelease) -> None:
        assert built.files["templates/answer-0123abcd.txt"] == b"{prompt}\nWrite."

    def test_the_sums_of_a_release_name_every_other_file(self, built: BuiltRelease) -> None:
        lines = [line.split("  ") for line in built.files["SHA256SUMS"].decode().splitlines()]
        assert {name: digest for digest, name in lines} == {
            name: hashlib.sha256(content).hexdigest()
            for name, content in built.files.items()
            if name != "SHA256SUMS"
        }


class TestBytes:
    def test_a_releases_bytes_are_the_same_again_and_from_rows_in_another_order(self, built: BuiltRelease) -> None:
        assert build_release(a_study(), some_facts(), k=1) == built
        assert build_release(shuffled(a_study()), some_facts(), k=1) == built

    def test_no_cell_of_a_release_can_be_run_by_a_spreadsheet(self, built: BuiltRelease) -> None:
        cells = [
            cell
            for name, content in built.files.items()
            if name.endswith(".csv")
            for row in csv.reader(io.StringIO(content.decode(), newline=""))
            for cell in row
        ]
        assert any(cell.startswith("'=SUM") for cell in cells)
        started = [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))]
        assert started  # numbers below 0, which are numbers in a spreadsheet too
        assert all(float(cell) < 0 for cell in started)

    def test_no_line_of_a_release_ends_in_a_carriage_return(self, built: BuiltRelease) -> None:
        content = built.files["SCRuBAnnotations/task2_annotation_items.csv"]
        assert b"\r" not in content
        assert content.endswith(b"\n")

    @pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.table)
    def test_parquet_has_the_exact_values_that_csv_has_made_inert(
        self, layout: Layout, built: BuiltRelease
    ) -> None:
        exact = parquet(built.files[f"{layout.stem}.parquet"])
        assert exact.column_names == layout.names
        types = {"text": pa.string(), "whole": pa.int64(), "number": pa.float64(), "truth": pa.bool_()}
        assert [field.type for field in exact.schema] == [types[column.kind] for column in layout.columns]
        found = rows(built.files[f"{layout.stem}.csv"])
        assert len(found) == exact.num_rows
        for column in layout.columns:
            cells, values = [row[column.name] for row in found], exact[column.name].to_pylist()
            if column.kind == "text":
                assert [restored(cell) for cell in cells] == values
            elif column.kind == "truth":
                assert cells == [str(value) for value in values]
            else:
                assert [float(cell) if cell else None for cell in cells] == values

    def test_texts_come_through_a_release_unharmed(self, built: BuiltRelease) -> None:
        texts = parquet(built.files["SCRuBAnnotations/task1_human_responses.parquet"])["text"].to_pylist()
        assert all(text.startswith(AWKWARD) for text in texts)

    def test_a_row_that_stands_twice_is_refused(self) -> None:
        tables = a_study()
        doubled = replace(tables, guesses=pd.concat([tables.guesses, tables.guesses.head(1)]))
        with pytest.raises(ValueError, match="task2_guesses: two rows have the same prompt_id, judge_id, true_id"):
            build_release(doubled, some_facts(), k=1)


class TestReadAsAHubDoes:
    def test_pandas_reads_every_table_of_a_release(self, folder: Path) -> None:
        for layout in LAYOUTS:
            plain, exact = (
                pd.read_csv(folder / f"{layout.stem}.csv"),
                pd.read_parquet(folder / f"{layout.stem}.parquet"),
            )
            assert list(plain.columns) == list(exact.columns) == layout.names
            assert len(plain) == len(exact)

    def test_arrow_joins_judgments_to_answers(self, folder: Path) -> None:
        judgments = hub.dataset(folder / f"{JUDGMENTS}.parquet").to_table()
        answers = hub.dataset(folder / "SCRuBAnnotations/task1_human_responses.parquet").to_table()
        joined = judgments.join(answers, keys="true_id", right_keys="response_id", join_type="inner")
        # Three prompts, two judges, two human answers in each item.
        assert joined.num_rows == 12
        assert set(joined["true_source"].to_pylist()) == {"human"}


class TestReadBack:
    def test_a_release_read_back_gives_the_tables_that_were_published(self, folder: Path) -> None:
        found, tables = read_release(folder), a_study()
        assert tables_sha256(found) == tables_sha256(tables)
        assert (found.scale, found.ideology) == (tables.scale, tables.ideology)
        for name in ORDER:
            pd.testing.assert_frame_equal(getattr(found, name), getattr(tables, name))

    def test_a_release_read_back_leaves_blank_what_was_withheld_of_people(self, tmp_path: Path) -> None:
        tables = a_study()
        built = build_release(tables, some_facts(), k=5)
        found = read_release(write(built.files, tmp_path))
        judges = found.participants[found.participants["role"] == "judge"]
        assert set(judges["country"]) == {""}
        assert found.participants["years_experience"].isna().all(), (
            "of six writers bands are told, of judges nothing"
        )
        others = [name for name in ORDER if name != "participants"]
        assert [table_sha256(getattr(found, name)) for name in others] == [
            table_sha256(getattr(tables, name)) for name in others
        ]

    def test_a_release_read_back_gives_the_facts_without_the_prompts_of_the_pool(self, folder: Path) -> None:
        hashes = table_hashes(read_release(folder))
        tables = (path for ending in ("csv", "parquet") for path in folder.glob(f"*/*.{ending}"))
        files = {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in tables}
        facts = read_facts(folder)
        assert facts.file_hashes.items() >= files.items()
        assert facts == some_facts(
            template_texts={}, sample={}, passing=(), table_hashes=hashes, file_hashes=facts.file_hashes
        )

    def test_a_release_read_back_refuses_what_is_no_release(self, tmp_path: Path) -> None:
        with pytest.raises(ReleaseFolderError, match="there is no SHA256SUMS"):
            read_release(tmp_path)

    @pytest.mark.parametrize("name", [f"{JUDGMENTS}.parquet", "study.json", "rubric.toml"])
    def test_a_release_read_back_refuses_a_file_that_is_not_the_published_one(
        self, name: str, folder: Path
    ) -> None:
        path = folder / name
        path.write_bytes(path.read_bytes() + b" ")
        with pytest.raises(ReleaseFolderError, match=f"{name} is not the file that was published"):
            read_release(folder)

    def test_a_release_read_back_says_of_each_file_what_is_wrong(self, folder: Path) -> None:
        assert manifest_faults(folder) == []
        (folder / "study.json").unlink()
        (folder / "codebook.csv").write_text("x")
        (folder / "SCRuBEval/added.csv").write_text("x")
        faults = [fault.removeprefix(f"{folder}/") for fault in manifest_faults(folder)]
        assert faults == [
            "SCRuBEval/added.csv: SHA256SUMS does not name it.",
            "codebook.csv is not the file that was published, by its sum in SHA256SUMS.",
            "study.json is missing.",
        ]

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            ({"study": {"design": []}}, "design: Input should be a valid dictionary"),
            ({"study": {"design": {}}}, "design.parameters: there are none"),
            ({"study": {"seed": 5}}, "seed: Input should be a valid string"),
            ({"study": {"frozen_tables": None}}, "frozen_tables: Input should be a valid dictionary"),
            ({"study": {"more": 1}}, "more: Unexpected keyword argument"),
            ({"ideology": {"low": "left", "high": "right"}}, "ideology.points: Field required"),
            ({"format": "another"}, "format: Input should be 'scrub-release/1'"),
            ([], "the file: Input should be an object"),
        ],
    )
    def test_a_release_read_back_says_where_study_json_is_malformed(
        self, content: dict[str, Any] | list[Any], told: str, built: BuiltRelease, folder: Path
    ) -> None:
        found = json.loads(built.files["study.json"])
        if isinstance(content, dict):
            content = {**found, **content, "study": {**found["study"], **content.get("study", {})}}
        files = {**built.files, "study.json": json.dumps(content).encode()}
        del files["SHA256SUMS"]
        write({**files, "SHA256SUMS": manifest(files)}, folder)
        with pytest.raises(ReleaseFolderError) as refused:
            read_facts(folder)
        assert str(refused.value) == f"{folder}/study.json is not of a release: {told}"


class TestWithdrawal:
    def test_a_withdrawal_takes_a_writer_out_of_every_table_but_leaves_the_ids_that_labels_need(self) -> None:
        tables = without_writer(a_study())
        built = build_release(tables, some_facts(), k=1)
        gone = {response_id(prompt, 1) for prompt in KINDS}
        naming = {
            name
            for name, content in built.files.items()
            if name.endswith(".csv") and any(answer.encode() in content for answer in gone)
        }
        assert naming == {"SCRuBAnnotations/task2_annotation_items.csv", "SCRuBStudy/withdrawn.csv"}
        items = rows(built.files["SCRuBAnnotations/task2_annotation_items.csv"])
        assert {row["true_id"] for row in items if row["withdrawn"] == "1"} == gone
        assert len(items) == 24
        assert built.report["withdrawn"] == {"answer": 3, "writer": 1}

    def test_a_withdrawal_changes_nothing_but_what_has_to_go(self, built: BuiltRelease) -> None:
        gone = {response_id(prompt, 1) for prompt in KINDS}
        left = build_release(without_writer(a_study()), some_facts(), k=1)
        for name in (f"{JUDGMENTS}.csv", "SCRuBAnnotations/task2_guesses.csv"):
            assert rows(left.files[name]) == [row for row in rows(built.files[name]) if row["true_id"] not in gone]
        unchanged = {name for name in built.files if built.files[name] == left.files[name]}
        assert {
            "SCRuBAnnotations/model_responses_standard.csv",
            "SCRuBSample/study_prompts.csv",
            "SCRuBEval/evaluation_dataset.csv",
            "codebook.csv",
            "rubric.toml",
        } <= unchanged

    @pytest.mark.parametrize(
        ("table", "column"),
        [
            ("judgments", "true_id"),
            ("answers", "response_id"),
            ("guesses", "true_id"),
            ("panel", "response_id"),
            ("participants", "participant_id"),
        ],
    )
    def test_a_withdrawal_that_was_forgotten_in_any_table_is_refused(self, table: str, column: str) -> None:
        before = a_study()
        forgotten = replace(without_writer(before), **{table: getattr(before, table)})
        with pytest.raises(ValueError, match=f"{table}: {column} still names"):
            build_release(forgotten, some_facts(), k=1)


def test_study_json_has_what_the_report_says(built: BuiltRelease) -> None:
    found = json.loads(built.files["study.json"])
    assert found["anonymity"] == built.report
    assert found["ideology"] == {"low": "progressive", "high": "conservative", "points": 5}
    assert found["study"]["seed"] == some_facts().seed
