"""Which tests are left to long runs."""

import re
from functools import cache
from pathlib import Path

import pytest

from scripts.long_runs.choosing import SHARE, SHORT, left_to_long_runs, timed
from tests.thorough import ALWAYS_RUN, IS_THOROUGH, LONG_RUNS, long_runs, names_in

ROOT = Path(__file__).resolve().parents[3]
DEAR = 10 * SHORT


def chosen(seconds: dict[str, float], *always: str) -> list[str]:
    return list(left_to_long_runs(seconds, frozenset(always)))


def test_short_tests_and_those_that_always_run_are_never_left_to_long_runs() -> None:
    seconds = {"a.py::short": SHORT, "a.py::alike": SHORT, "a.py::dear": DEAR, "a.py::dearer": 3 * DEAR}
    assert chosen(seconds, "a.py::dearer") == []
    assert chosen(seconds) == ["a.py::dearer"]


def test_of_every_file_of_dear_tests_the_shortest_stays() -> None:
    assert chosen({"a.py::one": DEAR, "b.py::dear": 3 * DEAR, "b.py::less": 2 * DEAR}) == ["b.py::dear"]


def test_of_a_files_dear_tests_the_shortest_stay_within_their_share_of_all_of_them() -> None:
    of_a_file = {f"a.py::{number:02}": DEAR for number in range(100)}
    assert len(chosen(of_a_file)) == 100 - round(SHARE * 100)
    assert chosen({"a.py::other": 50 * DEAR, "a.py::one": DEAR, "a.py::two": 2 * DEAR}) == ["a.py::other"]


def test_of_a_dear_test_with_several_examples_the_shortest_alone_may_stay() -> None:
    examples = {"a.py::one[x]": DEAR, "a.py::one[y]": DEAR / 2, "a.py::one[z]": 2 * DEAR}
    assert chosen(examples) == ["a.py::one[x]", "a.py::one[z]"]


def test_a_folder_without_timed_tests_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no timed tests"):
        timed(tmp_path)


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


@pytest.mark.parametrize("file", [LONG_RUNS, ALWAYS_RUN], ids=lambda file: file.stem)
def test_no_name_on_the_lists_has_a_path_of_the_machine_that_drew_them_up(file: Path) -> None:
    """Elsewhere such a test has another name: it would be made by every run, whatever the list says."""
    assert [name for name in sorted(names_in(file)) if re.search(r"\[(?:.*-)?/", name)] == []


def _is_there(name: str) -> bool:
    path, *within = name.partition("[")[0].split("::")
    if not within:
        return (ROOT / path).exists()
    return all(re.search(rf"^ *(?:class|def) {part}\b", _source(ROOT / path), re.MULTILINE) for part in within)


@cache
def _source(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""
