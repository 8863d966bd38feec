"""What a report is of and what it rests on: the block that its texts begin with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from analysis.data.core.parameters import Mode
from analysis.sections.core.report import Report
from analysis.sections.exhibits.wording import level_name
from annotation.platform.core.phrases import counted

SYNTHETIC: Final = "Synthetic: texts and judgments were made up. They say nothing about people or models."
MAX_SENTENCES: Final = 30  # of how a file was read
MODES: Final[Mapping[Mode, str]] = {
    "default": "default",
    "paper": "paper-compatible",
}


@dataclass(frozen=True, slots=True)
class Basis:
    """What a report's own figures do not tell of what they rest on, the same whenever it is computed.

    `title` is the study's, or the name of what was read. `data_sha256` is the SHA-256, in hexadecimal digits, of
    what `data` names. `is_synthetic`: texts and judgments are known to be made up. `reading` has how a file was
    read, a sentence each without its full stop: what was said of it, and where it could have been read otherwise.
    """

    title: str
    data_sha256: str
    code_version: str
    data: str = "the data"
    is_synthetic: bool = False
    reading: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TitleBlock:
    """A title, a warning or "", lines of a name and a value, and sentences."""

    title: str
    warning: str
    lines: tuple[tuple[str, str], ...]
    sentences: tuple[str, ...] = ()


def title_block(report: Report, basis: Basis) -> TitleBlock:
    asked = report.parameters
    return TitleBlock(
        basis.title,
        SYNTHETIC if basis.is_synthetic else "",
        (
            (f"SHA-256 of {basis.data}", basis.data_sha256),
            ("Code", basis.code_version),
            ("Mode", MODES[asked.mode]),
            ("Resamples", f"{asked.draws:,}"),
            ("Seed", f"{asked.seed}"),
            ("Level of intervals", level_name(asked.level)),
        ),
        _sentences(basis.reading),
    )


def _sentences(reading: tuple[str, ...]) -> tuple[str, ...]:
    more = len(reading) - MAX_SENTENCES
    shown = reading if more <= 0 else (*reading[:MAX_SENTENCES], f"and {counted(more, 'remark')} more")
    return tuple(f"{each[:1].upper()}{each[1:].removesuffix('.')}." for each in shown)
