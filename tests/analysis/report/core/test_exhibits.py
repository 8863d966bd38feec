"""The exhibits of a report: every figure has a table, pictures say what it says, and the same is drawn the same."""

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib
import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image

from analysis.agreement.core.rubric import Evaluators, Rubric
from analysis.agreement.core.single_judges import Judges
from analysis.agreement.sections import AGREEMENT, EVALUATORS, JUDGES, RUBRIC
from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate, Interval
from analysis.outcomes.core.participants import Counted
from analysis.outcomes.sections import PARTICIPANTS
from analysis.report.core.exhibits import exhibits
from analysis.report.core.report_leaves import figures
from analysis.sections.core.report import Report
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.dots import MAX_HEIGHT, MAX_LABELLED_LANES, Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import WIDTH, Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit, Table
from analysis.sections.exhibits.grids import Shades, Tile, grid_plot
from analysis.sections.exhibits.rendering import KINDS, Kind, dark, pictures, render, table_csv
from analysis.sections.exhibits.scatter import Point, scatter_plot
from analysis.sections.exhibits.shares import Part, shares_plot
from analysis.sections.exhibits.theme import BELOW_AND_ABOVE, DEEP, IN_THE_DARK, MODELS, PEOPLE, RAMP, STYLE
from analysis.sections.exhibits.wording import intervals_sentence
from tests.analysis.report.core.made_reports import SCOPES, made_report, masked

STYLES = Path("static/platform/base.css")
COLOUR = re.compile(r"#[0-9a-f]{6}\b")


@pytest.fixture(scope="module")
def report() -> Report:
    return made_report()


@pytest.fixture(scope="module")
def shown(report: Report) -> tuple[Exhibit, ...]:
    return exhibits(report)


@pytest.fixture(scope="module")
def drawn(shown: tuple[Exhibit, ...]) -> dict[str, bytes]:
    """By title, those of all prompts."""
    return {each.title: render(each, "svg") for each in shown if each.draw and each.scope == WHOLE}


@pytest.fixture(autouse=True)
def style() -> Iterator[None]:
    with matplotlib.rc_context(STYLE):
        yield


def estimate(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    interval = None if low is None else Interval(low, high, 0.95, "a method")
    return Estimate("figure", value, 12, 3, reason=None if value is not None else "too few", interval=interval)


def exhibit(drawn: Figure | None = None) -> Exhibit:
    draw = None if drawn is None else (lambda: drawn)
    return Exhibit("an-exhibit", "Agreement", WHOLE, "An exhibit", "", "", Table((), ()), draw)


def rectangles(drawn: Figure) -> list[Rectangle]:
    return [patch for patch in drawn.axes[0].patches if isinstance(patch, Rectangle)]


def segments(drawn: Figure) -> list[list[list[float]]]:
    """Both ends of each line in the first panel, along the lanes and across them."""
    collections = [each for each in drawn.axes[0].collections if isinstance(each, LineCollection)]
    return [segment.tolist() for each in collections for segment in each.get_segments()]


def texts(svg: bytes) -> list[str]:
    root = ET.fromstring(svg)  # noqa: S314 (of our own making)
    return ["".join(each.itertext()).strip() for each in root.iter("{http://www.w3.org/2000/svg}text")]


class TestOfAReport:
    def test_exhibits_have_every_figure_of_a_report_in_a_table(
        self, report: Report, shown: tuple[Exhibit, ...]
    ) -> None:
        cells = {id(cell) for each in shown for row in each.table.rows for cell in row}
        assert [name for name, figure in figures(report) if id(figure) not in cells] == []

    def test_exhibits_begin_with_those_of_all_prompts(self, shown: tuple[Exhibit, ...]) -> None:
        assert list(dict.fromkeys(each.scope for each in shown)) == list(SCOPES)

    def test_exhibits_have_names_of_their_own_that_files_can_have(self, shown: tuple[Exhibit, ...]) -> None:
        names = [each.name for each in shown]
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)

    def test_exhibits_are_named_apart_where_domains_differ_only_in_signs(self, report: Report) -> None:
        agreement = report[AGREEMENT]["BBQ"]
        report = masked(report).having(AGREEMENT, {WHOLE: agreement, "A/B": agreement, "A B": agreement})
        names = [each.name for each in exhibits(report) if each.scope]
        assert {"agreement-a-b", "agreement-a-b-2"} <= set(names)
        assert len(set(names)) == len(names)

    def test_exhibits_say_how_they_were_estimated(self, shown: tuple[Exhibit, ...]) -> None:
        assert all(each.describes and each.method.endswith(".") for each in shown)
        assert "95\N{NO-BREAK SPACE}% intervals: a method." in shown[1].method

    def test_exhibits_say_the_level_once_and_every_method_once(self) -> None:
        told = [
            replace(estimate(0.5), interval=Interval(0.4, 0.6, level, method))
            for level, method in ((0.95, "one"), (0.95, "another"), (0.95, "one"), (0.9, "one"))
        ]
        without = replace(estimate(1), interval=Interval(None, None, 0.95, "a third", reason="too few"))
        assert (
            intervals_sentence([*told, without, "text", None])
            == "95\N{NO-BREAK SPACE}% intervals: one; another. 90\N{NO-BREAK SPACE}% intervals: one."
        )
        assert intervals_sentence([without, estimate(1)]) == ""

    def test_exhibits_of_strengths_say_that_errors_are_shared(self, shown: tuple[Exhibit, ...]) -> None:
        strengths = next(each for each in shown if each.name == "strengths")
        assert "independent" not in strengths.method
        assert strengths.method.endswith("by maximum likelihood. 95\N{NO-BREAK SPACE}% intervals: a method.")

    def test_exhibits_of_masked_judgments_tell_no_source(self, report: Report) -> None:
        shown = exhibits(masked(report))
        assert {each.section for each in shown} >= {"Agreement", "Rubric", "Judges"}
        assert not any("human" in str(row) or "claude" in str(row) for each in shown for row in each.table.rows)

    def test_exhibits_tell_their_titles_in_their_pictures(self, drawn: dict[str, bytes]) -> None:
        assert len(drawn) > 20
        for title, picture in drawn.items():
            assert f"<title>{title}</title>" in picture.decode()

    def test_exhibits_have_nothing_to_show_of_nothing(self, report: Report) -> None:
        empty = masked(report).having(RUBRIC, Rubric((), ())).having(EVALUATORS, Evaluators(()))
        names = {each.name for each in exhibits(empty.having(JUDGES, Judges(())))}
        assert "correlations" not in names
        assert "severity" not in names


def test_participants_stand_beside_each_other_by_role(report: Report) -> None:
    """Of three writers two are doctors and one did not say; the one judge has a master's degree."""
    writers, judges = report[PARTICIPANTS]
    writers = replace(writers, people=3, degrees=Counted(2, {"doctorate": 2}), years_range=None)
    judges = replace(judges, people=1, degrees=Counted(1, {"master": 1}), years_range=(2.5, 40))
    exhibit = exhibits(report.having(PARTICIPANTS, (writers, judges)))[0]
    assert "can single them out" in exhibit.method
    table = exhibit.table
    assert [column.heading for column in table.columns] == ["Question", "Answer", "Writers", "Judges"]
    assert table.rows[:4] == (
        ("People", "", 3, 1),
        ("Highest degree", "answered", 2, 1),
        ("Highest degree", "Doctorate", 2, 0),
        ("Highest degree", "Master", 0, 1),
    )
    assert ("Years of experience", "range", "–", "2.5–40") in table.rows


class TestPictures:
    @pytest.mark.parametrize("kind", KINDS)
    def test_pictures_are_the_same_bytes_every_time(self, report: Report, kind: Kind) -> None:
        one, other = (next(each for each in exhibits(report) if each.name == "head-to-head") for _ in range(2))
        assert render(one, kind) == render(other, kind) == pictures(one)[kind]

    def test_pictures_tell_no_date_and_no_program(self, shown: tuple[Exhibit, ...]) -> None:
        for kind in KINDS:
            content = render(shown[1], kind)
            assert not re.search(rb"Date|matplotlib.org|Matplotlib v|20\d\d-\d\d", content)

    def test_pictures_have_a_counterpart_of_every_colour_for_dark_pages(self, drawn: dict[str, bytes]) -> None:
        for title, picture in drawn.items():
            assert set(COLOUR.findall(picture.decode())) <= set(IN_THE_DARK), title

    def test_pictures_on_dark_pages_differ_in_colours_alone(self, drawn: dict[str, bytes]) -> None:
        light = drawn["Scores by dimension"]
        found = dark(light)
        assert found != light
        assert COLOUR.sub("", found.decode()) == COLOUR.sub("", light.decode())
        assert set(COLOUR.findall(found.decode())) <= set(IN_THE_DARK.values())

    def test_pictures_keep_texts_as_texts_whatever_is_in_them(self) -> None:
        hostile = "<script>$x_1$</script> & “zwölf”"
        svg = render(exhibit(dot_plot([Group(hostile, (Lane("a $b$ c", (estimate(1),)),))], [Scale("x")])), "svg")
        assert {hostile, "a $b$ c"} <= set(texts(svg))

    def test_pictures_take_letters_that_their_face_has_not_from_the_whole_one(self) -> None:
        drawn = dot_plot([Group("", (Lane("τ-b שלום", (estimate(1),)),))], [Scale("x")])
        assert {len(content) > 1000 for content in pictures(exhibit(drawn)).values()} == {True}

    def test_pictures_have_a_white_ground_and_1200_pixels_as_png(self) -> None:
        drawn = dot_plot([Group("", (Lane("one", (estimate(1),)),))], [Scale("x")])
        picture = Image.open(io.BytesIO(render(exhibit(drawn), "png"))).convert("RGB")
        assert picture.width == 1200
        assert picture.getpixel((0, 0)) == (255, 255, 255)

    def test_pictures_are_not_made_of_an_exhibit_that_has_none(self) -> None:
        assert pictures(exhibit()) == {}
        with pytest.raises(ValueError, match="an-exhibit has no picture"):
            render(exhibit(), "svg")


def test_colours_are_those_of_the_pages_but_for_differences_which_only_pictures_show() -> None:
    pairs = set(re.findall(r"light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", STYLES.read_text()))
    assert {light for light, dark in IN_THE_DARK.items() if (light, dark) not in pairs} <= set(BELOW_AND_ABOVE)


class TestDotPlot:
    """Two lanes in a group each, one with an interval from 0.2 to 0.6."""

    @pytest.fixture
    def drawn(self) -> Figure:
        people = Group("Those", (Lane("people", (estimate(0.5, 0.2, 0.6),), PEOPLE),))
        models = Group("These", (Lane("models", (estimate(0.7),), MODELS), Lane("nobody", (estimate(None),))))
        return dot_plot([people, models], [Scale("share", reaches=(0, 1), reference=0.5)])

    def test_a_dot_plot_puts_marks_at_the_figures(self, drawn: Figure) -> None:
        lines = [line for line in drawn.axes[0].lines if line.get_marker() in ("o", "s")]
        assert [(line.get_marker(), np.asarray(line.get_xdata()).tolist()) for line in lines] == [
            ("o", [0.5]),
            ("s", [0.7]),
        ]

    def test_a_dot_plot_draws_intervals_to_their_ends(self, drawn: Figure) -> None:
        assert [(one[0], other[0]) for one, other in segments(drawn) if one[1] == other[1]] == [(0.2, 0.6)]

    def test_a_dot_plot_says_what_is_undefined_and_whose_marks_are_whose(self, drawn: Figure) -> None:
        said = texts(render(exhibit(drawn), "svg"))
        assert {
            "undefined",
            "Those",
            "These",
            "People",
            "Models",
            "95\N{NO-BREAK SPACE}% interval",
            "share",
        } <= set(said)

    def test_a_dot_plot_reaches_beyond_what_it_has_to_show(self, drawn: Figure) -> None:
        low, high = drawn.axes[0].get_xlim()
        assert low < 0
        assert high > 1

    def test_a_dot_plot_leaves_out_panels_in_which_nothing_is_defined(self) -> None:
        lane = Lane("one", (estimate(None), estimate(0.4), None))
        drawn = dot_plot([Group("", (lane,))], [Scale("a"), Scale("b"), Scale("c")])
        assert [axes.get_xlabel() for axes in drawn.axes] == ["b"]
        drawn = dot_plot([Group("", (Lane("one", (estimate(None),)),))], [Scale("a")])
        assert [axes.get_xlabel() for axes in drawn.axes] == ["a"]

    def test_a_dot_plot_draws_no_line_through_words(self, drawn: Figure) -> None:
        """Headings take 1.3 lanes: lines run along lanes 1.3–2.3 and 3.6–4.6, and not along the undefined one."""
        upright = {(round(one[1], 9), round(other[1], 9)) for one, other in segments(drawn) if one[0] == other[0]}
        assert upright == {(1.3, 2.3), (3.6, 4.6)}

    @pytest.mark.parametrize("is_reversed", [False, True])
    def test_a_dot_plot_has_a_line_at_every_tick_whichever_way_its_scale_goes(self, is_reversed: bool) -> None:
        lanes = tuple(Lane(name, (estimate(value),)) for name, value in (("one", 1.6), ("other", 4.4)))
        drawn = dot_plot([Group("", lanes)], [Scale("x", is_reversed=is_reversed)])
        [axes] = drawn.axes
        low, high = sorted(axes.get_xlim())
        upright = {one[0] for one, other in segments(drawn) if one[0] == other[0]}
        assert upright == {tick for tick in axes.get_xticks() if low <= tick <= high}
        assert len(upright) > 1

    @pytest.mark.parametrize("is_reversed", [False, True])
    @pytest.mark.parametrize("values", [(0.565, 0.597), (-0.0312, 0.0041), (0.1, 0.9), (0.571, 0.5712)])
    def test_a_dot_plot_keeps_its_marks_whole_and_its_tick_labels_apart(
        self, values: tuple[float, float], is_reversed: bool
    ) -> None:
        """In four narrow panels: labels have a letter's room between them, and two are left at least."""
        lanes = tuple(Lane("J-001", (estimate(value),) * 4) for value in values)
        drawn = dot_plot([Group("", lanes)], [Scale(name, is_reversed=is_reversed) for name in "abcd"])
        drawn.draw_without_rendering()
        for axes in drawn.axes:
            low, high = sorted(axes.get_xlim())
            labels = [each for each in axes.get_xticklabels() if low <= each.get_position()[0] <= high]
            boxes = sorted((each.get_window_extent() for each in labels), key=lambda each: each.x0)
            assert len(boxes) > 1
            assert all(other.x0 - one.x1 > 2 for one, other in pairwise(boxes))
            assert not any(line.get_clip_on() for line in axes.lines if line.get_marker() == "D")

    def test_a_dot_plot_of_very_many_lanes_keeps_its_height_and_leaves_out_their_labels(self) -> None:
        lanes = tuple(Lane(f"prompt {number}", (estimate(number),)) for number in range(MAX_LABELLED_LANES + 1))
        drawn = dot_plot([Group("", lanes)], [Scale("x")])
        assert drawn.get_size_inches()[1] < MAX_HEIGHT + 1
        assert not any(text.startswith("prompt") for text in texts(render(exhibit(drawn), "svg")))
        assert np.size(drawn.axes[0].lines[0].get_xdata()) == MAX_LABELLED_LANES + 1

    def test_a_dot_plot_of_nothing_is_drawn(self) -> None:
        assert render(exhibit(dot_plot([], [Scale("x")])), "svg")


@pytest.mark.parametrize(("values", "has_picture"), [((None, 0.4), True), ((None, None), False), ((), True)])
def test_an_exhibit_has_a_picture_unless_every_estimate_of_its_table_is_undefined(
    values: tuple[float | None, ...], has_picture: bool
) -> None:
    lanes = tuple(Lane(f"lane {place}", (estimate(value),)) for place, value in enumerate(values))
    composed = compose(
        "what",
        "Part",
        "What",
        describes="What there is.",
        method="As it is.",
        columns=[Column("Lane"), Column("Figure")],
        rows=[(lane.label, *lane.estimates) for lane in lanes],
        draw=lambda: dot_plot([Group("", lanes)], [Scale("x")]),
    )
    assert (composed.draw is not None) == has_picture
    assert ("a note says why" in composed.method) == (None in values)


class TestOtherPictures:
    def test_a_grid_has_every_tile_in_its_place(self) -> None:
        drawn = grid_plot(["up", "down"], ["left", "right"], [[Tile("a"), None], [Tile("b", "1–2"), Tile("c")]])
        places = {text.get_text(): text.get_position() for text in drawn.axes[0].texts}
        assert places["a"] == (0.5, 0.5)
        assert places["c"] == (1.5, 1.5)
        assert set(places) == {"a", "b", "c", "1–2"}

    def test_shades_go_from_the_low_end_of_the_scale_to_the_high_one(self) -> None:
        assert [Shades(1, 10).of(value) for value in (0, 1, 5.5, 10, 11)] == [
            *(RAMP[0], RAMP[0], RAMP[2], RAMP[4], RAMP[4]),
        ]

    @pytest.mark.parametrize(
        ("shades", "values"),
        [
            (Shades(1, 11), ["1.0", "3.0", "5.0", "7.0", "9.0", "11.0"]),
            (Shades(2, -2, RAMP[:4], goes_on=True), ["−1.00", "0.00", "1.00"]),
            (Shades(0, 1), ["0.00", "0.20", "0.40", "0.60", "0.80", "1.00"]),
            (Shades(0, 0.01), ["0.000", "0.002", "0.004", "0.006", "0.008", "0.010"]),
            (Shades(1, 1), ["1.00"]),
            (Shades(0, 0, goes_on=True), ["0.00"]),
        ],
        ids=[
            "over the scale",
            "the other way, and beyond",
            "shares",
            "small",
            "one value",
            "one value, beyond",
        ],
    )
    def test_a_grid_says_what_every_shade_stands_for(self, shades: Shades, values: list[str]) -> None:
        drawn = grid_plot(["up"], ["left"], [[Tile("a", colour=shades.of(1))]], shades)
        strip = drawn.axes[1]
        assert [label.get_text() for label in strip.get_xticklabels()] == values
        colours = [to_hex(patch.get_facecolor()) for patch in strip.patches]
        if shades.low == shades.high:
            assert colours == [shades.of(shades.low)]
        else:
            assert colours == (list(shades.ramp) if shades.low < shades.high else list(shades.ramp)[::-1])

    @pytest.mark.parametrize("reach", [3e-7, 0.004, 0.05, 0.7, 1.3, 9, 60, 4e5])
    @pytest.mark.parametrize("low", [-1, 0, 0.37, 100])
    def test_no_two_values_of_shades_are_told_alike(self, low: float, reach: float) -> None:
        drawn = grid_plot(["up"], ["left"], [[Tile("a")]], Shades(low, low + reach))
        drawn.canvas.draw()
        labels = drawn.axes[1].get_xticklabels()
        assert len({label.get_text() for label in labels}) == len(labels) == len(RAMP) + 1
        boxes = [label.get_window_extent() for label in labels]
        assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
        assert boxes[-1].x1 <= drawn.bbox.x1

    def test_strokes_of_chance_are_in_the_legend_where_they_are_drawn(self) -> None:
        lanes = (Lane("a", (estimate(None), estimate(0.3)), chance=0.2),)
        for first, has in ((estimate(None), False), (estimate(0.4), True)):
            lane = replace(lanes[0], estimates=(first, estimate(0.3)))
            drawn = dot_plot([Group("", (lane,))], [Scale("W"), Scale("r")])
            words = [text.get_text() for legend in drawn.legends for text in legend.get_texts()]
            assert ("Chance (1/m)" in words) is has

    def test_bars_are_shares_of_their_own_sum(self) -> None:
        """Of 8: 2 are a quarter, 6 three quarters; of 0 there is nothing."""
        parts = [Part("a", RAMP[0]), Part("b", RAMP[3], "//")]
        drawn = shares_plot([("one", [2, 6]), ("none", [0, 0])], parts, what="Share of votes")
        assert drawn.axes[0].get_xlabel() == "Share of votes"
        assert [box.get_width() for box in rectangles(drawn)] == [0.25, 0.75, 0, 0]
        assert [text.get_text() for text in drawn.axes[0].texts] == ["2", "6"]

    def test_a_scatter_has_a_zone_around_each_kind_of_source(self) -> None:
        """Models' intervals go from 1 to 3 across and from 5 to 9 up; a source without a mean is left out."""
        points = [
            Point("one", estimate(2, 1, 2.5), estimate(6, 5, 7), MODELS),
            Point("two", estimate(2.5, 2, 3), estimate(8, 7, 9), MODELS),
            Point("people", estimate(4, 3.5, 4.5), estimate(5, 4, 6), PEOPLE),
            Point("nothing", estimate(None), estimate(5), PEOPLE),
        ]
        drawn = scatter_plot(points, across=Scale("rank", is_reversed=True), up=Scale("score"))
        zones = [box.get_bbox().bounds for box in rectangles(drawn)]
        assert zones == [(1, 5, 2, 4), (3.5, 4, 1, 2)]
        assert [text.get_text() for text in drawn.axes[0].texts] == ["people", "one", "two"]
        left, right = drawn.axes[0].get_xlim()
        assert left > right

    def test_pictures_are_as_wide_as_a_column(self) -> None:
        assert shares_plot([], [], what="").get_size_inches()[0] == WIDTH


def test_ink_can_be_read_on_every_shade() -> None:
    """4.5 : 1 at least, in the light and in the dark."""
    for colours in (lambda colour: colour, IN_THE_DARK.__getitem__):
        for colour in RAMP:
            ink = colours("#ffffff" if colour in DEEP else "#27231d")
            assert contrast(ink, colours(colour)) >= 4.5


def contrast(one: str, other: str) -> float:
    """As WCAG 2.2 defines it."""

    def luminance(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


class TestTablesAsCsv:
    def test_tables_as_csv_have_estimates_at_full_precision_with_their_intervals(self) -> None:
        table = Table((Column("Source"), Column("Mean", digits=1)), (("gpt", estimate(1 / 3, 0.25, 0.5)),))
        assert table_csv(table).decode() == (
            '"Source","Mean","Mean (low)","Mean (high)","Mean (n)","Mean (left out)","Mean (note)"\n'
            '"gpt",0.3333333333333333,0.25,0.5,12,3,"a method"\n'
        )

    def test_tables_as_csv_say_why_a_figure_has_no_value(self) -> None:
        table = Table((Column("Mean"),), ((estimate(None),), (None,), (4,)))
        assert table_csv(table).decode().split("\n")[1:4] == [',,,12,3,"too few"', ",,,,,", "4,,,,,"]

    def test_tables_as_csv_run_nothing_in_a_spreadsheet(self) -> None:
        table = Table((Column("=1+1"), Column("n")), (("@cmd", -1),))
        assert table_csv(table).decode() == """"'=1+1","n"\n"'@cmd",-1\n"""
