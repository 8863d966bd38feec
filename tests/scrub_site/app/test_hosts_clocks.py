"""The loop and the site on hosts whose clocks are an hour wrong."""

import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from annotation.platform.models.audit import AuditEvent, AuditSeal
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.uptime import UpPeriod
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.writing.models import WritingAssignment
from scrub_site.database.sessions import SessionStore
from scrub_site.management.commands import run_loop
from tests.answers import MINUTE, SECOND, begin, pass_time, save
from tests.clients import signed_in
from tests.factories import a_person, a_writing_study, assignments_of

pytestmark = pytest.mark.django_db

TOLERANCE = timedelta(minutes=1)


@pytest.fixture
def answer() -> WritingAssignment:
    """A text was saved a second before the deadline, and its writer never came back."""
    assignment = begin(assignments_of(a_writing_study(writing_minutes=30, transport_grace_seconds=10))[0])
    pass_time(assignment, 30 * MINUTE - SECOND)
    save(assignment, 1, "A rule is shared. So is its price.")
    return assignment


@pytest.fixture(params=[-1, 1], ids=["behind", "ahead"])
def wrong_host(request: pytest.FixtureRequest, answer: WritingAssignment, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on this process takes it to be an hour earlier or later than it is."""
    now, seconds, hours = timezone.now, time.time, request.param
    monkeypatch.setattr(timezone, "now", lambda: now() + timedelta(hours=hours))
    monkeypatch.setattr(time, "time", lambda: seconds() + hours * 3600)


@pytest.mark.usefixtures("wrong_host")
def test_a_loop_hands_in_what_is_left_lying_when_its_time_is_up_and_not_before(answer: WritingAssignment) -> None:
    run_loop.tick()
    answer.refresh_from_db()
    assert answer.state == "writing"
    pass_time(answer, MINUTE)
    run_loop.tick()
    answer.refresh_from_db()
    assert (answer.state, answer.submitted_by_clock) == ("submitted", True)
    assert answer.submitted_at
    assert abs(database_now() - answer.submitted_at) < TOLERANCE


@pytest.mark.usefixtures("wrong_host")
def test_a_loop_writes_down_when_the_site_was_up_as_any_other_would() -> None:
    run_loop.tick(site_answered=True)
    assert abs(database_now() - UpPeriod.objects.get().seen_at) < TOLERANCE


@pytest.mark.usefixtures("wrong_host")
def test_the_trail_and_the_rows_it_is_about_agree_when_it_was() -> None:
    person = a_person("Ada Example")
    audit.record(verb=AuditVerb.STUDY_CREATED, by=person, subject="fern")
    audit.seal()
    moments = [
        person.joined_at,
        *AuditEvent.objects.filter(subject="fern").values_list("at", flat=True),
        *AuditSeal.objects.values_list("sealed_at", flat=True),
    ]
    assert len(moments) > 2
    assert all(abs(database_now() - moment) < TOLERANCE for moment in moments)


@pytest.mark.usefixtures("wrong_host")
@pytest.mark.parametrize("seconds", [None, 600])
def test_a_session_ends_by_the_databases_clock_as_it_is_read(seconds: int | None) -> None:
    session = SessionStore()
    if seconds:
        session.set_expiry(seconds)
    session["place"] = "A"
    session.save()
    lasts = Session.objects.get().expire_date - database_now()
    assert abs(lasts - timedelta(seconds=seconds or settings.SESSION_COOKIE_AGE)) < TOLERANCE
    assert SessionStore(session.session_key)["place"] == "A"


@pytest.mark.usefixtures("wrong_host")
def test_somebodys_last_sign_in_was_when_the_database_says() -> None:
    person = a_person("Ada Example")
    signed_in(person)
    person.refresh_from_db()
    assert person.last_login
    assert abs(database_now() - person.last_login) < TOLERANCE
