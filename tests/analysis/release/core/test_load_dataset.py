"""A release's folder as the library of data hubs loads it: every configuration, and every split of it."""

from pathlib import Path

import pandas as pd
import yaml

from analysis.release.core.layout import layouts
from tests.analysis.release.core.releases import AWKWARD, RUBRIC
from tests.libraries import library


def test_load_dataset_gives_every_configuration_and_split_with_all_rows(folder: Path, tmp_path: Path) -> None:
    header = yaml.safe_load((folder / "README.md").read_text("utf-8").split("---\n")[1])
    for config in header["configs"]:
        loaded = library("datasets").load_dataset(
            str(folder), config["config_name"], cache_dir=str(tmp_path / "cache")
        )
        exact = {entry["split"]: pd.read_parquet(folder / entry["path"]) for entry in config["data_files"]}
        assert {split: len(table) for split, table in loaded.items()} == {
            split: len(table) for split, table in exact.items()
        }
        for split, table in exact.items():
            assert set(table.columns) <= set(loaded[split].column_names)


def test_load_dataset_gives_a_table_by_its_name_with_its_own_columns_and_types(
    folder: Path, tmp_path: Path
) -> None:
    every = {each.table: each for each in layouts(RUBRIC)}
    types = {"text": "string", "whole": "int64", "number": "float64", "truth": "bool"}
    for name in ("task2_human_judgments", "panel_scores", "panel_scores_other_ways"):
        loaded = library("datasets").load_dataset(
            str(folder), name, split="train", cache_dir=str(tmp_path / "cache")
        )
        found = {column: feature.dtype for column, feature in loaded.features.items()}
        assert found == {column.name: types[column.kind] for column in every[name].columns}
    judgments = library("datasets").load_dataset(
        str(folder), "SCRuBAnnotations", split="task2_judgments", cache_dir=str(tmp_path / "cache")
    )
    assert set(judgments["justification"]) == {AWKWARD}
    assert set(judgments["participant_id"]) == {None}
