"""What contradicts itself or the calendar is refused at the field it is about."""

from datetime import date, timedelta
from typing import Any

import pytest

from annotation.design.forms import SectionForm
from annotation.people.forms.members import LimitsForm
from annotation.platform.services.clock import database_today
from annotation.study.core.parameters import SECTIONS
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from tests.factories import a_member, a_study

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def errors(study: Study, name: str, **changes: Any) -> dict[str, Any]:
    """What the section with this parameter says of the changes; all else is as it was."""
    [section] = [section for section in SECTIONS if name in section.labels]
    opened = SectionForm(section, study)
    data = {key: value for key, value in opened.initial.items() if value is not None and value is not False}
    form = SectionForm(section, study, {**data, "loaded": opened.loaded, **changes})
    form.is_valid()
    return dict(form.errors)


@pytest.mark.parametrize("name", ["writing_due_on", "judging_due_on"])
def test_a_due_day_in_the_past_is_refused_at_its_field(name: str) -> None:
    yesterday = database_today() - DAY
    assert list(errors(a_study(), name, **{name: yesterday})) == [name]


def test_a_due_day_that_has_passed_since_may_stay() -> None:
    study = a_study(writing_due_on=date(2020, 1, 1))
    assert errors(study, "writing_due_on") == {}


def test_judging_that_is_due_before_writing_is_refused_at_its_field() -> None:
    today = database_today()
    days = {"writing_due_on": today + 9 * DAY, "judging_due_on": today + 3 * DAY}
    assert list(errors(a_study(), "judging_due_on", **days)) == ["judging_due_on"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"target_words": 500, "target_words_low": 600, "target_words_high": 700}, "target_words_low"),
        ({"target_words": 500, "target_words_low": 300, "target_words_high": 400}, "target_words_high"),
    ],
)
def test_a_word_band_without_the_target_is_refused_at_its_end(changes: dict[str, int], field: str) -> None:
    assert list(errors(a_study(), "target_words", **changes)) == [field]


def limits(member: Participation, **days: date) -> list[str]:
    form = LimitsForm.of(member, days)
    form.is_valid()
    return list(form.errors)


def test_a_last_day_that_is_over_or_before_the_first_is_refused_at_its_field() -> None:
    member, today = a_member(a_study(), Role.WRITER), database_today()
    assert limits(member, available_until=today - DAY) == ["available_until"]
    assert limits(member, available_from=today + 5 * DAY, available_until=today + DAY) == ["available_until"]
    assert limits(member, available_from=today, available_until=today) == []
    member.available_until = today - DAY
    assert limits(member, available_until=today - DAY) == []
