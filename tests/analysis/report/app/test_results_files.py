"""Files and cells of the pages of results."""

import io
import re
import zipfile
from collections.abc import Iterator
from unittest import mock

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from analysis.data.core.results import Estimate
from analysis.report.core import page_file
from analysis.report.templatetags import Footnotes, cell
from analysis.sections.exhibits.exhibit import Column
from annotation.study.models.studies import Study
from tests.analysis.report.analyses import PICTURE, SVG, a_finished_run, asked_for, files_of, get
from tests.analysis.report.app.test_results_view import OF_BBQ, PLACES
from tests.clients import signed_in
from tests.factories import an_unblinded_study, coordinator_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def exhibits() -> Iterator[None]:
    """The same two exhibits of every report."""
    with mock.patch.object(page_file, "exhibits", return_value=(PLACES, OF_BBQ)):
        yield


@pytest.fixture
def unblinded() -> Study:
    return an_unblinded_study(1, 1, 1, prompts=1)


class TestFiles:
    def test_the_files_of_a_run_are_as_they_were_kept(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        answer = get(unblinded, "run_file", 1, PICTURE)
        assert (answer.content, answer["Content-Type"]) == (SVG, "image/svg+xml")
        assert answer["Content-Disposition"] == f'attachment; filename="{unblinded.slug}-run-1-places.svg"'
        assert "no-store" in answer["Cache-Control"]
        assert "no-store" in get(unblinded, "run_archive", 1)["Cache-Control"]
        assert get(unblinded, "run_file", 1, "figures/none.svg").status_code == 404
        assert get(unblinded, "run_file", 1, "figures/\0.svg").status_code == 404
        assert get(unblinded, "run_file", 2, PICTURE).status_code == 404

    def test_a_picture_is_there_in_the_colours_of_the_dark_page(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        with mock.patch("analysis.report.views.run_files.dark", lambda svg: svg.replace(b"svg", b"dark")):
            assert b"<dark" in get(unblinded, "run_file", 1, PICTURE, dark="").content
            assert b"dark" not in get(unblinded, "run_file", 1, "report.txt", dark="").content

    def test_the_files_of_a_run_come_all_together_the_same_every_time(self, unblinded: Study) -> None:
        run = a_finished_run(unblinded)
        answer = get(unblinded, "run_archive", 1)
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert {name: archive.read(name) for name in archive.namelist()} == files_of(run)
        assert get(unblinded, "run_archive", 1).content == answer.content

    def test_the_files_of_a_run_that_is_not_finished_are_not_there(self, unblinded: Study) -> None:
        asked_for(unblinded)
        assert get(unblinded, "run_archive", 1).status_code == 404

    def test_the_files_of_a_run_are_for_the_studys_researchers(self, unblinded: Study) -> None:
        a_finished_run(unblinded)
        other = an_unblinded_study(1, 1, 1, prompts=1, slug="other")
        assert get(other, "run_file", 1, PICTURE).status_code == 404
        coordinator = signed_in(coordinator_of(unblinded))
        for name, args in (("run_file", [1, PICTURE]), ("run_archive", [1]), ("run_list", []), ("results", [])):
            assert coordinator.get(reverse(name, args=[unblinded.slug, *args])).status_code == 403


class TestCells:
    @staticmethod
    def rendered() -> str:
        return render_to_string("report/_table.html", {"exhibit": PLACES})

    def test_cells_are_numbers_with_intervals_or_lead_to_a_reason(self) -> None:
        head, rows, notes = (
            " ".join(re.sub("<[^>]+>", " ", part).split())
            for part in re.split("</thead>|</table>", self.rendered())
        )
        assert head == "Source Ratings Place First"
        # −0.02 rounds to nothing, which has no sign.
        assert rows == "people &lt;b&gt; 1,200 0.0 62.5 % [50.0, 75.0] models – undefined, note a 100.0 % , note b"
        assert notes == "a Undefined: nobody ranked. b No interval: all resamples are alike."

    def test_numbers_in_cells_are_set_as_numbers(self) -> None:
        assert self.rendered().count('class="num"') == 3 + 2 * 3

    def test_each_reason_has_one_letter_and_there_are_enough_letters(self) -> None:
        notes = Footnotes()
        remarks = [f"remark {number}" for number in range(28)]
        assert [notes.letter(remark) for remark in remarks][-3:] == ["z", "aa", "ab"]
        assert notes.letter("remark 0") == "a"

    def test_no_note_is_shown_where_there_is_no_reason(self) -> None:
        notes = Footnotes()
        assert cell(Estimate("w", 0.0, 2), Column("W"), notes) == "0.00"
        assert not notes
