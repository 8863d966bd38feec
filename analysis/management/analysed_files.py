"""What `analyse` reads: files of judgments, ratings, comparisons and panels' scores, and studies' folders."""

import csv
import hashlib
import io
from dataclasses import replace
from pathlib import Path

import pandas as pd
from django.core.management.base import CommandError

from analysis.data.core.judgment_frame import (
    JudgmentFileError,
    check_any_judgment,
    read_csv,
)
from analysis.data.core.rating_frame import Doubt
from analysis.data.core.scales import check_scale, scores_in, taken_scale
from analysis.data.core.study_tables import StudyTables
from analysis.data.core.workbook import check_read, lines_of_workbook
from analysis.rating_files.core import looking
from analysis.rating_files.core.published_folder import HOLDS, JUDGMENTS, NOT_READ, PANEL
from analysis.rating_files.core.reading import FileKind, RatingOptions, Read, read_files
from analysis.release.core.manifest import MANIFEST
from analysis.release.core.release_folder import ReleaseFolderError, read_facts, read_release
from analysis.report.code_version import code_version
from analysis.report.prose.title_block import Basis
from annotation.platform.core.errors import Refused
from annotation.platform.core.file_sizes import check_size
from annotation.platform.core.limits import JUDGMENTS_BYTES
from annotation.platform.core.line_files import text_of_file
from annotation.platform.core.table_import import ZIP

COUNTS_ABSTENTIONS = "panel_sees_abstentions"  # as a study's design calls it


def read_judgments(
    judgments: Path | None,
    release: Path | None,
    dimensions: str | None,
    columns: dict[str, str],
    scale: tuple[float, float] | None,
) -> tuple[Read, bool, Basis]:
    """What was read; whether the panel's abstentions count, which only a release says; what the report rests on."""
    try:
        if judgments:
            named = [name.strip() for name in dimensions.split(",")] if dimensions else None
            check_size(judgments, JUDGMENTS_BYTES)
            of_sheet: list[Doubt] = []
            content = _as_csv(judgments.read_bytes(), of_sheet)
            frame = read_csv(io.BytesIO(content), dimensions=named, renamed=columns)
            check_any_judgment(frame)
            taken, doubts = (None, ()) if scale else taken_scale(scores_in(frame))
            if ends := scale or taken:
                check_scale(frame, ends, is_inferred=scale is None)
            basis = Basis(judgments.name, _sha256(judgments), code_version(), data="the file")
            return Read(StudyTables(frame, taken=taken), scale, (*of_sheet, *doubts)), False, basis
        if release and not dimensions and not columns and not scale:
            facts = read_facts(release)
            basis = Basis(
                f"{facts.title}, release {facts.number}",
                _sha256(release / MANIFEST),
                code_version(),
                data=f"its {MANIFEST}",
                is_synthetic=facts.is_synthetic,
            )
            return Read(read_release(release), None, ()), bool(facts.parameters.get(COUNTS_ABSTENTIONS)), basis
    except OSError as error:
        raise CommandError(f"{judgments or release}: {error.strerror or error}") from error
    except (JudgmentFileError, Refused) as error:
        raise CommandError(f"{judgments}: {error}") from error
    except ReleaseFolderError as error:  # names the folder or the file
        raise CommandError(str(error)) from error
    raise CommandError("Give a file of judgments, or a release without columns and scale: it names them itself.")


def _as_csv(content: bytes, doubts: list[Doubt]) -> bytes:
    """A CSV file with the cells of a workbook's first sheet; any other file as it is. Raises JudgmentFileError."""
    if not content.startswith(ZIP):
        return content
    text = io.StringIO(newline="")
    csv.writer(text).writerows(check_read(lines_of_workbook(content, doubts)))
    return text.getvalue().encode()


def read_file(
    file: Path,
    asked: RatingOptions,
    kind: FileKind,
    *,
    people: pd.DataFrame | None = None,
    basis: Basis | None = None,
) -> tuple[Read, Basis]:
    """`people` are the judgments that a panel's file stands beside, and `basis` what these rest on."""
    try:
        check_size(file, JUDGMENTS_BYTES)
        read = looking.read_file(file.read_bytes(), asked, kind, beside=people)
    except OSError as error:
        raise CommandError(f"{error.filename or file}: {error.strerror or error}") from error
    except (JudgmentFileError, Refused) as error:
        raise CommandError(f"{file}: {error}") from error
    if basis:
        both = hashlib.sha256(f"{basis.data_sha256} {_sha256(file)}".encode()).hexdigest()
        return read, Basis(f"{basis.title} and {file.name}", both, code_version(), data="the files’ two sums")
    return read, Basis(file.name, _sha256(file), code_version(), data="the file")


def is_without_manifest(folder: Path) -> bool:
    """Whether a folder is not one of our releases, but has files in the published layout."""
    known = {JUDGMENTS, PANEL}
    return (
        folder.is_dir() and not (folder / MANIFEST).exists() and any(each.name in known for each in _files(folder))
    )


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.csv") if path.is_file())


def read_published(folder: Path, asked: RatingOptions) -> tuple[Read, Basis]:
    """A folder in the published layout, which has no manifest: nothing says whether its files are as they were."""
    try:
        known = [path for path in _files(folder) if path.name in (*HOLDS, *NOT_READ)]
        for path in known:
            check_size(path, JUDGMENTS_BYTES)
        files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in known}
        read = read_files(files, asked)
    except OSError as error:
        raise CommandError(f"{error.filename or folder}: {error.strerror or error}") from error
    except (JudgmentFileError, Refused) as error:
        raise CommandError(f"{folder}: {error}") from error
    sums = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files.items())
    unsure = Doubt(f"there is no {MANIFEST}: nothing tells whether the files are as they were published")
    read = replace(read, doubts=(unsure, *read.doubts))
    return read, Basis(
        folder.name, hashlib.sha256(sums.encode()).hexdigest(), code_version(), data="its files’ sums"
    )


def text_of(rubric: Path | None) -> str:
    try:
        return text_of_file(rubric) if rubric else ""
    except (OSError, Refused) as error:
        reason = getattr(error, "strerror", None) or error
        raise CommandError(f"{rubric}: {reason}") from error


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
