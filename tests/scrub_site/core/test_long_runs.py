"""Which tests are left to long runs."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

from scripts.long_runs.choosing import SHORT, Recorded, left_to_long_runs, recorded
from tests.thorough import ALWAYS_RUN, IS_THOROUGH, LONG_RUNS, long_runs, names_in

ROOT = Path(__file__).resolve().parents[3]
DEAR = 10 * SHORT


def a_test(seconds: float, *lines: int) -> Recorded:
    return Recorded(seconds, frozenset(("code.py", line) for line in lines))


def reached(tests: Iterable[Recorded]) -> set[tuple[str, int]]:
    return {line for test in tests for line in test.lines}


def chosen(tests: dict[str, Recorded], *always: str) -> list[str]:
    return list(left_to_long_runs(tests, frozenset(always)))


def test_a_dear_test_whose_lines_a_short_one_reaches_is_left_to_long_runs() -> None:
    assert chosen({"a.py::short": a_test(SHORT / 2, 1, 2), "a.py::dear": a_test(DEAR, 2)}) == ["a.py::dear"]


def test_short_tests_and_those_that_always_run_are_never_left_to_long_runs() -> None:
    tests = {
        "a.py::short": a_test(SHORT / 2, 1),
        "a.py::alike": a_test(SHORT / 2, 1),
        "a.py::dear": a_test(DEAR, 1),
    }
    assert chosen(tests, "a.py::dear") == []


def test_of_dear_tests_the_one_that_reaches_most_lines_a_second_stays_and_others_count_without_them() -> None:
    tests = {
        "a.py::short": a_test(SHORT / 2, 1),
        "a.py::much": a_test(DEAR, 1, 2, 3, 4),
        "a.py::little": a_test(DEAR, 3, 4),
        "a.py::alone": a_test(2 * DEAR, *range(5, 10)),
    }
    assert chosen(tests) == ["a.py::little"]


def test_of_every_file_the_shortest_test_stays() -> None:
    tests = {"a.py::one": a_test(DEAR, 1), "b.py::dear": a_test(3 * DEAR, 1), "b.py::less": a_test(2 * DEAR, 1)}
    assert chosen(tests) == ["b.py::dear"]


def test_a_test_that_adds_a_line_in_two_seconds_stays_and_one_that_takes_longer_for_it_does_not() -> None:
    tests = {"a.py::short": a_test(SHORT / 2, 1), "a.py::two": a_test(2, 2), "a.py::three": a_test(3, 3)}
    assert chosen(tests) == ["a.py::three"]


def test_every_line_that_tests_of_a_second_reach_is_reached_by_those_that_stay() -> None:
    tests = {f"{number % 3}.py::{number}": a_test(1, *range(number, 3 * number, 2)) for number in range(1, 40)}
    stay = tests.keys() - {*chosen(tests)}
    assert len(stay) < len(tests)
    assert reached(tests[name] for name in stay) == reached(tests.values())


def test_a_folder_without_recorded_tests_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no recorded tests"):
        recorded(tmp_path)


@pytest.mark.skipif(IS_THOROUGH, reason="where nothing is left out")
def test_runs_of_folders_leave_out_long_runs_and_whoever_names_a_file_or_a_test_gets_all_of_it() -> None:
    folder, file = ROOT / "tests", Path(__file__)
    assert long_runs([str(folder)]) == names_in(LONG_RUNS)
    assert long_runs([str(file)]) == long_runs([str(folder), f"{file}::test"]) == frozenset()


def test_nothing_that_always_runs_is_left_to_long_runs() -> None:
    begin_always_run = tuple(names_in(ALWAYS_RUN))
    assert [name for name in names_in(LONG_RUNS) if name.startswith(begin_always_run)] == []


@pytest.mark.parametrize("file", [LONG_RUNS, ALWAYS_RUN], ids=lambda file: file.stem)
def test_every_name_on_the_lists_is_that_of_a_test_or_of_where_tests_are(file: Path) -> None:
    """A test that was renamed or moved would be made by every run again, or by none that this list speaks of."""
    unknown = [name for name in sorted(names_in(file)) if not _is_there(name)]
    assert unknown == []


def _is_there(name: str) -> bool:
    path, *within = name.partition("[")[0].split("::")
    if not within:
        return (ROOT / path).exists()
    return all(re.search(rf"^ *(?:class|def) {part}\b", _source(ROOT / path), re.MULTILINE) for part in within)


@cache
def _source(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""
