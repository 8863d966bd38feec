"""What a release says of itself: the data card for people and hubs, Croissant for machines, the check of labels."""

import contextlib
import json
import logging
import runpy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from analysis.release.core.building import BuiltRelease, build_release
from analysis.release.core.label_check import LABEL_CHECK
from analysis.release.core.layout import TOMBSTONES, layouts
from tests.analysis.release.core.panel_ways import asked_in
from tests.analysis.release.core.releases import AWKWARD, RUBRIC, a_study, some_facts, without_writer, write
from tests.libraries import library


@pytest.fixture(scope="module")
def licensed() -> BuiltRelease:
    return build_release(a_study(), some_facts(licence="CC-BY-4.0"), k=1)


def card(built: BuiltRelease) -> tuple[dict[str, Any], str]:
    """The header's YAML, and what people read."""
    _, header, body = built.files["README.md"].decode().split("---\n", 2)
    return yaml.load(header, yaml.CSafeLoader), body


class TestDataCard:
    def test_the_data_card_names_the_published_configurations_and_splits(self, built: BuiltRelease) -> None:
        header, _ = card(built)
        splits = {
            (config["config_name"], entry["split"]): entry["path"]
            for config in header["configs"]
            for entry in config["data_files"]
        }
        annotations = "SCRuBAnnotations"
        assert (
            splits.items()
            >= {
                ("SCRuBSample", "train"): "SCRuBSample/study_prompts.parquet",
                (annotations, "task1_responses"): f"{annotations}/task1_human_responses.parquet",
                (annotations, "model_responses_standard"): f"{annotations}/model_responses_standard.parquet",
                (annotations, "model_responses_calibration"): f"{annotations}/model_responses_calibration.parquet",
                (annotations, "task2_items"): f"{annotations}/task2_annotation_items.parquet",
                (annotations, "task2_judgments"): f"{annotations}/task2_human_judgments.parquet",
                ("SCRuBEval", "train"): "SCRuBEval/evaluation_dataset.parquet",
            }.items()
        )

    def test_the_data_card_names_only_files_that_are_there_and_each_table_once_by_itself(
        self, built: BuiltRelease
    ) -> None:
        header, _ = card(built)
        configs = {config["config_name"]: config["data_files"] for config in header["configs"]}
        assert len(configs) == len(header["configs"])
        paths = [entry["path"] for entries in configs.values() for entry in entries]
        assert set(paths) <= set(built.files)
        assert a_study().tombstones.empty
        assert "withdrawn" not in configs
        for layout in set(layouts(RUBRIC)) - {TOMBSTONES}:
            assert configs[layout.table] == [{"split": "train", "path": f"{layout.stem}.parquet"}]

    def test_the_data_card_tells_the_panels_two_tables_apart_where_a_panel_said_anything(
        self, built: BuiltRelease
    ) -> None:
        header, body = card(built)
        splits = {each["config_name"]: [of["split"] for of in each["data_files"]] for each in header["configs"]}
        assert splits["SCRuBPanel"] == ["panel_scores", "panel_scores_other_ways", "panel_expected"]
        assert "## What judge models said" in body
        assert "## What judge models said" not in card(build_release(asked_in(), some_facts(), k=1))[1]

    def test_the_data_card_carries_a_title_with_any_signs(self, built: BuiltRelease) -> None:
        header, body = card(built)
        assert header["pretty_name"] == "A “pilot” | study: 日本"
        assert "# A “pilot” | study: 日本" in body

    def test_the_data_card_says_that_no_licence_was_given_or_which(
        self, built: BuiltRelease, licensed: BuiltRelease
    ) -> None:
        header, body = card(built)
        assert header["license"] == "unknown"
        assert "None was given" in body
        header, body = card(licensed)
        assert header["license"] == "cc-by-4.0"
        named = "[Creative Commons Attribution 4.0](https://spdx.org/licenses/CC-BY-4.0) (CC-BY-4.0)"
        assert body.endswith(f"## Licence\n\n{named}\n")

    def test_the_data_card_says_first_of_all_that_texts_were_made_up(self, built: BuiltRelease) -> None:
        warning = "**Texts and judgments in this data set were made up."
        assert warning not in card(built)[1]
        _, body = card(build_release(a_study(), some_facts(is_synthetic=True), k=1))
        assert body.split("\n\n")[1].startswith(warning)

    def test_the_data_card_says_how_the_study_was_done_and_what_was_told_of_people(self) -> None:
        told = {"answers/matched": {"gpt": "medium, sent as {}", "open": "no effort was sent"}}
        _, body = card(build_release(without_writer(a_study()), some_facts(efforts=told), k=5))
        assert "| Writing | Minutes for an answer | 30 |" in body
        assert "| answers/matched | open | no effort was sent |" in body
        assert "| judge | 2 | fewer than k: nothing is told | 2 | withheld |" in body
        assert "| writer | 5 | 5 | 0 | as given |" in body
        assert "3 answers, 1 writer" in body

    def test_the_data_card_of_an_audit_has_what_an_audit_decides_and_nothing_of_judges(self) -> None:
        design = {"parameters": {"writing_minutes": 30, "output_token_cap": 9_000, "fee_per_item": "2.00"}}
        _, body = card(build_release(a_study(), some_facts(preset="audit", design=design), k=1))
        assert "| Models | Most tokens for a reply | 9000 |" in body
        assert "| Fees and days | Fee for a question | 2.00 |" in body
        of_others = (
            "Minutes for an answer",
            "Rubric:",
            "the rubric, `rubric.toml`",
            "judgments as collection",
            "Every judge",
        )
        assert [words for words in of_others if words in body] == []

    def test_the_data_card_has_tables_whose_lines_all_have_the_same_cells(self, built: BuiltRelease) -> None:
        _, body = card(built)
        tables = [block.splitlines() for block in body.split("\n\n") if block.startswith("| ")]
        assert len(tables) == 7
        for lines in tables:
            assert len({line.replace("\\|", "").count("|") for line in lines}) == 1


class TestLabelCheck:
    """The lines that the data card prints, run as an outsider would run them, in the folder of a release."""

    def run(self, folder: Path) -> None:
        script = folder.parent / "check.py"
        script.write_text(LABEL_CHECK)
        with contextlib.chdir(folder):
            runpy.run_path(str(script))

    def test_the_label_check_stands_in_the_data_card(self, built: BuiltRelease) -> None:
        assert f"```python\n{LABEL_CHECK}```" in card(built)[1]

    def test_the_label_check_finds_every_label_where_it_should_be(self, folder: Path) -> None:
        self.run(folder)

    def test_the_label_check_works_after_a_withdrawal(self, tmp_path: Path) -> None:
        self.run(write(build_release(without_writer(a_study()), some_facts(), k=1).files, tmp_path / "release"))

    def test_the_label_check_names_the_item_in_which_two_labels_were_exchanged(self, tmp_path: Path) -> None:
        tables = a_study()
        items = tables.items.copy()
        items.loc[[0, 1], "true_id"] = items.loc[[1, 0], "true_id"].to_numpy()
        changed = write(build_release(replace(tables, items=items), some_facts(), k=1).files, tmp_path / "release")
        with pytest.raises(AssertionError, match="J-1, AAA_01"):
            self.run(changed)

    def test_the_label_check_fails_for_a_seed_that_was_not_committed_to(self, tmp_path: Path) -> None:
        facts = some_facts(commitment="0" * 64)
        with pytest.raises(AssertionError):
            self.run(write(build_release(a_study(), facts, k=1).files, tmp_path / "release"))


# Both are of libraries that mlcroissant uses, and of how it uses them.
@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:The inplace keyword")
class TestCroissant:
    @pytest.fixture(autouse=True)
    def _quiet(self) -> Iterator[None]:
        logging.getLogger("absl").setLevel(logging.ERROR)
        yield
        logging.getLogger("absl").setLevel(logging.NOTSET)

    def test_croissant_is_valid(self, licensed: BuiltRelease, tmp_path: Path) -> None:
        folder = write(licensed.files, tmp_path)
        described = library("mlcroissant").Dataset(jsonld=folder / "croissant.json").metadata
        issues = described.issues
        assert described.license == ["https://spdx.org/licenses/CC-BY-4.0"]
        assert not issues.errors
        # When it is published is known only later, and by whom it is to be cited nobody has said.
        assert {warning.split('"')[1].rpartition("/")[2] for warning in issues.warnings} == {
            "citeAs",
            "datePublished",
        }

    def test_croissant_says_which_columns_name_rows_of_other_tables(self, built: BuiltRelease) -> None:
        described = json.loads(built.files["croissant.json"])
        fields = {field["@id"]: field for records in described["recordSet"] for field in records["field"]}
        named = {
            name: field["references"]["field"]["@id"] for name, field in fields.items() if "references" in field
        }
        assert named["task2_human_judgments/prompt_id"] == "study_prompts/prompt_id"
        assert named["task2_human_judgments/judge_id"] == "participants/participant_id"
        assert "study_prompts/prompt_id" not in named
        assert set(named.values()) <= set(fields)

    def test_croissant_leads_to_the_records(self, folder: Path) -> None:
        described = library("mlcroissant").Dataset(jsonld=folder / "croissant.json")
        records = list(described.records("task2_human_judgments"))
        exact = pd.read_parquet(folder / "SCRuBAnnotations/task2_human_judgments.parquet")
        assert [record["task2_human_judgments/score"] for record in records] == exact["score"].tolist()
        assert {record["task2_human_judgments/justification"].decode() for record in records} == {AWKWARD}

    def test_croissant_describes_every_other_file_but_the_sums(self, built: BuiltRelease) -> None:
        described = json.loads(built.files["croissant.json"])
        names = {entry["contentUrl"] for entry in described["distribution"]}
        assert names == built.files.keys() - {"croissant.json", "SHA256SUMS"}
        assert {entry["name"] for entry in described["recordSet"]} == {layout.table for layout in layouts(RUBRIC)}
