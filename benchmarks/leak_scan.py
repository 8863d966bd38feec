"""How much of what gives a source away the leak scan finds, and how often it holds clean prose.

    python -m benchmarks.leak_scan FILE... [--missed]

Each line of a file is a JSON object: `text`; `label`, "leak" or "clean"; and for the tables `kind`, `manner`
("plain", "indirect" or "disguised") and `language`, of which any may be missing. A text may have `names`, a list
of people who must not be recognised. A leak that is only a signature, which normalisation takes off, counts as
found: nobody is shown it. Shares come with Wilson's interval at 95 %. Sets that the rules have been written or
changed with say nothing about texts to come.
"""

import json
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Final

from annotation.texts.core.leaks.scan import Finding
from annotation.texts.core.reading import read_text

Z: Final = 1.959964  # of the normal distribution, for 95 %
BY: Final = ("manner", "kind", "language")


@dataclass(frozen=True)
class Row:
    """A text of a set, what it is, and what the scan said of it."""

    text: str
    is_leak: bool
    groups: dict[str, str]
    findings: tuple[Finding, ...]
    is_taken_off: bool

    @property
    def is_found(self) -> bool:
        """Whether no judge would read it unseen: something is found, or what gives it away is not shown."""
        return bool(self.findings) or (self.is_leak and self.is_taken_off)


def read(lines: Iterable[str]) -> Iterator[Row]:
    """The rows of a set. Raises `ValueError` or `KeyError` for a line that is none.

    They are read as the site reads what is handed in: normalised, then scanned. That a text has no end is no
    finding here: sets hold single sentences, and titles.
    """
    for line in filter(str.strip, lines):
        row = json.loads(line)
        if row["label"] not in ("leak", "clean"):
            raise ValueError(f"a label is leak or clean, not {row['label']!r}")
        shown = read_text(row["text"], names=row.get("names", ()))
        yield Row(
            text=row["text"],
            is_leak=row["label"] == "leak",
            groups={name: str(row[name]) for name in BY if row.get(name)},
            findings=tuple(finding for finding in shown.findings if finding.kind != "truncated"),
            is_taken_off=_is_taken_off(row["text"], shown.text),
        )


def _is_taken_off(sent: str, shown: str) -> bool:
    """Whether all that is shown of a text is its beginning: a signature at its end is no part of the answer."""
    all_letters, letters = ("".join(filter(str.isalnum, text)) for text in (sent, shown))
    return len(letters) < len(all_letters) and all_letters.startswith(letters)


def wilson(found: int, total: int) -> tuple[float, float]:
    """Wilson's score interval of a share, both ends from 0 to 1. (Wilson 1927, J. Am. Stat. Assoc. 22, 209-212)"""
    if not total:
        return 0.0, 1.0
    share = found / total
    middle = share + Z**2 / (2 * total)
    half = Z * sqrt(share * (1 - share) / total + Z**2 / (4 * total**2))
    whole = 1 + Z**2 / total
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def line(name: str, rows: Iterable[Row]) -> str:
    """A share of `rows` that are found, and its interval, in words."""
    told = [row.is_found for row in rows]
    low, high = wilson(sum(told), len(told))
    return f"{name:<42} {sum(told):>4} of {len(told):<4} {sum(told) / len(told):>6.1%}  [{low:.1%}, {high:.1%}]"


def report(rows: list[Row]) -> Iterator[str]:
    """The tables, line by line."""
    leaks, clean = [row for row in rows if row.is_leak], [row for row in rows if not row.is_leak]
    for name, of_label in (("leaks found", leaks), ("clean texts held", clean)):
        if of_label:
            yield line(name, of_label)
        for by in BY:
            groups: dict[str, list[Row]] = defaultdict(list)
            for row in of_label:
                if by in row.groups:
                    groups[row.groups[by]].append(row)
            yield from (line(f"  {by} {group}", groups[group]) for group in sorted(groups))


def main(arguments: list[str]) -> None:
    parser = ArgumentParser(prog="python -m benchmarks.leak_scan")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--missed", action="store_true", help="print what was missed or held, too")
    options = parser.parse_args(arguments)
    rows = [row for file in options.files for row in read(file.read_text("utf-8").splitlines())]
    print("\n".join(report(rows)))
    if options.missed:
        for row in rows:
            if row.is_leak and not row.is_found:
                print(f"missed: {row.text}")
            if not row.is_leak and row.findings:
                found = "; ".join(f"“{each.excerpt}” ({each.meaning})" for each in row.findings)
                print(f"held: {found}")


if __name__ == "__main__":
    main(sys.argv[1:])
