"""The history of an answer, as its coordinator reads it."""

import pytest

from annotation.platform.core.text import sha256_hex
from annotation.study.models.studies import Study
from annotation.writing.models import Draft, WritingAssignment
from annotation.writing.selectors.answer_record import text_as_of
from tests.annotation.writing.app.test_writing_desk_views import page_of
from tests.answers import begin, change_of, save, send
from tests.factories import a_writing_study, assignments_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    """Two writers with 30 minutes for each of two answers."""
    return a_writing_study(writers=2, writing_minutes=30)


@pytest.fixture
def assignment(study: Study) -> WritingAssignment:
    return assignments_of(study)[0]


class TestTheHistory:
    """Four saves, by changes and by whole texts."""

    TEXTS = ("Ein Haus", "Ein Haus am See", "Kein Haus am See", "Kein\n\nSee 👩‍👧")

    @pytest.fixture
    def assignment(self, assignment: WritingAssignment) -> WritingAssignment:
        begin(assignment)
        save(assignment, 1, self.TEXTS[0])
        send(assignment, change_of(assignment, 8, 0, " am See"))
        send(assignment, change_of(assignment, 0, 1, "Ke"))
        save(assignment, 4, self.TEXTS[3])
        return assignment

    def test_the_history_of_an_answer_gives_the_text_as_it_was_after_any_save(
        self, assignment: WritingAssignment
    ) -> None:
        for number, text in enumerate(self.TEXTS, start=1):
            version = text_as_of(assignment, number)
            assert version
            assert (version.text, version.number, version.of) == (text, number, 4)
            assert version.is_whole
        last = text_as_of(assignment)
        assert last
        assert last.number == 4

    @pytest.mark.parametrize("number", [0, 5, -1])
    def test_the_history_of_an_answer_knows_no_other_saves(
        self, assignment: WritingAssignment, number: int
    ) -> None:
        assert text_as_of(assignment, number) is None

    def test_the_history_of_an_answer_marks_what_the_save_changed(self, assignment: WritingAssignment) -> None:
        page = page_of(assignment, "writing_history", save=3)
        assert "<del>E</del><ins>Ke</ins>in Haus am See" in page

    @pytest.mark.parametrize("save", ["", "1", "4"])
    def test_the_history_of_an_answer_says_that_it_is_complete(
        self, assignment: WritingAssignment, save: str
    ) -> None:
        assert "to the last character" in page_of(assignment, "writing_history", save=save)

    def test_the_history_of_an_answer_says_so_where_it_does_not_fit_what_is_held(
        self, assignment: WritingAssignment
    ) -> None:
        Draft.objects.filter(assignment=assignment).update(sha256=sha256_hex("something else"))
        assert "Does not fit" in page_of(assignment, "writing_history")

    @pytest.mark.parametrize("save", ["7", "0", "99999999999999999999"])
    def test_the_history_of_an_answer_says_so_of_a_save_that_is_not_there(
        self, assignment: WritingAssignment, save: str
    ) -> None:
        assert "There is no such save" in page_of(assignment, "writing_history", save=save)
