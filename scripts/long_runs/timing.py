"""A plugin of pytest: the seconds of processor of each test, without what it shares with others."""

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

_FOLDER: Final = Path(os.environ["TIMES"]).absolute()
_PROCESS: Final = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
_shared_seconds = [0.0]  # of fixtures that more than one test has


def pytest_configure() -> None:
    _FOLDER.mkdir(parents=True, exist_ok=True)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
    began = _seconds()
    made = yield
    if fixturedef.scope != "function":
        _shared_seconds[0] += _seconds() - began
    return made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    group = item.get_closest_marker("xdist_group")
    name = item.nodeid.removesuffix(f"@{group.args[0]}") if group else item.nodeid
    _shared_seconds[0], began = 0.0, _seconds()
    done = yield
    taken = _seconds() - began - _shared_seconds[0]
    with (_FOLDER / f"{_PROCESS}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps([name, round(taken, 3)]) + "\n")
    return done


def _seconds() -> float:
    """What this process has taken of a processor so far, and those that it started and that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
