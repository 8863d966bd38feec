"""A section that registers itself is in results.json, in pictures, tables, texts and comparisons, and is absent
from a study to which it does not apply.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import pytest

from analysis.agreement.sections import AGREEMENT
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Estimate
from analysis.data.core.study_tables import StudyTables
from analysis.masked.core.masked_report import analyse_masked
from analysis.report.core.exhibits import exhibits
from analysis.report.core.report_differences import differences
from analysis.report.core.report_leaves import figures
from analysis.report.core.results_file import from_json, to_json
from analysis.report.prose.text import chapters
from analysis.sections.core import section as registry
from analysis.sections.core.inputs import Masked, Unblinded
from analysis.sections.core.section import Order, Section, register, registered
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.exhibit import Column
from analysis.sections.prose.passage import Passage
from analysis.unblinded.core.full_report import analyse
from tests.analysis.report.core.made_reports import changed, made_report
from tests.analysis.report.core.test_panel_exhibits import a_panel

QUICK = Parameters(draws=20)


@dataclass(frozen=True)
class Wordiness:
    """Of all answers."""

    words: Estimate


def _words(unblinded: Unblinded) -> Wordiness:
    counts = unblinded.tables.answers["text"].map(lambda text: len(text.split()))
    return Wordiness(Estimate("words", float(counts.mean()), len(counts)))


WORDINESS: Section[Wordiness] = Section(
    name="wordiness",
    title="Wordiness",
    kind=Wordiness,
    from_unblinded=_words,
    tables=("answers",),
    not_applicable=lambda inputs: "no answers are known" * inputs.tables.answers.empty,
    order=Order(text=25),
    exhibits=lambda found, _report, _scope: [
        compose(
            "words",
            "Wordiness",
            "Words of an answer",
            describes="How long answers are.",
            method="Counted between spaces.",
            columns=[Column("Words")],
            rows=[(found.words,)],
        )
    ],
    passages=lambda found, _report: [Passage("Wordiness", (f"Of {found.words.n} answers.",))],
    methods=Passage("Wordiness", ("Words are counted between spaces.",)),
    words={"words": "words of an answer"},
)


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it."""
    monkeypatch.setattr(registry, "_registered", dict(registry._registered))
    register(WORDINESS)


class TestASectionThatIsRegistered:
    def test_a_section_that_is_registered_is_computed_and_read_back(self) -> None:
        report = analyse(a_panel(), parameters=QUICK)
        assert report[WORDINESS].words.n == 6
        assert list(json.loads(to_json(report)))[-1] == "wordiness"
        assert from_json(to_json(report)) == report

    def test_a_section_that_is_registered_is_shown_said_and_explained_in_its_place(self) -> None:
        report = made_report()
        assert "wordiness.words" in dict(figures(report))
        assert exhibits(report)[-1].name != "words"  # behind it come domains
        assert "words" in {each.name for each in exhibits(report)}
        methods, results = chapters(report)
        assert "Wordiness" in {each.heading for each in methods.passages}
        headings = [each.heading for each in results.passages]
        assert headings[headings.index("Wordiness") - 1] == "Agreement between judges"

    def test_a_section_that_is_registered_is_compared_under_its_title_in_its_words(self) -> None:
        report = made_report()
        words = replace(report[WORDINESS].words, value=9.0, interval=None)
        [group] = differences(report, changed(report, WORDINESS, words=words)).groups
        assert (group.title, [row.words for row in group.rows]) == ("Wordiness", ["words of an answer"])

    def test_a_section_that_does_not_apply_says_why_it_is_not_there(self) -> None:
        tables = a_panel()
        report = analyse(StudyTables(tables.judgments), parameters=QUICK)
        assert WORDINESS not in report
        assert report.not_applicable["wordiness"] == "no answers are known"
        assert from_json(to_json(report)) == report
        assert "Wordiness" not in {each.section for each in exhibits(report)}

    def test_a_section_of_unblinded_tables_is_never_computed_from_masked_judgments(self) -> None:
        judgments = a_panel().judgments.assign(true_source="masked", model="")
        report = analyse_masked(judgments, parameters=QUICK)
        assert WORDINESS not in report
        assert AGREEMENT in report


def section(**of_it: Any) -> Section[Any]:
    return Section(**{"name": "other", "title": "Other", "kind": Wordiness, "from_unblinded": _words, **of_it})


class TestDeclaring:
    @pytest.mark.parametrize(
        "of_it",
        [
            {"name": "agreement"},
            {"name": "diagnostics"},
            {"name": "data"},
            {"name": "other", "beside": "agreement"},
            {"name": "other", "beside": "wordiness"},
        ],
    )
    def test_a_section_at_a_place_that_another_has_is_refused(self, of_it: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="in the same place"):
            register(section(**of_it))

    def test_a_section_is_computed_from_one_kind_of_data(self) -> None:
        for of_it in ({"from_unblinded": None}, {"from_masked": lambda _masked: None}):
            with pytest.raises(ValueError, match="masked judgments or from unblinded tables"):
                section(**of_it)

    def test_a_section_on_tables_that_no_study_has_is_refused(self) -> None:
        with pytest.raises(ValueError, match="weather"):
            section(tables=("weather",))

    def test_names_of_sections_are_in_the_order_of_a_place(self) -> None:
        assert [each.name for each in registered("text")][:3] == ["pool", "participants", "agreement"]
        assert [each.name for each in registered("page")][-1] == "wordiness"


def test_a_section_sees_the_tables_that_it_names_and_the_judgments_alone() -> None:
    tables = a_panel()
    unblinded = Unblinded(
        ranked=tables.judgments,
        standard=tables.judgments,
        scopes={WHOLE: tables.judgments},
        scale=None,
        parameters=QUICK,
        tables=tables,
    )
    limited = unblinded.limited_to(("answers",)).tables
    assert limited.judgments is tables.judgments
    assert limited.answers is tables.answers
    assert limited.panel.empty
    assert not tables.panel.empty


def test_scopes_are_gone_through_and_told() -> None:
    told: list[tuple[str, int, int]] = []
    frame = pd.DataFrame()
    masked = Masked(ranked=frame, standard=frame, scopes={WHOLE: frame, "A": frame}, scale=None, parameters=QUICK)
    masked = replace(masked, progress=replace(masked.progress, tell=lambda *how_far: told.append(how_far)))
    assert [scope for scope, _ in masked.by_scope("stage")] == [WHOLE, "A"]
    assert told == [("stage", 0, 2), ("stage", 1, 2)]
