"""What is decided about one member: their limits and preferences, and the withdrawal of their consent."""

from dataclasses import replace
from datetime import date

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from annotation.assignment.services import designing
from annotation.judging.models.judging import JudgingItem
from annotation.people.core.limits import Limits
from annotation.people.services import members, people
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.services import intake
from annotation.writing.models import Draft
from annotation.writing.services.drafts import Status
from tests.answers import begin, save, submit
from tests.clients import signed_in
from tests.factories import (
    a_judging_study,
    a_member,
    a_writing_study,
    admit_all,
    assignments_of,
    coordinator_of,
    judging_items_of,
    members_of,
    scored,
    written,
)
from tests.judging import submit as submit_item

pytestmark = pytest.mark.django_db

LIMITS = Limits(
    capacity=3,
    available_from=date(2026, 3, 1),
    available_until=date(2026, 3, 31),
    institution="University of Graz",
    prefers=("BBQ",),
    excludes=("HLE_02",),
)


@pytest.fixture
def study() -> Study:
    """Two prompts, BBQ_01 and HLE_02; a writer with both of them."""
    return a_writing_study()


@pytest.fixture
def writer(study: Study) -> Participation:
    return members_of(study, Role.WRITER)[0]


def change(member: Participation, limits: Limits) -> Participation:
    members.change_limits(participation=member, limits=limits, by=coordinator_of(member.study))
    member.refresh_from_db()
    return member


def withdraw(member: Participation) -> Consent:
    members.withdraw_consent(participation=member, by=member.user)
    return Consent.objects.get(participation=member)


def events(verb: str) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(verb=verb).order_by("id"))


class TestLimits:
    def test_limits_are_kept_and_told_in_the_audit_trail(self, writer: Participation) -> None:
        changed = change(writer, LIMITS)
        assert (changed.capacity, changed.institution) == (3, "University of Graz")
        assert (changed.available_from, changed.available_until) == (date(2026, 3, 1), date(2026, 3, 31))
        assert (changed.prefers, changed.excludes) == (["BBQ"], ["HLE_02"])
        [event] = events("person.limits_changed")
        assert event.subject == writer.pseudonym
        assert event.detail["available_from"] == "2026-03-01"
        assert event.detail["excludes"] == ["HLE_02"]

    def test_limits_leave_a_trace_of_what_changed_alone(self, writer: Participation) -> None:
        change(writer, LIMITS)
        change(writer, LIMITS)
        change(writer, replace(LIMITS, capacity=None))
        assert [sorted(event.detail) for event in events("person.limits_changed")][1:] == [["capacity"]]

    def test_limits_speak_of_prompts_by_code_domain_or_discipline_in_any_case(self, writer: Participation) -> None:
        Prompt.objects.filter(code="BBQ_01").update(disciplines=["Law"])
        assert change(writer, Limits(prefers=("law", "hle"), excludes=("bbq_01",))).prefers == ["law", "hle"]

    def test_limits_name_the_topics_that_no_prompt_has(self, writer: Participation) -> None:
        with pytest.raises(Refused, match="“Zoology”, “MSC”"):
            change(writer, Limits(prefers=("BBQ", "Zoology"), excludes=("MSC",)))
        writer.refresh_from_db()
        assert writer.prefers == []

    @pytest.mark.parametrize(
        ("limits", "why"),
        [
            (Limits(capacity=1001), "between 0 and 1,000"),
            (Limits(capacity=-1), "between 0 and 1,000"),
            (Limits(available_from=date(2026, 3, 2), available_until=date(2026, 3, 1)), "is before the first"),
            (Limits(prefers=("BBQ",), excludes=("bbq",)), "Both preferred and excluded: “BBQ”"),
        ],
    )
    def test_limits_that_contradict_one_another_are_refused(
        self, writer: Participation, limits: Limits, why: str
    ) -> None:
        with pytest.raises(Refused, match=why):
            change(writer, limits)
        assert not events("person.limits_changed")

    def test_limits_are_for_people_who_are_given_work(self, study: Study) -> None:
        with pytest.raises(Refused, match="Only writers and judges"):
            change(a_member(study, Role.RESEARCHER), LIMITS)

    def test_limits_are_changed_by_coordinators_alone(self, study: Study, writer: Participation) -> None:
        for person in (writer.user, a_member(study, Role.RESEARCHER).user):
            with pytest.raises(PermissionDenied):
                members.change_limits(participation=writer, limits=LIMITS, by=person)


class TestWithdrawing:
    def test_withdrawing_consent_takes_the_writers_texts_out_before_judging_opens(
        self, study: Study, writer: Participation
    ) -> None:
        """One text is admitted, one in quarantine; a model's text and one that was rejected stay as they are."""
        first, second = assignments_of(study)
        admitted = written(first).response
        suspicious = intake.admit(
            study=study,
            prompt=second.prompt,
            text="As an AI language model, I cannot have an opinion on towns.",
            arm=Arm.HUMAN,
            source_code=writer.pseudonym,
            by=None,
        )
        [models, rejected] = [admit_all(first.prompt, arm, [code])[0] for arm, code in self.others(writer)]
        Stimulus.objects.filter(pk=rejected.pk).update(state="rejected")
        withdraw(writer)
        assert admitted
        states = dict(Stimulus.objects.values_list("pk", "state"))
        assert states == {
            admitted.pk: "withdrawn",
            suspicious.pk: "withdrawn",
            models.pk: "admitted",
            rejected.pk: "rejected",
        }
        [event] = events("consent.withdrawn")
        assert sorted(event.detail["texts"]) == sorted([str(admitted.pk), str(suspicious.pk)])

    def others(self, writer: Participation) -> list[tuple[Arm, str]]:
        return [(Arm.MODEL, writer.pseudonym), (Arm.HUMAN, writer.pseudonym)]

    def test_withdrawing_consent_takes_a_writers_texts_out_of_an_assembling_study_too(
        self, study: Study, writer: Participation
    ) -> None:
        for assignment in assignments_of(study):
            written(assignment)
        designing.close_writing(study=study, by=coordinator_of(study))
        withdraw(writer)
        assert set(Stimulus.objects.values_list("state", flat=True)) == {"withdrawn"}

    def test_withdrawing_consent_leaves_texts_that_judges_have_been_shown(self) -> None:
        study = a_judging_study(1, 1, 1, prompts=1)
        withdraw(members_of(study, Role.WRITER)[0])
        assert set(Stimulus.objects.values_list("state", flat=True)) == {"admitted"}
        assert events("consent.withdrawn")[0].detail["texts"] == []

    def test_withdrawing_consent_ends_the_answer_that_is_being_written(
        self, study: Study, writer: Participation
    ) -> None:
        assignment = begin(assignments_of(study)[0])
        save(assignment, 1, "So far.")
        withdraw(writer)
        assignment.refresh_from_db()
        assert assignment.state == "cancelled"
        status, held = save(assignment, 2, "So far. And on.")
        assert (status, held.length) == (Status.CLOSED, len("So far."))
        with pytest.raises(Refused, match="not being written"):
            submit(assignment)
        assert Draft.objects.get(assignment=assignment).text == "So far."

    def test_withdrawing_consent_lets_no_other_answer_be_started(self, study: Study, writer: Participation) -> None:
        withdraw(writer)
        with pytest.raises(Refused, match="You withdrew your consent"):
            begin(assignments_of(study)[0])

    def test_withdrawing_consent_lets_no_item_be_submitted(self) -> None:
        study = a_judging_study(1, 1, 1, prompts=1)
        [item] = judging_items_of(study)
        item = scored(item, A=8, B=7)
        withdraw(members_of(study, Role.JUDGE)[0])
        with pytest.raises(Refused, match="withdrawn your consent"):
            submit_item(item)
        assert JudgingItem.objects.get().state == "open"

    def test_withdrawing_consent_twice_changes_nothing_more(self, writer: Participation) -> None:
        assert withdraw(writer).withdrawn_at == withdraw(writer).withdrawn_at
        assert len(events("consent.withdrawn")) == 1

    def test_withdrawing_consent_is_for_the_person_alone(self, study: Study, writer: Participation) -> None:
        with pytest.raises(PermissionDenied):
            members.withdraw_consent(participation=writer, by=coordinator_of(study))
        assert Consent.objects.get(participation=writer).withdrawn_at is None

    def test_withdrawing_consent_needs_a_consent(self, study: Study) -> None:
        with pytest.raises(Refused, match="nothing to withdraw"):
            withdraw(a_member(study, Role.WRITER, ready=False))


class TestTheConsentPage:
    def post(self, member: Participation, **fields: str) -> tuple[int, str]:
        path = reverse("consent_withdraw", args=[member.study.slug])
        answer = signed_in(member.user).post(path, fields, follow=True)
        return answer.status_code, " ".join(answer.content.decode().split())

    def test_the_consent_page_says_what_withdrawing_means_and_asks_for_a_tick(self, writer: Participation) -> None:
        status, page = self.post(writer)
        assert status == 400
        assert "Texts you have handed in leave the study" in page
        assert "Nothing has changed so far." in page
        assert Consent.objects.get(participation=writer).withdrawn_at is None

    def test_the_consent_page_takes_the_withdrawal_and_says_so(self, writer: Participation) -> None:
        status, page = self.post(writer, understood="on")
        assert status == 200
        assert "You withdrew your consent on" in page
        assert "consent/withdraw" not in page
        assert Consent.objects.get(participation=writer).withdrawn_at

    @pytest.mark.parametrize(
        ("role", "says"),
        [
            (Role.WRITER, "Texts of yours that judges have been given stay before them"),
            (Role.JUDGE, "Your judgments stay as they are until two unblinders"),
        ],
    )
    def test_the_consent_page_says_what_happens_once_judging_is_open(self, role: Role, says: str) -> None:
        member = members_of(a_judging_study(1, 1, 1, prompts=1), role)[0]
        _, page = self.post(member)
        assert says in page
        assert "leave the study: no judge" not in page

    def test_the_consent_page_is_there_for_those_who_have_left(self, study: Study, writer: Participation) -> None:
        people.leave(participation=writer, reason="Moved abroad.", by=coordinator_of(study))
        client = signed_in(writer.user)
        page = client.get(reverse("consent", args=[study.slug])).content.decode()
        assert "Withdraw my consent" in page
        assert reverse("study", args=[study.slug]) + '"' not in page
        assert self.post(writer, understood="on")[0] == 200
        assert Consent.objects.get(participation=writer).withdrawn_at

    def test_the_consent_page_lets_nobody_agree_who_has_left(self, study: Study) -> None:
        member = a_member(study, Role.WRITER, ready=False)
        people.leave(participation=member, reason="Never came.", by=coordinator_of(study))
        answer = signed_in(member.user).post(reverse("consent", args=[study.slug]), {"agreed": "on"})
        assert answer.status_code == 404
