"""A plugin of pytest: of each test the lines that it runs, and its seconds of processor without what it shares."""

import json
import os
from collections.abc import Generator
from pathlib import Path
from time import process_time
from typing import Final

import pytest
from coverage import Coverage

SAVED_EVERY: Final = 1_000  # tests, so that a run which is broken off is not for nothing
BETWEEN: Final = "between tests"

_folder = Path(os.environ["LINES"]).absolute()
_process = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
_lines = Coverage(
    data_file=_folder / f"{_process}.coverage",
    source=["annotation", "analysis", "generation", "scrub_site"],
    messages=False,
)
_shared_seconds = [0.0]  # of fixtures that more than one test has
_count = [0]


def pytest_configure() -> None:
    _folder.mkdir(parents=True, exist_ok=True)
    _lines.start()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
    began = process_time()
    made = yield
    if fixturedef.scope != "function":
        _shared_seconds[0] += process_time() - began
    return made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    group = item.get_closest_marker("xdist_group")
    name = item.nodeid.removesuffix(f"@{group.args[0]}") if group else item.nodeid
    _lines.switch_context(name)
    _shared_seconds[0], began = 0.0, process_time()
    done = yield
    seconds = process_time() - began - _shared_seconds[0]
    _lines.switch_context(BETWEEN)
    with (_folder / f"{_process}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([name, round(seconds, 3)]) + "\n")
    _count[0] += 1
    if _count[0] % SAVED_EVERY == 0:
        _lines.save()
    return done


def pytest_sessionfinish() -> None:
    _lines.stop()
    _lines.save()
