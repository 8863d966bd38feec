"""When the server was up, what answers lost when it was not, and who decides about that."""

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection
from django.utils import timezone

from annotation.assignment.services import designing
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.uptime import UpPeriod
from annotation.platform.services import uptime
from annotation.study.models.participation import Consent
from annotation.texts.models.provenance import Stimulus
from annotation.writing.models import Draft, DraftRevision, OutageCredit, WritingAssignment
from annotation.writing.selectors.outages import Loss, Proposal, proposals
from annotation.writing.services import writing_desk
from scrub_site import probe
from scrub_site.management.commands import run_loop
from tests.annotation.writing.desk import an_outage, deadline_of, pause, resume
from tests.answers import MINUTE, SECOND, begin, finalise, pass_time, put, run_out, save, start, submit
from tests.factories import a_writing_study, an_essay, assignments_of, coordinator_of

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 29, 12, tzinfo=timezone.get_fixed_timezone(0))


def periods() -> list[tuple[float, float]]:
    """What is recorded, in seconds after noon."""
    return [
        ((period.began_at - NOON).total_seconds(), (period.seen_at - NOON).total_seconds())
        for period in UpPeriod.objects.all()
    ]


def beat_at(*seconds: float) -> None:
    for second in seconds:
        uptime.beat(now=NOON + timedelta(seconds=second))


class TestTheRecord:
    def test_the_record_of_uptime_goes_on_while_the_site_answers(self) -> None:
        beat_at(0, 5, 10, 24.9)
        assert periods() == [(0, 24.9)]

    def test_the_record_of_uptime_begins_anew_after_fifteen_seconds_of_silence(self) -> None:
        beat_at(0, 5, 20, 25)
        assert periods() == [(0, 5), (20, 25)]

    def test_the_record_of_uptime_does_not_go_back_when_the_clock_of_another_loop_is_behind(self) -> None:
        beat_at(0, 5, 3)
        assert periods() == [(0, 5)]

    def test_the_record_of_uptime_is_kept_by_the_loop_whenever_the_site_has_answered(self) -> None:
        run_loop.tick()
        assert not UpPeriod.objects.exists()
        run_loop.tick(site_answered=True)
        assert UpPeriod.objects.get().seen_at > timezone.now() - MINUTE

    def test_the_record_of_uptime_has_no_entry_while_the_database_is_away(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away(**_: object) -> None:
            raise OperationalError("the server closed the connection")

        monkeypatch.setattr(uptime, "beat", away)
        monkeypatch.setattr(connection, "close", lambda: None)
        run_loop.tick(site_answered=True)
        assert not UpPeriod.objects.exists()


class Site(BaseHTTPRequestHandler):
    """Answers with the status that its server was given, or never."""

    server: Any

    def do_GET(self) -> None:
        self.server.asked.append((self.path, self.headers["Host"]))
        if self.server.status is None:
            self.server.released.wait(10)
            return
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.status, server.asked, server.released = 200, [], threading.Event()
    server.url = f"http://127.0.0.1:{server.server_port}/health/ready/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.released.set()
    server.shutdown()
    thread.join()
    server.server_close()


class TestTheProbe:
    def test_the_probe_takes_only_a_site_that_is_ready_for_one_that_answers(self, site: Any) -> None:
        for status, answers in ((200, True), (503, False), (404, False), (301, False)):
            site.status = status
            assert probe.answers(site.url) == answers, status

    def test_the_probe_asks_the_site_under_its_own_name(self, site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SITE_URL", "https://studio.example.org")
        assert probe.answers(site.url)
        assert site.asked == [("/health/ready/", "studio.example.org")]

    def test_the_probe_takes_a_site_that_is_not_there_or_hangs_for_one_that_does_not_answer(
        self, site: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(probe, "PATIENCE", 0.1)
        site.status = None
        assert not probe.answers(site.url)
        assert not probe.answers("http://127.0.0.1:1/")

    def test_the_probe_holds_nobody_up_while_the_site_hangs(
        self, site: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(probe, "EVERY", 0.01)
        site.status = None
        stop = threading.Event()
        asking = probe.Probe(site.url, stop)
        asking.start()
        while not site.asked:
            stop.wait(0.01)
        assert not asking.answered()
        stop.set()
        site.released.set()
        asking.join(timeout=10)

    def test_the_probe_tells_of_an_answer_once(self, site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(probe, "EVERY", 0.01)
        stop = threading.Event()
        asking = probe.Probe(site.url, stop)
        asking.start()
        while not asking.answered():
            stop.wait(0.01)
        stop.set()
        asking.join(timeout=10)
        asking.answered()  # what came in between
        assert not asking.answered()


# -- what was lost -------------------------------------------------------------------------------------------


@pytest.fixture
def assignment() -> WritingAssignment:
    """The first assignment of a writer with 30 minutes for each answer."""
    return assignments_of(a_writing_study(writing_minutes=30))[0]


def losses(assignment: WritingAssignment) -> list[Loss]:
    assignment.study.refresh_from_db()
    return [loss for proposal in proposals(assignment.study) for loss in proposal.losses]


def decide(
    assignment: WritingAssignment, proposal: Proposal | None = None, *, approve: bool = True, by: Any = None
) -> int:
    """Decide about `proposal`, or the only one there is."""
    if proposal is None:
        [proposal] = proposals(assignment.study)
    return writing_desk.decide_outage(
        study=assignment.study,
        began_at=proposal.began_at,
        assignments=[assignment],
        approve=approve,
        reason="The power failed.",
        by=by or coordinator_of(assignment.study),
    )


class TestProposals:
    def test_proposals_of_credit_name_the_seconds_that_an_answer_being_written_lost(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)
        [loss] = losses(assignment)
        assert (loss.assignment, loss.seconds, loss.is_over) == (assignment.pk, 120, False)

    def test_proposals_of_credit_count_only_what_lies_before_the_deadline(
        self, assignment: WritingAssignment
    ) -> None:
        put(assignment, "lapsed")  # its deadline was a minute ago
        an_outage(minutes_ago=2)
        [loss] = losses(assignment)
        assert (loss.seconds, loss.is_over) == (60, True)

    def test_proposals_of_credit_leave_out_what_an_acknowledged_save_proves(
        self, assignment: WritingAssignment
    ) -> None:
        """The loop was away for two minutes; a save of any study's writer came in after one."""
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        other = begin(assignments_of(a_writing_study("other"))[0])
        up_again = an_outage(minutes_ago=5)
        proof = DraftRevision(
            assignment=other, pen_epoch=9, seq=1, at=0, removed=0, saved_at=up_again.began_at - MINUTE
        )
        proof.save()
        assert [loss.seconds for loss in losses(assignment)] == [60, 60]
        proofs = [
            DraftRevision(
                assignment=other, pen_epoch=10, seq=n, at=0, removed=0, saved_at=up_again.began_at - 9 * n * SECOND
            )
            for n in range(1, 14)
        ]
        DraftRevision.objects.bulk_create(proofs)
        assert losses(assignment) == []

    def test_proposals_of_credit_leave_out_the_time_in_which_the_clock_stood_still(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        pause(assignment)
        resume(assignment)
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)  # until three minutes ago
        now = timezone.now()
        assignment.pauses.update(began_at=now - 6 * MINUTE, ended_at=now - 4 * MINUTE)
        assert [loss.seconds for loss in losses(assignment)] == [pytest.approx(60, abs=1)]

    def test_proposals_of_credit_do_not_come_from_a_gap_at_the_writers_end(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        pass_time(assignment, 20 * MINUTE)
        UpPeriod.objects.create(began_at=timezone.now() - 60 * MINUTE, seen_at=timezone.now())
        save(assignment, 1, "Twenty minutes of silence, and the server was there.")
        assert losses(assignment) == []

    def test_proposals_of_credit_are_not_made_before_the_server_is_back(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5).delete()
        assert losses(assignment) == []

    def test_proposals_of_credit_are_not_made_for_an_answer_that_its_writer_handed_in(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)
        save(assignment, 1, an_essay())
        submit(assignment)
        assert losses(assignment) == []

    def test_proposals_of_credit_are_not_made_where_time_does_not_matter_or_nobody_wrote(self) -> None:
        study = a_writing_study(writers=2, writing_minutes=None)
        begin(assignments_of(study)[0])
        pass_time(assignments_of(study)[0], 10 * MINUTE)
        an_outage(minutes_ago=5)
        assert losses(assignments_of(study)[0]) == []

    def test_proposals_of_credit_are_not_made_for_a_writer_who_withdrew(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)
        Consent.objects.update(withdrawn_at=timezone.now())
        assert losses(assignment) == []

    def test_proposals_of_credit_end_when_writing_is_closed(self, assignment: WritingAssignment) -> None:
        put(assignment, "lapsed")
        an_outage(minutes_ago=2)
        assert losses(assignment)
        designing.close_writing(study=assignment.study, by=coordinator_of(assignment.study))
        assert losses(assignment) == []


class TestDecisions:
    def test_a_credit_moves_the_deadline_of_an_answer_that_is_being_written(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)
        before = deadline_of(assignment)
        assert decide(assignment) == 1
        assert deadline_of(assignment) == before + 120 * SECOND
        assert Draft.objects.get(assignment=assignment).closes_at == before + 130 * SECOND
        assignment.refresh_from_db()
        assert assignment.extra_seconds == 120
        assert losses(assignment) == []

    def test_a_credit_gives_an_answer_that_the_clock_ended_back_with_the_time_that_was_lost(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        save(assignment, 1, an_essay())
        run_out(assignment)
        handed_in = finalise(assignment).response_id
        an_outage(minutes_ago=2)
        assert decide(assignment) == 1
        assignment.refresh_from_db()
        assert (assignment.state, assignment.allowed_seconds) == ("assigned", 60)
        assert Stimulus.objects.get(pk=handed_in).state == "rejected"
        started_at = start(assignment).started_at
        assert started_at
        assert deadline_of(assignment) == started_at + 60 * SECOND

    def test_an_answer_given_back_gets_what_it_lost_in_every_outage(self, assignment: WritingAssignment) -> None:
        begin(assignment)
        save(assignment, 1, an_essay())
        run_out(assignment)
        finalise(assignment)
        now = timezone.now()
        for began, seen in ((60, 12), (10, 5), (3, 0)):  # minutes ago: two outages of two minutes
            UpPeriod.objects.create(began_at=now - began * MINUTE, seen_at=now - seen * MINUTE)
        first, _ = proposals(assignment.study)
        decide(assignment, first)
        assignment.refresh_from_db()
        assert (assignment.state, assignment.allowed_seconds) == ("assigned", 240)
        assert losses(assignment) == []

    def test_declining_a_credit_is_kept_and_changes_nothing_else(self, assignment: WritingAssignment) -> None:
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)
        before = deadline_of(assignment)
        assert decide(assignment, approve=False) == 1
        assert deadline_of(assignment) == before
        assert OutageCredit.objects.get().seconds == 0
        assert losses(assignment) == []

    def test_a_decision_about_an_outage_is_audited_with_its_reason(self, assignment: WritingAssignment) -> None:
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)
        decide(assignment)
        event = AuditEvent.objects.get(verb="writing.outage_credited")
        assert event.actor == coordinator_of(assignment.study)
        assert event.detail == {"reason": "The power failed.", "seconds": 120}

    def test_an_answer_handed_in_meanwhile_is_left_as_it_is_by_a_credit(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        save(assignment, 1, an_essay())
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)
        [proposal] = proposals(assignment.study)
        submit(assignment)
        with pytest.raises(Refused, match="Nothing is proposed for these answers any more"):
            writing_desk.decide_outage(
                study=assignment.study,
                began_at=proposal.began_at,
                assignments=[assignment],
                approve=True,
                reason="The power failed.",
                by=coordinator_of(assignment.study),
            )
        assert not OutageCredit.objects.exists()

    def test_a_credit_is_refused_for_a_moment_to_an_answer_that_its_clock_is_about_to_end(
        self, assignment: WritingAssignment
    ) -> None:
        begin(assignment)
        run_out(assignment)
        an_outage(minutes_ago=2)
        with pytest.raises(Refused, match="Time is up"):
            decide(assignment)
        finalise(assignment)
        assert decide(assignment) == 1

    def test_only_a_coordinator_decides_about_outages(self, assignment: WritingAssignment) -> None:
        begin(assignment)
        pass_time(assignment, 10 * MINUTE)
        an_outage(minutes_ago=5)
        with pytest.raises(PermissionDenied):
            decide(assignment, by=assignment.participation.user)
        assert not OutageCredit.objects.exists()
