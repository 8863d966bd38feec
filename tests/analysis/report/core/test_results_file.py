"""results.json of every version can be read: what it does not have is missing for that section alone.

`earlier_results/` has files as the code of earlier versions wrote them. Those of version 1, from before versions
had numbers, are of the panel's study in `test_panel_exhibits`: all of it, and its masked judgments. Later ones are
of `made_report`, so that nothing that a section can find is missing. They are never written anew. Once there is a
new section, or a new version, others are added:

    DJANGO_SETTINGS_MODULE=scrub_site.settings python -c \
        "from tests.analysis.report.core.test_results_file import keep; keep()"
"""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from analysis.agreement.sections import AGREEMENT, EVALUATORS
from analysis.data.core.parameters import Parameters
from analysis.framing.sections import FRAMING
from analysis.outcomes.sections import OUTCOMES
from analysis.panel.sections import PANEL
from analysis.report.core.exhibits import exhibits
from analysis.report.core.report_comparison import comparable
from analysis.report.core.report_differences import differences
from analysis.report.core.report_leaves import figures
from analysis.report.core.results_file import CROSSED, SCHEMA_VERSION, from_json, lacks, to_json
from analysis.report.prose.text import chapters
from analysis.report.sections import registered
from analysis.sections.core.report import Report
from analysis.sections.core.section import TAKEN
from analysis.unblinded.core.full_report import analyse
from tests.analysis.report.core.made_reports import made_report, masked
from tests.analysis.report.core.test_panel_exhibits import a_panel

EARLIER = Path(__file__).parent / "earlier_results"
# The sections that there were before versions had numbers; whatever has come since is lacking in such files.
OF_VERSION_1 = frozenset(
    "participants agreement outcomes precision rubric judges evaluators calibration blinding panel".split()
)


def earlier(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress((EARLIER / f"version-1-{name}.json.gz").read_bytes()))
    return found


def keep() -> None:
    """Files of every kind of report as this code writes them; none that is there already is written anew."""
    whole = made_report()
    pressure = replace(whole, found={FRAMING.name: whole[FRAMING]})
    for name, report in {"full": whole, "masked": masked(whole), "pressure": pressure}.items():
        content = to_json(report)
        path = EARLIER / f"version-{SCHEMA_VERSION}-{name}-{sha256(content).hexdigest()[:8]}.json.gz"
        if not path.exists():
            path.write_bytes(gzip.compress(content, mtime=0))


def in_the_file(members: dict[str, Any]) -> set[str]:
    """The places in it that are of sections: a member, or one of an object that several sections share."""
    shared = {section.beside for section in registered("file") if section.beside}
    alone = {name for name, found in members.items() if found} - TAKEN - shared
    return alone | {f"{key}.{name}" for key in shared for name in members.get(key) or ()}


def in_the_report(report: Report) -> set[str]:
    """The places in a file of what the report has."""
    found = [section for section in registered("file") if section in report]
    return {f"{each.key}.{name}" for each in found for name in each.fields} | {
        each.key for each in found if not each.beside
    }


@pytest.mark.parametrize("path", sorted(EARLIER.glob("*.gz")), ids=lambda path: path.name)
def test_every_section_in_a_file_of_an_earlier_version_is_read(path: Path) -> None:
    """A field that a section got later needs a default."""
    content = gzip.decompress(path.read_bytes())
    kept = in_the_file(json.loads(content))
    assert kept
    assert kept - in_the_report(from_json(content)) == set()


def test_there_is_a_file_with_every_section_of_this_version() -> None:
    """If not, `keep` adds one."""
    files = [gzip.decompress(path.read_bytes()) for path in EARLIER.glob(f"version-{SCHEMA_VERSION}-full-*.gz")]
    kept = set[str]().union(*(in_the_file(json.loads(content)) for content in files))
    assert in_the_file(json.loads(to_json(made_report()))) - kept == set()


def lacking(report: Report) -> set[str]:
    return {section.name for section in registered("page") if lacks(report, section)} & OF_VERSION_1


class TestOfTheVersionBeforeVersionsHadNumbers:
    def test_a_full_report_from_before_versions_had_numbers_is_read_whole(self) -> None:
        members = earlier("full")
        assert "schema_version" not in members
        report = from_json(json.dumps(members))
        assert not report.is_masked
        assert lacking(report) == set()
        earlier_report, now, _ = comparable(report, analyse(a_panel(), parameters=Parameters(draws=20)))
        # Intervals have been made otherwise since; what they are of has not.
        of_one, of_other = (dict(figures(each)) for each in (earlier_report, now))
        assert of_one.keys() == of_other.keys()
        for name, figure in of_one.items():
            assert (figure.value is None) == (of_other[name].value is None), name
            if figure.value is not None and not name.endswith(".se"):
                assert of_other[name].value == pytest.approx(figure.value, rel=1e-9, abs=1e-12), name

    def test_an_interval_that_was_crossed_is_read_as_none_with_the_reason(self) -> None:
        members = earlier("full")
        share = members["sources"]["outcomes"][""]["led_by_models"]
        share |= {"value": 1.0, "reason": None}
        share["interval"] = {"low": 1.002, "high": 1.0, "level": 0.95, "method": "bootstrap", "reason": None}
        found = from_json(json.dumps(members))[OUTCOMES].outcomes[""].led_by_models
        assert found.value == 1
        assert found.interval
        assert (found.interval.low, found.interval.reason) == (None, CROSSED)

    def test_an_interval_that_is_crossed_now_is_not_read(self) -> None:
        members = json.loads(to_json(made_report()))
        members["agreement"][""]["summary"]["alpha_ordinal"]["interval"] |= {"low": 0.9, "high": 0.1}
        assert AGREEMENT not in from_json(json.dumps(members))

    def test_a_masked_report_from_before_versions_had_numbers_is_read_whole_without_sources(self) -> None:
        report = from_json(json.dumps(earlier("masked")))
        assert report.is_masked
        assert lacking(report) == set()
        assert OUTCOMES not in report
        assert {each.section for each in exhibits(report)} == {"Agreement", "Judges"}


def without_the_panel(members: dict[str, Any]) -> None:
    del members["sources"]["panel"]


def with_a_panel_of_another_shape(members: dict[str, Any]) -> None:
    members["sources"]["panel"] = {"judges": 3}


def with_a_panel_that_lacks_a_field(members: dict[str, Any]) -> None:
    del members["sources"]["panel"][0]["frontier"]


class TestWhatASectionDoesNotHave:
    @pytest.mark.parametrize(
        "change", [without_the_panel, with_a_panel_of_another_shape, with_a_panel_that_lacks_a_field]
    )
    def test_what_a_section_does_not_have_is_missing_for_that_section_alone(
        self, change: Callable[[dict[str, Any]], None]
    ) -> None:
        members = earlier("full")
        whole = from_json(json.dumps(members))
        change(members)
        report = from_json(json.dumps(members))
        assert lacking(report) == {"panel"}
        assert report == whole.without(PANEL)
        assert "Panel" not in {each.section for each in exhibits(report)}
        assert [each.name for each in exhibits(report)] == [
            each.name for each in exhibits(whole) if each.section != "Panel"
        ]
        assert not [each for chapter in chapters(report) for each in chapter.passages if "panel" in each.heading]

    def test_a_section_that_is_missing_leaves_out_what_rests_on_it_too(self) -> None:
        report = made_report().without(AGREEMENT)
        assert {"leave-one-out", "panel-validity"}.isdisjoint(each.name for each in exhibits(report))
        assert "evaluators" in {each.name for each in exhibits(report)}
        assert chapters(report)

    def test_a_section_that_is_missing_is_not_compared_and_is_named(self) -> None:
        found = differences(made_report(), made_report().without(PANEL, EVALUATORS))
        assert found.count == 0
        assert found.not_compared == ("Judges", "Panel")

    def test_a_section_is_not_lacking_where_it_does_not_apply_or_sources_are_masked(self) -> None:
        report = made_report().without(PANEL)
        elsewhere = Report(
            report.parameters, report.data, report.found, not_applicable={"panel": "no panel was asked"}
        )
        assert lacking(report) == {"panel"}
        assert lacking(elsewhere) == lacking(from_json(to_json(elsewhere))) == set()
        assert lacking(masked(made_report())) == set()


def test_a_section_that_nobody_knows_is_passed_over() -> None:
    members = json.loads(to_json(made_report()))
    members["weather"] = {"sunshine": 0.5}
    members["sources"]["moods"] = [1, 2]
    assert from_json(json.dumps(members)) == made_report()


def test_what_is_written_says_its_version_first_and_is_read_back() -> None:
    for report in (made_report(), masked(made_report())):
        assert next(iter(json.loads(to_json(report)))) == "schema_version"
        assert json.loads(to_json(report))["schema_version"] == SCHEMA_VERSION
        assert from_json(to_json(report)) == report


def test_sections_beside_each_other_stand_in_one_object_in_the_order_of_their_places() -> None:
    members = json.loads(to_json(made_report()))
    keys = dict.fromkeys(section.key for section in registered("file"))
    assert [*members] == ["schema_version", "is_masked", "not_applicable", "parameters", "data", *keys]
    beside = [section for section in registered("file") if section.beside == "sources"]
    assert len(beside) > 1
    assert [*members["sources"]] == [name for section in beside for name in section.fields]


@pytest.mark.parametrize("content", ["{}", "[]", "no", '{"parameters": {}, "data": {}}'])
def test_what_says_not_even_what_was_analysed_is_refused(content: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 — of three kinds of reasons
        from_json(content)
