"""An answer in a study whose times are known."""

import pytest

from annotation.writing.models import WritingAssignment
from tests.answers import begin
from tests.factories import a_writing_study, assignments_of


@pytest.fixture
def assignment() -> WritingAssignment:
    """The first assignment of a writer with 30 minutes and a grace of 10 seconds for each answer."""
    return assignments_of(a_writing_study(writing_minutes=30, transport_grace_seconds=10))[0]


@pytest.fixture
def answer(assignment: WritingAssignment) -> WritingAssignment:
    """One that is being written: the first window has the pen, in epoch 1."""
    return begin(assignment)
