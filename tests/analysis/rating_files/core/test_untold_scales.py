"""A scale that nobody told is taken from the scores, and said to be so wherever a report rests on it."""

from collections.abc import Iterator

import pytest

from analysis.agreement.sections import CATEGORIES
from analysis.data.core.parameters import Parameters
from analysis.rating_files.core.file_report import file_report
from analysis.rating_files.core.looking import read_file
from analysis.rating_files.core.reading import FileKind, RatingOptions, Read
from analysis.report.core.exhibits import exhibits
from analysis.report.prose.text import chapters
from analysis.sections.core.report import SILENT, Report

SCORES = (1, 7, 4, 2, 6, 3, 5, 7, 2)


def ratings() -> bytes:
    """On 1 to 7, from end to end; a rater who scores an answer twice gives fractions in the mean."""
    lines = ["rater,prompt,system,run,clarity"]
    lines += [
        f"{rater},p{place % 3},{system},{run},{SCORES[(place + 2 * run) % 9]}"
        for place in range(9)
        for rater in ("ann", "ben", "cy")
        for system in ("human", "gpt")[place % 2 :][:1]
        for run in (1, 2)
        if place < 6
    ]
    return "\n".join(lines).encode()


def pressure() -> bytes:
    header = "response_id,respondent_id,prompt_id,condition,judge_model,perspective_id,clarity"
    lines = [
        f"{prompt}/{condition},gpt,{prompt},{condition},{judge},h,{SCORES[(place + turn) % 9]}"
        for place, prompt in enumerate(("p1", "p2", "p3", "p4"))
        for turn, condition in enumerate(("baseline", "agree"))
        for judge in ("one", "two")
    ]
    return "\n".join([header, *lines, "p5/x,gpt,p5,agree,one,h,1", "p5/y,gpt,p5,baseline,one,h,7"]).encode()


def panel() -> bytes:
    header = "response_id,respondent_id,judge_model,perspective_id,clarity"
    lines = [
        f"a{place},{('gpt', 'claude')[place % 2]},{judge},h,{SCORES[place]}"
        for place in range(9)
        for judge in ("one", "two")
    ]
    return "\n".join([header, *lines]).encode()


FILES: dict[FileKind, bytes] = {"ratings": ratings(), "panel": panel(), "framings": pressure()}


def report_of(kind: FileKind, **said: object) -> tuple[Read, Report]:
    read = read_file(FILES[kind], RatingOptions(**said), kind)  # type: ignore[arg-type]
    return read, file_report(read.tables, kind, parameters=Parameters(draws=100, scale=read.scale), progress=SILENT)


def words_of(report: Report) -> Iterator[str]:
    """All that the report says of a scale, in pictures, below them and in sentences."""
    for each in exhibits(report):
        yield from (each.describes, each.method)
        for axes in each.draw().axes if each.draw else ():
            yield from (axes.get_xlabel(), axes.get_ylabel())
    for chapter in chapters(report):
        for passage in chapter.passages:
            yield from passage.paragraphs


@pytest.mark.parametrize("kind", FILES)
def test_whatever_speaks_of_a_scale_that_nobody_told_says_that_it_is_inferred(kind: FileKind) -> None:
    read, report = report_of(kind)
    assert read.scale is None
    doubts = " ".join(map(str, read.doubts))
    assert "nobody told the scale: taken as 1 to 7, which its scores reach from end to end" in doubts
    assert report.data.scale == (1, 7)
    spoken = [words for words in words_of(report) if "1 to 7" in words or "1 to 10" in words]
    assert spoken
    assert all("1 to 7" in words and ("inferred" in words or "taken to be" in words) for words in spoken)


@pytest.mark.parametrize("kind", FILES)
def test_a_scale_that_was_told_is_a_fact(kind: FileKind) -> None:
    read, report = report_of(kind, scale=(1.0, 7.0))
    assert "nobody told the scale" not in " ".join(map(str, read.doubts))
    spoken = [words for words in words_of(report) if "1 to 7" in words]
    assert spoken
    assert not any("inferred" in words or "taken to be" in words for words in spoken)


def test_ac1_counts_the_categories_used_where_nobody_told_the_scale_and_says_so() -> None:
    content = "rater,prompt,unit,clarity\n" + "".join(
        f"{rater},p{place},a{place},{1 + 2 * ((place + (rater == 'ben') * (place % 3 == 0)) % 2)}\n"
        for place in range(8)
        for rater in ("ann", "ben")
    )

    def found(**said: object) -> tuple[float | None, str]:
        read = read_file(content.encode(), RatingOptions(**said), "ratings")  # type: ignore[arg-type]
        report = file_report(
            read.tables, "ratings", parameters=Parameters(draws=100, scale=read.scale), progress=SILENT
        )
        shown = next(each for each in exhibits(report) if each.name == "categories")
        return report[CATEGORIES][0].ac1.value, shown.method

    untold, told = found(), found(scale=(1.0, 3.0))
    assert untold[0] != told[0]
    assert "the categories that were used, since nobody told the scale" in untold[1]
    assert "the categories that the scale offers" in told[1]
