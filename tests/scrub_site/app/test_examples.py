"""Examples to download beside imports can be imported as they are."""

import io
from pathlib import Path
from typing import cast

import pytest
from django.conf import settings

from annotation.benchmarks.core.layouts import LAYOUTS, Files, LayoutName
from annotation.benchmarks.core.layouts import read as read_benchmark
from annotation.people.core import people_import
from annotation.people.views.recruiting import OF_PEOPLE
from annotation.platform.core.table_import import read, suggest, take
from annotation.study.core import prompt_import
from annotation.study.views.imports import Import
from annotation.study.views.prompts import OF_PROMPTS
from generation.sources.core.source_files import read_source
from generation.sources.core.source_kinds import SOURCE_KINDS, KindName

STATIC = Path(settings.BASE_DIR) / "static"


@pytest.mark.parametrize(
    ("kind", "example"), [(kind, example) for kind in (OF_PROMPTS, OF_PEOPLE) for example in kind.examples]
)
def test_every_example_of_a_table_has_nothing_to_be_corrected(kind: Import, example: str) -> None:
    table = read((STATIC / example).read_bytes())
    lines, problems = take(table.rows, kind.fields, suggest(table.columns, kind.fields))
    assert not [*table.problems, *problems]
    examined = (
        prompt_import.examine(lines, wordings={})
        if kind is OF_PROMPTS
        else people_import.examine(lines, standing={}, topics=frozenset())
    )
    assert len(examined.found) == len(table.rows)


@pytest.mark.parametrize("kind", SOURCE_KINDS)
def test_every_example_of_a_source_is_read_and_leaves_a_scenario(kind: KindName) -> None:
    files = [(name, io.BytesIO((STATIC / "examples" / name).read_bytes())) for name in SOURCE_KINDS[kind].examples]
    mapping = {name: name for name in ("key", "subject", "question")} if kind == "table" else None
    assert read_source(kind, files, shape=SOURCE_KINDS[kind].shape, mapping=mapping).reduction.scenarios


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_example_of_a_benchmark_is_read_whole(name: LayoutName) -> None:
    layout = LAYOUTS[name]
    needed = [slot.name for slot in layout.slots if slot.is_required]
    files = {
        slot: (example, io.BytesIO((STATIC / "examples" / example).read_bytes()))
        for slot, example in zip(needed, layout.examples, strict=True)
    }
    found = read_benchmark(layout, cast(Files, files))
    assert not found.problems
    assert found.stories
