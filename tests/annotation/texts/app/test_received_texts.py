"""Texts are recorded first and read afterwards; what cannot be read is quarantined and holds nothing else up."""

import os
import signal
import time
from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.urls import reverse

from analysis.blinding.selectors.sealed_tables import collected_tables
from annotation.assignment.services import assembling
from annotation.people.services import members
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.core.work_kinds import WorkKind
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.work import Task
from annotation.platform.services import uptime
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.texts.core.work_kinds import READ_TEXT
from annotation.texts.models.provenance import Arm, Stimulus, TextEdit
from annotation.texts.providers.reader import Limits, Reader, Unreadable
from annotation.texts.selectors.stimuli import shortfalls, texts_by_prompt
from annotation.texts.services import intake
from annotation.writing.models import Draft, WritingAssignment
from annotation.writing.selectors.outages import proposals
from benchmarks.support.calls_run import managed
from scrub_site import jobs
from scrub_site.management.commands import run_loop
from tests.annotation.texts.stubborn_reader import MODULE
from tests.annotation.writing.desk import reopen
from tests.answers import begin, run_out, save, submit
from tests.clients import signed_in
from tests.factories import (
    a_member,
    a_person,
    a_writing_study,
    an_assembling_study,
    assignments_of,
    coordinator_of,
    written,
)
from tests.work import perform

pytestmark = pytest.mark.django_db

ENDLESS = "This counts for ever."
FAULTY = "This is at fault. It ends."  # sooner than one that counts for ever
RAW = "  “Rules”\n- are   shared …  "


@pytest.fixture
def stubborn() -> Iterator[Reader]:
    """The reader of workers, in whose process texts do what they say."""
    reader = Reader(MODULE, limits=Limits(processor=1, in_all=30))
    yield reader
    reader.stop()


def received(study: Study, text: str = FAULTY, arm: Arm = Arm.HUMAN) -> Stimulus:
    prompt = Prompt.objects.filter(study=study)[0]
    response = intake.receive(study=study, prompt=prompt, text=text, arm=arm, source_code="W-0099", by=None)
    return Stimulus.objects.select_related("study", "prompt", "response").get(pk=response.pk)


def tried_twice(text: Stimulus, reader: Reader) -> Stimulus:
    with pytest.raises(Unreadable):
        intake.read(response_id=text.pk, reader=reader)
    intake.read(response_id=text.pk, reader=reader)
    return again(text)


def again(text: Stimulus) -> Stimulus:
    return Stimulus.objects.select_related("study", "prompt", "response").get(pk=text.pk)


def task_of(text: Stimulus | UUID) -> Task:
    return Task.objects.get(kind=READ_TEXT, subject=str(getattr(text, "pk", text)), done_at=None)


def verbs_of(text: Stimulus) -> list[str]:
    return list(AuditEvent.objects.filter(subject=str(text.pk)).order_by("id").values_list("verb", flat=True))


@pytest.fixture
def handed_in() -> WritingAssignment:
    answer = begin(assignments_of(a_writing_study())[0])
    save(answer, 1, RAW)
    return submit(answer)


class TestHandingIn:
    def test_an_answer_is_recorded_as_it_was_sent_before_anybody_reads_it(
        self, handed_in: WritingAssignment
    ) -> None:
        text = Stimulus.objects.select_related("response").get(pk=handed_in.response_id)
        assert (handed_in.state, text.state, text.is_read) == ("submitted", "received", False)
        assert text.response.text == RAW
        sent = Draft.objects.get(assignment=handed_in).sha256
        assert sent == sha256_hex(RAW)
        assert [event.detail["sha256"] for event in AuditEvent.objects.filter(verb="text.received")] == [sent]
        assert [event.detail["sha256"] for event in AuditEvent.objects.filter(verb="writing.submitted")] == [sent]

    def test_a_receipt_is_mailed_and_progress_counted_before_the_text_is_read(
        self, handed_in: WritingAssignment
    ) -> None:
        perform(Task.objects.get(kind="mail_writing_receipt"))
        assert sha256_hex(RAW) in mail.outbox[0].body
        page = signed_in(coordinator_of(handed_in.study)).get(reverse("progress", args=[handed_in.study.slug]))
        assert page.status_code == 200
        receipt = signed_in(handed_in.participation.user).get(reverse("writing_receipt", args=[handed_in.pk]))
        assert "shared …" in receipt.content.decode()

    def test_a_worker_reads_what_was_handed_in_and_forgets_its_authors_name(
        self, handed_in: WritingAssignment
    ) -> None:
        assert Stimulus.objects.get(pk=handed_in.response_id).names == [handed_in.participation.user.name]
        perform(task_of(handed_in.response_id))  # type: ignore[arg-type]  # it has one
        text = Stimulus.objects.select_related("response").get(pk=handed_in.response_id)
        assert (text.state, text.is_read, text.names) == ("admitted", True, [])
        assert text.response.text != RAW
        assert verbs_of(text) == ["text.received", "text.admitted"]
        assert not Task.objects.filter(kind=READ_TEXT, done_at=None).exists()

    def test_reading_a_text_again_or_one_that_is_not_there_changes_nothing(
        self, handed_in: WritingAssignment
    ) -> None:
        for _ in range(2):
            intake.read(response_id=UUID(str(handed_in.response_id)))
        assert AuditEvent.objects.filter(verb="text.admitted").count() == 1
        intake.read(response_id=uuid4())

    def test_an_answer_that_is_given_back_before_it_is_read_is_never_admitted(
        self, handed_in: WritingAssignment, stubborn: Reader
    ) -> None:
        response = handed_in.response_id
        reopen(handed_in)
        intake.read(response_id=UUID(str(response)), reader=stubborn)
        text = Stimulus.objects.get(pk=response)
        assert (text.state, text.is_read, text.tries, text.names) == ("rejected", False, 0, [])

    def test_an_answer_whose_writer_withdraws_before_it_is_read_is_never_admitted_nor_told_of(
        self, handed_in: WritingAssignment
    ) -> None:
        members.withdraw_consent(participation=handed_in.participation, by=handed_in.participation.user)
        intake.read(response_id=UUID(str(handed_in.response_id)))
        text = Stimulus.objects.get(pk=handed_in.response_id)
        assert (text.state, text.is_read, text.names) == ("withdrawn", False, [])
        assert collected_tables(handed_in.study)["answers"].empty


class TestWhatCannotBeRead:
    def test_a_text_that_takes_for_ever_is_quarantined_after_two_tries_and_is_never_tried_again(
        self, stubborn: Reader
    ) -> None:
        text, other = received(study := a_writing_study(), ENDLESS), received(study, "Towns differ.")
        text = tried_twice(text, stubborn)
        assert (text.state, text.is_read, text.tries) == ("quarantined", False, 2)
        assert text.fault == "it takes more than 1 s of a processor to read"
        assert verbs_of(text) == ["text.received", "text.unreadable"]
        intake.read(response_id=text.pk, reader=stubborn)
        assert again(text).tries == 2
        intake.read(response_id=other.pk, reader=stubborn)
        assert again(other).state == "admitted"

    def test_the_first_failure_is_tried_again_by_the_task_table_and_the_second_ends_the_task(
        self, stubborn: Reader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text = received(a_writing_study())
        monkeypatch.setitem(
            jobs.KINDS,
            READ_TEXT,
            WorkKind(
                READ_TEXT,
                lambda subject: intake.read(response_id=UUID(subject), reader=stubborn),
                label="",
                rows=jobs.KINDS[READ_TEXT].rows,
            ),
        )
        perform(task := task_of(text))
        task.refresh_from_db()
        assert (again(text).state, task.done_at, task.attempts) == ("received", None, 1)
        assert "a fault of the program" in task.last_error
        assert (task.due_at - database_now()).total_seconds() < 5
        perform(task)
        task.refresh_from_db()
        assert (again(text).state, task.gave_up_at, task.done_at is not None) == ("quarantined", None, True)

    def test_a_text_of_which_reading_leaves_nothing_is_quarantined_at_once(self) -> None:
        text = received(a_writing_study(), "![](word.png)", arm=Arm.MODEL)
        intake.read(response_id=text.pk)
        assert (again(text).state, again(text).fault) == ("quarantined", intake.NOTHING_LEFT)

    def test_a_coordinator_sees_why_and_has_it_read_again_edits_or_rejects_it_but_cannot_clear_it(
        self, stubborn: Reader
    ) -> None:
        text = tried_twice(received(study := a_writing_study()), stubborn)
        client = signed_in(by := coordinator_of(study))
        page = client.get(reverse("texts", args=[study.slug])).content.decode()
        assert "reading it ended with a fault of the program" in page
        assert FAULTY in page
        assert 'value="read_again"' in page
        assert 'value="clear"' not in page
        with pytest.raises(Refused, match="could not be read"):
            intake.decide(stimulus=text, verb="clear", reason="It looks fine.", by=by)
        answer = client.post(
            reverse("decide_text", args=[text.pk]),
            {"verb": "read_again", "reason": "The server was slow."},
            follow=True,
        )
        assert "The text is being read again." in answer.content.decode()
        assert "1 text is still being read" in " ".join(answer.content.decode().split())
        assert (again(text).state, again(text).tries, again(text).fault) == ("received", 0, "")
        text = tried_twice(text, stubborn)
        edited = intake.edit(stimulus=text, text="It ends.", reason="It is no text.", by=by)
        assert (edited.before, again(text).state, again(text).response.text) == (FAULTY, "admitted", "It ends.")
        assert TextEdit.objects.get() == edited
        intake.decide(stimulus=tried_twice(received(study), stubborn), verb="reject", reason="No text.", by=by)

    def test_a_text_that_was_read_is_not_read_again(self) -> None:
        study = an_assembling_study()
        text = Stimulus.objects.filter(study=study)[0]
        with pytest.raises(Refused, match="has been read"):
            intake.decide(stimulus=text, verb="read_again", reason="Once more.", by=coordinator_of(study))

    def test_only_a_coordinator_has_a_text_read_again(self, stubborn: Reader) -> None:
        text = tried_twice(received(a_writing_study()), stubborn)
        with pytest.raises(PermissionDenied):
            intake.decide(stimulus=text, verb="read_again", reason="Once more.", by=a_person("Otto Outsider"))


class TestModelsAnswers:
    """They are read where they are recorded, for a second."""

    def admitted(self, study: Study, text: str) -> Stimulus:
        prompt = Prompt.objects.filter(study=study)[0]
        response = intake.admit(
            study=study, prompt=prompt, text=text, arm=Arm.MODEL, source_code="gpt", by=None, names=["gpt-9"]
        )
        return Stimulus.objects.get(pk=response.pk)

    def test_a_models_answer_that_takes_long_is_received_and_left_to_a_worker(
        self, stubborn: Reader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(intake, "READER", stubborn)
        study = a_writing_study()
        text, other = self.admitted(study, ENDLESS), self.admitted(study, "Towns **differ**.")
        assert (text.state, text.is_read, text.names, text.tries) == ("received", False, ["gpt-9"], 0)
        assert task_of(text)
        assert (other.state, other.is_read, other.names) == ("admitted", True, [])
        assert again(other).response.text == "Towns differ."
        assert not Task.objects.filter(subject=str(other.pk)).exists()
        assert intake.words_shown("Towns **differ**, like ~~all~~ others.") == 5
        assert intake.words_shown(FAULTY) == 6


READS = """
from uuid import UUID
from annotation.texts.providers.reader import Reader
from annotation.texts.services import intake
intake.read(response_id=UUID("{}"), reader=Reader("{}"))
"""


class TestWorkersThatAreKilled:
    @pytest.mark.stack
    @pytest.mark.django_db(transaction=True)
    def test_a_worker_that_is_killed_while_it_reads_leaves_the_text_received_and_the_try_counted(
        self, stubborn: Reader
    ) -> None:
        text = received(a_writing_study(), "This sleeps.")
        worker = managed("shell", "-c", READS.format(text.pk, MODULE))
        try:
            while not again(text).tries:
                assert worker.poll() is None
                time.sleep(0.05)
        finally:
            os.killpg(worker.pid, signal.SIGKILL)
            worker.wait()
        assert (again(text).state, again(text).tries, again(text).is_read) == ("received", 1, False)
        Response.objects.filter(pk=text.pk).update(text="This slept.")
        intake.read(response_id=text.pk, reader=stubborn)
        assert (again(text).state, again(text).response.text) == ("admitted", "This slept.")

    def test_a_text_whose_readers_were_killed_twice_is_quarantined_unread(self) -> None:
        text = received(a_writing_study())
        Stimulus.objects.filter(pk=text.pk).update(tries=intake.MAX_TRIES)
        perform(task_of(text))
        assert (again(text).state, again(text).fault) == ("quarantined", intake.BROKE_OFF)

    def test_a_reading_that_ends_after_another_worker_took_the_text_over_changes_nothing(self) -> None:
        text = received(a_writing_study(), "Towns differ.")
        late = intake._begin(text.pk)
        assert late
        intake.read(response_id=text.pk)
        intake._finish(late, "it was too slow")
        assert (again(text).state, again(text).fault) == ("admitted", "")


class TestWhatIsOnlyReceived:
    def test_a_received_text_is_no_text_for_judges_and_keeps_judging_closed_in_words(self) -> None:
        study = an_assembling_study()
        text = received(study, "Towns differ.")
        a_member(study, Role.JUDGE)
        assert text.pk not in {each.response for prompt in texts_by_prompt(study) for each in prompt.human}
        [lack] = shortfalls(study)
        assert (lack.code, lack.lacks) == (text.prompt.code, "1 text still being read")
        with pytest.raises(Refused, match="1 text still being read"):
            assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
        page = signed_in(coordinator_of(study)).get(reverse("study", args=[study.slug])).content.decode()
        assert "1 text is still being read" in " ".join(page.split())
        intake.read(response_id=text.pk)
        assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")

    @pytest.mark.parametrize("state", ["received", "quarantined"])
    @pytest.mark.parametrize("arm", [Arm.HUMAN, Arm.MODEL])
    def test_a_text_that_waits_is_not_called_missing_and_what_is_does_not_tell_whose_it_is(
        self, state: str, arm: Arm
    ) -> None:
        study = an_assembling_study()
        needed = Stimulus.objects.filter(study=study, arm=arm)[0]
        Stimulus.objects.filter(pk=needed.pk).update(state=state, is_read=state != "received")
        [lack] = shortfalls(study)
        assert (lack.code, lack.is_waiting) == (needed.prompt.code, True)
        page = signed_in(coordinator_of(study)).get(reverse("study", args=[study.slug])).content.decode()
        assert "Not all texts are ready" in page
        assert "Texts are still missing" not in page

    def test_writing_is_closed_while_texts_are_read_and_says_so(self) -> None:
        study = a_writing_study()
        received(study)
        for assignment in assignments_of(study):
            written(assignment)
        client = signed_in(coordinator_of(study))
        page = client.get(reverse("study", args=[study.slug])).content.decode()
        assert page.partition('id="step"')[2].partition("</section>")[0].count("being read") == 1
        page = client.post(reverse("close_writing", args=[study.slug]), follow=True).content.decode()
        assert "Writing is closed. 1 text still being read: judging can open after that." in page

    def test_the_database_admits_no_text_that_was_not_read(self) -> None:
        text = received(a_writing_study())
        for state in ("admitted", "quarantined"):
            with pytest.raises(IntegrityError), transaction.atomic():
                Stimulus.objects.filter(pk=text.pk).update(state=state)

    def test_a_text_that_no_judge_will_see_keeps_judging_open(self, stubborn: Reader) -> None:
        study = an_assembling_study()
        text = received(study, arm=Arm.MAXIMUM)
        assert shortfalls(study) == []
        tried_twice(text, stubborn)
        assert shortfalls(study) == []
        a_member(study, Role.JUDGE)
        assembling.open_judging(study=study, by=coordinator_of(study), reason="Made for a test.")
        intake.decide(stimulus=again(text), verb="reject", reason="It is no text.", by=coordinator_of(study))


class TestTheDeadline:
    def test_at_a_deadline_of_thirty_long_answers_the_loop_only_records(self) -> None:
        """30,000 characters each, of what once took a web worker half a minute."""
        study = a_writing_study(writers=30, prompts=1)
        for number in range(30):
            [answer] = assignments_of(study, writer=number)
            begin(answer)
            save(answer, 1, "0" * 29_000 + f" counts for ever {number}.")
            run_out(answer)
        began = time.process_time()  # what a busy machine makes of it is no fault of the loop
        for _ in range(2):  # fifty leases a round, among them none of a text to be read
            run_loop.tick(site_answered=True)
        seconds = time.process_time() - began
        assert WritingAssignment.objects.filter(state="submitted", submitted_by_clock=True).count() == 30
        assert set(Stimulus.objects.values_list("state", "tries")) == {("received", 0)}
        assert READ_TEXT not in jobs.DONE_BY_THE_LOOP
        assert seconds < uptime.MAX_SILENCE.total_seconds() / 3
        assert proposals(study) == []
