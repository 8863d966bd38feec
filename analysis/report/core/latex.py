"""LaTeX of texts and tables: every character that LaTeX would take as its own is written so that it is printed."""

import re
from collections.abc import Iterable
from itertools import groupby
from string import ascii_lowercase
from typing import Final

from analysis.data.core.number_format import estimate_text, number
from analysis.data.core.results import Estimate
from analysis.report.prose.title_block import TitleBlock
from analysis.sections.exhibits.exhibit import Cell, Column, Exhibit, Table
from analysis.sections.exhibits.wording import level_name
from analysis.sections.prose.passage import Chapter, listed

MAX_TABLE_ROWS: Final = 40  # rows on a page; longer ones are files only
_OWN: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
}
_SIGNS: Final = {
    "−": r"\ensuremath{-}",
    "×": r"\ensuremath{\times}",
    "±": r"\ensuremath{\pm}",
    "≥": r"\ensuremath{\geq}",
    "≤": r"\ensuremath{\leq}",
    "½": r"\ensuremath{\tfrac{1}{2}}",
    "²": r"\ensuremath{^2}",
    "√": r"\ensuremath{\surd}",
    "·": r"\ensuremath{\cdot}",
    "Δ": r"\ensuremath{\Delta}",
    "α": r"\ensuremath{\alpha}",
    "κ": r"\ensuremath{\kappa}",
    "ν": r"\ensuremath{\nu}",
    "π": r"\ensuremath{\pi}",
    "σ": r"\ensuremath{\sigma}",
    "τ": r"\ensuremath{\tau}",
    "χ": r"\ensuremath{\chi}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "‘": r"\textquoteleft{}",
    "’": r"\textquoteright{}",
    "–": r"\textendash{}",
    "—": r"\textemdash{}",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "\u202f": r"\,",
}
_WRITTEN: Final = str.maketrans(_OWN | _SIGNS)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_JOINED: Final = re.compile("-(?=-)|,(?=,)|'(?=')")  # two of them become one sign

_BEGINNING: Final = r"""\documentclass[11pt]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
\else
  \usepackage{fontspec}
\fi
\usepackage[margin=2.5cm]{geometry}
\usepackage{adjustbox,amsmath,booktabs,graphicx}
\usepackage[section]{placeins}
\begin{document}
"""
_END: Final = "\\end{document}\n"


def document(block: TitleBlock, chapters: Iterable[Chapter], exhibits: Iterable[Exhibit]) -> str:
    """A whole document: the title, the text, then every exhibit with its picture from `figures/` beside it.

    pdfLaTeX sets it; names in other scripts than Latin want LuaLaTeX or XeLaTeX and a typeface that has them.
    """
    return "".join(
        [
            _BEGINNING,
            _title(block),
            *(_chapter(chapter) for chapter in chapters),
            *(
                f"\n\\section*{{{escaped(heading)}}}\n" + "".join(map(_exhibit, found))
                for heading, found in groupby(exhibits, _heading)
            ),
            _END,
        ]
    )


def escaped(text: str) -> str:
    """The text as LaTeX prints it, on one line; control characters become spaces."""
    separated = _JOINED.sub(r"\g<0>\0", _CONTROL.sub(" ", text))
    return separated.translate(_WRITTEN).replace("\0", "{}")


def tabular(table: Table) -> tuple[str, list[str]]:
    """A table in the manner of booktabs, and what its marks (a, b, …) refer to: reasons, in that order."""
    reasons: dict[str, str] = {}
    alignment = "".join(
        "l" if any(isinstance(row[place], str) for row in table.rows) else "r"
        for place, _ in enumerate(table.columns)
    )
    lines = [
        _row(escaped(column.heading) for column in table.columns),
        "\\midrule",
        *(
            _row(_cell(cell, column, reasons) for cell, column in zip(row, table.columns, strict=True))
            for row in table.rows
        ),
    ]
    body = "\n".join(lines)
    return f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n{body}\n\\bottomrule\n\\end{{tabular}}\n", list(reasons)


def _title(block: TitleBlock) -> str:
    warning = f"\\noindent\\textbf{{{escaped(block.warning)}}}\\par\n\\medskip\n" if block.warning else ""
    lines = "\n".join(_row(map(escaped, line)) for line in block.lines)
    sentences = "".join(f"\n\\medskip\n\\noindent {escaped(sentence)}\n" for sentence in block.sentences)
    return rf"""
\noindent{{\Large\bfseries {escaped(block.title)}\par}}
\medskip
{warning}\noindent\begin{{adjustbox}}{{max width=\linewidth}}
\begin{{tabular}}{{@{{}}ll@{{}}}}
{lines}
\end{{tabular}}
\end{{adjustbox}}
{sentences}"""


def _chapter(chapter: Chapter) -> str:
    passages = (
        f"\n\\subsection*{{{escaped(passage.heading)}}}\n\n" + "\n\n".join(map(escaped, passage.paragraphs)) + "\n"
        for passage in chapter.passages
    )
    return f"\n\\section*{{{escaped(chapter.heading)}}}\n" + "".join(passages)


def _heading(exhibit: Exhibit) -> str:
    return f"{exhibit.section}: {exhibit.scope}" if exhibit.scope else exhibit.section


def _exhibit(exhibit: Exhibit) -> str:
    return (_picture(exhibit) if exhibit.draw else "") + _table(exhibit)


def _picture(exhibit: Exhibit) -> str:
    return rf"""
\begin{{figure}}[!htbp]
\centering
\includegraphics[width=\linewidth,height=0.8\textheight,keepaspectratio]{{figures/{exhibit.name}.pdf}}
\caption{{{escaped(f"{exhibit.title}. {exhibit.describes}{_seen(exhibit.table)}")}}}
\label{{fig:{exhibit.name}}}
\end{{figure}}
"""


def _seen(table: Table) -> str:
    """What a picture does not say itself: on how many observations its figures rest, and what its lines are."""
    known = [cell for row in table.rows for cell in row if isinstance(cell, Estimate) and cell.value is not None]
    numbers = sorted({figure.n for figure in known})
    levels = sorted({figure.interval.level for figure in known if figure.interval and not figure.interval.reason})
    to = f" to {numbers[-1]:,}" if len(numbers) > 1 else ""
    n = f" Each figure rests on n = {numbers[0]:,}{to} observations." if numbers else ""
    lines = f" Lines through marks are {listed(map(level_name, levels))} intervals." if levels else ""
    return n + lines


def _table(exhibit: Exhibit) -> str:
    if len(exhibit.table.rows) > MAX_TABLE_ROWS:
        return (
            "\n" + escaped(f"{exhibit.title}: {len(exhibit.table.rows)} rows, in tables/{exhibit.name}.csv.") + "\n"
        )
    body, reasons = tabular(exhibit.table)
    notes = [exhibit.method, *(f"{_mark(place)}: {reason}." for place, reason in enumerate(reasons))]
    return rf"""
\begin{{table}}[!htbp]
\centering\small
\caption{{{escaped(exhibit.title)}}}
\label{{tab:{exhibit.name}}}
\begin{{adjustbox}}{{max width=\linewidth}}
{body}\end{{adjustbox}}
\par\smallskip
\begin{{minipage}}{{\linewidth}}\footnotesize
{escaped(" ".join(notes))}
\end{{minipage}}
\end{{table}}
"""


def _row(cells: Iterable[str]) -> str:
    """An empty group first, since the line before would take a bracket or a star for an argument of its own."""
    return "{}" + " & ".join(cells) + r" \\"


def _cell(cell: Cell, column: Column, reasons: dict[str, str]) -> str:
    if cell is None:
        return ""
    if not isinstance(cell, Estimate):
        return escaped(cell if isinstance(cell, str) else number(cell, column.digits))
    text = escaped(estimate_text(cell, column.digits, is_share=column.is_share))
    if cell.reason is None:
        return text
    return text + rf"\textsuperscript{{{reasons.setdefault(cell.reason, _mark(len(reasons)))}}}"


def _mark(place: int) -> str:
    """a to z, then aa, ab, …"""
    further, letter = divmod(place, len(ascii_lowercase))
    return (_mark(further - 1) if further else "") + ascii_lowercase[letter]
