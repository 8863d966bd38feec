"""Files in one ZIP: what goes in comes out, and the same files are the same bytes."""

import io
from zipfile import ZipFile

from analysis.data.core.archive import zipped

FILES = {"b/two.csv": b"2\n", "README.md": "é".encode(), "a/one.csv": b"1\n" * 1000}


def test_an_archive_holds_the_files_by_name_in_order() -> None:
    with ZipFile(io.BytesIO(zipped(FILES))) as packed:
        assert packed.namelist() == ["README.md", "a/one.csv", "b/two.csv"]
        assert {name: packed.read(name) for name in packed.namelist()} == FILES
        assert {entry.date_time for entry in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_an_archive_of_the_same_files_is_the_same_bytes_in_whatever_order_they_come() -> None:
    assert zipped(FILES) == zipped(dict(reversed(FILES.items())))
    assert zipped(FILES) != zipped({**FILES, "README.md": b"e"})


def test_an_archive_is_smaller_than_its_files() -> None:
    assert len(zipped(FILES)) < sum(map(len, FILES.values()))
