"""LaTeX of texts and tables: nothing that stands in the data is a command there."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.data.core.results import Estimate, Interval
from analysis.report.core.latex import MAX_TABLE_ROWS, document, escaped, tabular
from analysis.report.prose.title_block import TitleBlock
from analysis.sections.exhibits.exhibit import Column, Exhibit, Table
from analysis.sections.prose.passage import Chapter, Passage

NASTY = r"50 % of A&B_{x}^2 cost #1 $3~\input{/etc/passwd} <b>--'`|" + '"'

BLOCK = TitleBlock("Ten voices & more", "", (("Seed", "42"),))


def printed(tex: str) -> str:
    """What LaTeX makes of the commands for its own characters."""
    names = {
        "textbackslash": "\\",
        "textasciicircum": "^",
        "textasciitilde": "~",
        "textless": "<",
        "textgreater": ">",
        "textbar": "|",
        "textquotedbl": '"',
        "textasciigrave": "`",
    }
    tex = re.sub(r"\\([a-z]+)\{\}", lambda found: names[found[1]] if found[1] != "textbackslash" else "\0", tex)
    tex = re.sub(r"(?<=[-,'])\{\}", "", tex)
    return re.sub(r"\\([{}$&#%_])", r"\1", tex).replace("\0", "\\")


def is_balanced(tex: str) -> bool:
    """Whether braces and environments close in the order in which they open."""
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", tex):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", tex):
        if kind == "begin":
            opened.append(name)
        elif not opened or opened.pop() != name:
            return False
    return depth == 0 and not opened


def an_exhibit(*rows: tuple[str, Estimate], name: str = "card") -> Exhibit:
    table = Table((Column("Source & kind"), Column("Share", is_share=True)), rows)
    return Exhibit(name, "Outcomes", "", "Card 100 %", "What is_shown", "By {hand}.", table)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_every_character_of_ascii_is_printed_as_it_is(text: str) -> None:
    assert printed(escaped(text)) == text


@given(st.text())
def test_no_text_leaves_a_brace_open_or_ends_a_line(text: str) -> None:
    tex = escaped(text)
    assert is_balanced(tex)
    assert not re.search(r"[\x00-\x1f]", tex)
    assert not re.search(r"(?<!\\)[$&#%_^]", re.sub(r"\\ensuremath\{.*?\}(?:\})?", "", tex))


def test_signs_and_letters_of_statistics_have_their_commands() -> None:
    assert escaped("τ-b −0.12, χ² ± 1") == (
        r"\ensuremath{\tau}-b \ensuremath{-}0.12, \ensuremath{\chi}\ensuremath{^2} \ensuremath{\pm} 1"
    )
    assert escaped("5–6 “a” ’s") == r"5\textendash{}6 \textquotedblleft{}a\textquotedblright{} \textquoteright{}s"


def test_two_signs_do_not_become_one() -> None:
    assert escaped("a--b") == "a-{}-b"
    assert escaped("''") == "'{}'"


class TestTables:
    ROWS = (
        (NASTY, Estimate("share", 0.5, 8, interval=Interval(0.25, 0.75, 0.95, "bootstrap"))),
        ("second", Estimate("share", None, 0, reason="nobody guessed")),
        ("third", Estimate("share", None, 0, reason="too few")),
        ("fourth", Estimate("share", None, 0, reason="nobody guessed")),
    )

    def test_every_row_of_a_latex_table_has_as_many_cells_as_there_are_columns(self) -> None:
        tex, _ = tabular(an_exhibit(*self.ROWS).table)
        lines = [line for line in tex.splitlines() if line.endswith(r" \\")]
        assert len(lines) == 5
        assert [len(re.findall(r"(?<!\\)&", line)) for line in lines] == [1] * 5
        assert tex.startswith("\\begin{tabular}{lr}\n\\toprule\n")
        assert r"50.0~\% [25.0, 75.0]" in tex

    def test_what_is_undefined_in_a_latex_table_leads_to_its_reason_which_stands_once(self) -> None:
        tex, reasons = tabular(an_exhibit(*self.ROWS).table)
        assert reasons == ["nobody guessed", "too few"]
        assert re.findall(r"\\textsuperscript\{(\w+)\}", tex) == ["a", "b", "a"]

    def test_a_row_that_begins_with_a_bracket_or_a_star_is_no_argument_of_the_line_before(self) -> None:
        row = Estimate("share", 0.5, 8)
        tex, _ = tabular(an_exhibit(("[2cm] of it", row), ("* of it", row)).table)
        assert not re.search(r"(\\\\|\\midrule)\s*[\[*]", tex)
        assert "{}[2cm] of it & " in tex

    def test_marks_of_latex_tables_do_not_run_out(self) -> None:
        rows = [(f"row {number}", Estimate("share", None, 0, reason=f"reason {number}")) for number in range(28)]
        tex, _ = tabular(an_exhibit(*rows).table)
        assert re.findall(r"\\textsuperscript\{(\w+)\}", tex)[-3:] == ["z", "aa", "ab"]

    def test_a_long_table_is_named_in_latex_instead_of_printed(self) -> None:
        row = ("a", Estimate("share", 0.5, 1))
        tex = document(BLOCK, (), [an_exhibit(*[row] * (MAX_TABLE_ROWS + 1), name="judges")])
        assert r"Card 100 \%: 41 rows, in tables/judges.csv." in tex
        assert r"\begin{table}" not in tex


@pytest.mark.parametrize("heading", ["Results", NASTY])
def test_a_document_is_balanced_whatever_stands_in_it(heading: str) -> None:
    chapter = Chapter(heading, (Passage(NASTY, (NASTY, "Second.")),))
    tex = document(TitleBlock(NASTY, NASTY, ((NASTY, NASTY),)), [chapter], [an_exhibit(*TestTables.ROWS)])
    assert is_balanced(tex)
    assert tex.count(r"\begin{document}") == tex.count(r"\end{document}") == 1
    assert r"\input{" not in tex
    assert escaped(NASTY) in tex


def test_a_document_begins_with_its_title_and_what_it_rests_on() -> None:
    tex = document(replace(BLOCK, warning="Synthetic."), [Chapter("Methods", ())], [])
    parts = [r"\begin{document}", r"\bfseries Ten voices \& more", r"\textbf{Synthetic.}", r"{}Seed & 42 \\"]
    places = [tex.index(part) for part in [*parts, r"\section*{Methods}"]]
    assert places == sorted(places)
    assert r"\textbf" not in document(BLOCK, [], [])


def test_pictures_are_taken_from_the_folder_of_figures() -> None:
    drawn = Exhibit("scatter", "Outcomes", "", "Ranks", "All", "By hand.", Table((), ()), draw=lambda: None)  # type: ignore[arg-type,return-value]
    assert "{figures/scatter.pdf}" in document(BLOCK, (), [drawn])
    assert "includegraphics" not in document(BLOCK, (), [an_exhibit()])


def test_a_caption_tells_of_how_many_and_what_lines_are() -> None:
    rows = (*TestTables.ROWS, ("fifth", Estimate("share", 0.5, 1200)))
    drawn = replace(an_exhibit(*rows), draw=lambda: None)  # type: ignore[arg-type,return-value]
    [caption] = re.findall(r"\\caption\{(.*)\}\n\\label\{fig", document(BLOCK, (), [drawn]))
    assert caption.endswith(
        r"Each figure rests on n = 8 to 1,200 observations. Lines through marks are 95~\% intervals."
    )
