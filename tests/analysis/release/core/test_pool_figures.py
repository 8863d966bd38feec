"""Pictures of where prompts come from in a release: the report's own, of published tables alone, and no tables."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.data.core.parameters import Parameters
from analysis.data.core.study_tables import tables_sha256
from analysis.pool.sections import POOL
from analysis.release.core.building import BuiltRelease, build_release
from analysis.release.core.manifest import MANIFEST, manifest, read_manifest
from analysis.release.core.pool_figures import FIGURES
from analysis.release.core.release_folder import csv_faults, file_faults, manifest_faults, read_release, row_faults
from analysis.sections.exhibits.rendering import KINDS, pictures, table_csv
from analysis.unblinded.core.full_report import analyse
from tests.analysis.release.core.releases import a_study, some_facts, without_writer, write

NAMES = ("prompts-funnel", "prompts-diversity", "prompts-map-1")


def figures(built: BuiltRelease) -> dict[str, bytes]:
    return {
        name.removeprefix(f"{FIGURES}/"): content
        for name, content in built.files.items()
        if name.startswith(FIGURES)
    }


def test_a_release_has_funnel_diversity_and_map_as_the_report_draws_them(built: BuiltRelease, folder: Path) -> None:
    report = analyse(read_release(folder), parameters=Parameters(draws=20))
    exhibits = tuple(POOL.exhibits(report[POOL], report, ""))
    assert tuple(each.name for each in exhibits) == NAMES
    drawn = {f"{each.name}.{kind}": content for each in exhibits for kind, content in pictures(each).items()}
    assert figures(built) == {**drawn, **{f"{each.name}.csv": table_csv(each.table) for each in exhibits}}
    assert {kind: drawn[f"prompts-diversity.{kind}"][:4] for kind in KINDS} == {
        "svg": b"<?xm",
        "png": b"\x89PNG",
        "pdf": b"%PDF",
    }


def test_a_release_of_a_study_without_sources_has_no_pictures() -> None:
    tables = a_study()
    without = {name: getattr(tables, name)[:0] for name in ("pool_funnel", "pool_diversity", "pool_map")}
    built = build_release(replace(tables, **without), some_facts(), k=1)
    assert figures(built) == {}
    assert FIGURES not in built.files["README.md"].decode()


def test_pictures_depend_on_nothing_but_the_tables_of_where_prompts_come_from(built: BuiltRelease) -> None:
    """So they can name nobody who took part, and hold no prompt and no answer."""
    tables = without_writer(a_study())
    others = replace(tables, prompts=tables.prompts.assign(prompt="?"), panel=tables.panel[:0])
    facts = some_facts(number=2, title="Another", passing=(), sample={}, is_synthetic=True)
    assert figures(build_release(others, facts, k=3)) == figures(built)


def test_pictures_are_in_the_sums_and_hashes_and_descriptions_and_no_tables(built: BuiltRelease) -> None:
    names = {f"{FIGURES}/{name}" for name in figures(built)}
    assert len(names) == len(NAMES) * (1 + len(KINDS))
    assert names <= read_manifest(built.files[MANIFEST]).keys()
    assert names <= json.loads(built.files["study.json"])["study"]["file_hashes"].keys()
    described = json.loads(built.files["croissant.json"])
    formats = {each["contentUrl"]: each["encodingFormat"] for each in described["distribution"]}
    assert {name.rpartition(".")[2]: formats[name] for name in names} == {
        "csv": "text/csv",
        "pdf": "application/pdf",
        "png": "image/png",
        "svg": "image/svg+xml",
    }
    read_from = {field["source"]["fileObject"]["@id"] for each in described["recordSet"] for field in each["field"]}
    assert not names & read_from
    _, header, body = built.files["README.md"].decode().split("---\n", 2)
    assert FIGURES not in header
    assert [name for name in NAMES if f"| `{FIGURES}/{name}` |" not in body] == []
    assert FIGURES not in built.files["codebook.csv"].decode()


def test_an_earlier_release_without_pictures_is_read_and_verified_as_before(
    built: BuiltRelease, tmp_path: Path
) -> None:
    files = {name: content for name, content in built.files.items() if not name.startswith(FIGURES)}
    said = json.loads(files["study.json"])
    hashes = said["study"]["file_hashes"]
    said["study"]["file_hashes"] = {name: digest for name, digest in hashes.items() if name in files}
    files["study.json"] = json.dumps(said).encode()
    del files[MANIFEST]
    folder = write({**files, MANIFEST: manifest(files)}, tmp_path)
    assert [*manifest_faults(folder), *file_faults(folder), *csv_faults(folder), *row_faults(folder)] == []
    assert tables_sha256(read_release(folder)) == tables_sha256(a_study())


@pytest.mark.parametrize("ending", ["csv", *KINDS])
def test_a_picture_that_was_changed_with_its_sum_is_told(ending: str, built: BuiltRelease, tmp_path: Path) -> None:
    name = f"{FIGURES}/prompts-diversity.{ending}"
    files = {**built.files, name: built.files[name] + b" "}
    del files[MANIFEST]
    folder = write({**files, MANIFEST: manifest(files)}, tmp_path)
    assert file_faults(folder) == [
        f"{folder / name} is not the file that was published, by its hash in study.json."
    ]
