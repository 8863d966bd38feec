"""A coordinator's study, from an empty design to open judging, by the pages alone."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.coordination.core.checklist import Standing
from annotation.coordination.selectors.checklist import checklist_of
from annotation.coordination.selectors.coordination import overview
from annotation.coordination.selectors.next_action import NextAction, next_action
from annotation.design.selectors.design import preset_values
from annotation.judging.models.judging import JudgingItem
from annotation.people.services import people
from annotation.platform.models.audit import AuditEvent
from annotation.study.models.participation import Role
from annotation.study.models.prompts import Prompt
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm
from annotation.texts.selectors.preflight import preflight
from annotation.texts.services import intake
from annotation.writing.services import writing
from generation.model_steps import model_steps
from tests.clients import signed_in
from tests.factories import (
    a_judging_study,
    a_member,
    a_quarantined_text,
    a_study,
    a_writing_study,
    admit_all,
    an_assembling_study,
    assignments_of,
    coordinator_of,
    locked,
    ready_to_lock,
    researchers_of,
    written,
)
from tests.judging import submitted

pytestmark = pytest.mark.django_db


def client_of(study: Study) -> Client:
    return signed_in(coordinator_of(study))


def post(study: Study, step: str, /, **fields: str) -> Any:
    found = preflight(Study.objects.get(pk=study.pk)) if step == "open_judging" else None
    fields |= {"seen": found.warnings_sha256} if found else {}
    return client_of(study).post(reverse(step, args=[study.slug]), fields, follow=True)


def page_of(study: Study) -> str:
    return client_of(study).get(reverse("study", args=[study.slug])).content.decode()


def a_locked_study() -> Study:
    study = a_study()
    a_member(study, Role.WRITER)
    locked(study)
    study.refresh_from_db()
    return study


def state_of(study: Study) -> str:
    return Study.objects.values_list("state", flat=True).get(pk=study.pk)


def next_of(study: Study) -> NextAction | None:
    return next_action(study, overview(study))


class TestTheWayToJudging:
    def test_the_way_to_judging_leads_from_an_empty_design_to_blinded_items(self) -> None:
        study = a_study(prompts=0)
        for number in (1, 2):
            page = post(study, "add_prompt", domain="BBQ", text=f"When is rule {number} fair?").content.decode()
            assert f"Prompt BBQ_0{number} was added." in page
        a_member(study, Role.WRITER)
        a_member(study, Role.JUDGE)
        ready_to_lock(study)
        assert "Commitment to the seed" in post(study, "lock_design").content.decode()
        assert "2 answers were assigned." in post(study, "assign_writing").content.decode()
        for assignment in assignments_of(study):
            written(assignment)
        for prompt in Prompt.objects.filter(study=study):
            admit_all(prompt, Arm.MODEL, ["family-1"])
        assert "Writing is closed." in post(study, "close_writing").content.decode()
        assert "Writing is open again." in post(study, "resume_writing").content.decode()
        post(study, "close_writing")
        assert (
            "Judging is open: 2 items were assembled."
            in post(study, "open_judging", reason="A test.").content.decode()
        )
        assert state_of(study) == "judging"
        assert JudgingItem.objects.filter(study=study).count() == 2

    @pytest.mark.parametrize(
        ("step", "reason"),
        [
            ("lock_design", "applies only when it is “design”"),
            ("close_writing", "being written at this moment"),
            ("resume_writing", "applies only when it is “assembling”"),
            ("assign_writing", "assigned already"),
            ("open_judging", "applies only when it is “assembling”"),
        ],
    )
    def test_a_step_out_of_turn_is_refused_with_its_reason_on_the_way_to_judging(
        self, step: str, reason: str
    ) -> None:
        study = a_writing_study()
        first = assignments_of(study)[0]
        writing.start(assignment=first, attested=True, by=first.participation.user)
        assert reason in post(study, step).content.decode()
        assert state_of(study) == "writing"

    def test_judging_does_not_open_while_a_text_is_in_quarantine(self) -> None:
        study = an_assembling_study()
        a_member(study, Role.JUDGE)
        text = a_quarantined_text(study)
        assert "1 text in quarantine" in post(study, "open_judging").content.decode()
        intake.decide(stimulus=text, verb="reject", reason="It names a model.", by=coordinator_of(study))
        assert "Judging is open" in post(study, "open_judging", reason="A test.").content.decode()


class TestPeople:
    def test_the_list_of_people_shows_who_lacks_consent_or_profile_and_how_far_everybody_is(self) -> None:
        study = a_writing_study(writers=2, prompts=2)
        written(assignments_of(study)[0])
        a_member(study, Role.JUDGE, ready=False)
        lines = {person.pseudonym: person for person in overview(study).people}
        assert (lines["W-0001"].done, lines["W-0001"].total) == (1, 2)
        assert (lines["W-0002"].done, lines["W-0002"].total) == (0, 2)
        assert not lines["J-0001"].has_consented
        assert lines["C-0001"].is_ready
        assert overview(study).unready == 1

    def test_people_are_counted_by_role_beside_those_who_are_invited(self) -> None:
        study = a_study()
        for role in (Role.WRITER, Role.WRITER, Role.JUDGE):
            a_member(study, role)
        people.invite(
            study=study, email="wilma@example.org", name="Wilma", role=Role.WRITER, by=coordinator_of(study)
        )
        page = overview(study)
        assert page.role_sizes == [("Writers", 2), ("Judges", 1), ("Coordinators", 1)]
        assert page.invitations == 1
        assert reverse("study_people", args=[study.slug]) in page_of(study)


class TestChecklist:
    @pytest.mark.parametrize(
        ("begin", "following"),
        [
            pytest.param(lambda: ready_to_lock(a_study()), ["Invite people", "Lock the design"], id="design"),
            pytest.param(an_assembling_study, ["Look at the texts and open judging"], id="assembling"),
            pytest.param(lambda: a_judging_study(1, 1, 1), ["Judge"], id="judging"),
        ],
    )
    def test_the_checklist_names_what_is_next_from_design_to_release(
        self, begin: Callable[[], Study], following: list[str]
    ) -> None:
        study = begin()
        points = checklist_of(study, overview(study), [])
        found = [point.duty.title for point in points if point.standing == Standing.NEXT]
        assert [title for title in found if title in following] == following
        assert points[-1].duty.title == "Publish a release"

    def test_the_design_is_decided_on_before_people_are_told_of_it_and_unblinders_agreed_on_once_there_are_two(
        self,
    ) -> None:
        study = a_study(prompts=1)
        Study.objects.filter(pk=study.pk).update(**preset_values(study.preset))
        study.refresh_from_db()

        def standing(title: str) -> tuple[Standing, str]:
            points = checklist_of(study, overview(study), [])
            [point] = [point for point in points if point.duty.title == title]
            return point.standing, point.duty.told

        assert checklist_of(study, overview(study), [])[0].duty.title == "Decide on the design"
        assert standing("Decide on the design") == (Standing.NEXT, "what invitations say follows from it")
        study.target_words = 390
        assert standing("Decide on the design") == (Standing.DONE, "1 parameter of its own")
        assert standing("Agree on who unblinds") == (Standing.LATER, "once 2 researchers have joined")
        for _ in range(2):
            a_member(study, Role.RESEARCHER)
        assert standing("Agree on who unblinds") == (Standing.NEXT, "")

    def test_collection_is_to_be_closed_once_what_people_do_is_done(self) -> None:
        study = a_judging_study(1, 1, 1)

        def standing() -> Standing:
            points = checklist_of(study, overview(study), [])
            [found] = [point.standing for point in points if point.duty.title == "Close collection"]
            return found

        assert standing() == Standing.LATER
        for item in JudgingItem.objects.filter(study=study):
            submitted(item)
        assert standing() == Standing.NEXT

    def test_both_roles_first_page_is_the_checklist_with_links_they_may_follow(self) -> None:
        study = ready_to_lock(a_study())
        for person in (coordinator_of(study), researchers_of(study)[0]):
            client = signed_in(person)
            page = client.get(reverse("study", args=[study.slug])).content.decode()
            listed = page.partition('class="checklist"')[2].partition("</ol>")[0]
            assert "Lock the design" in listed
            for address in re.findall(r'href="(/[^"]+)"', listed):
                assert client.get(address).status_code == 200
            assert ('<a href="#step">Lock the design</a>' in listed) is (person == coordinator_of(study))
            assert 'id="step"' in page

    def test_the_card_above_the_checklist_names_what_is_next_beside_its_own_step(self) -> None:
        """Two answers to “what now?” on one page would be one too many."""
        study = ready_to_lock(a_study())
        page = page_of(study)
        card = page.partition('id="step"')[2].partition("</section>")[0]
        points = checklist_of(study, overview(study), model_steps(study))
        following = [point.duty for point in points if point.standing == Standing.NEXT]
        assert [duty.title for duty in following] == [
            "Invite people",
            "Name the models that answer",
            "Lock the design",
        ]
        for duty in following[:-1]:
            assert f'<a href="{reverse(duty.page, args=[study.slug])}">{duty.title.lower()}</a>' in card

    def test_no_text_is_said_to_be_decided_about_before_it_is_there(self) -> None:
        study = a_writing_study()
        points = checklist_of(study, overview(study), [])
        [found] = [point.standing for point in points if point.duty.title == "Decide about texts in quarantine"]
        assert found == Standing.LATER

    def test_nothing_is_said_to_wait_for_the_coordinator_only_where_nothing_does(self) -> None:
        judging = a_judging_study(1, 1, 1)
        for models, said in ((3, "What is left for you is marked"), (0, "Nothing waits for you")):
            Study.objects.filter(pk=judging.pk).update(panel_judge_models=models)
            assert said in page_of(judging)


class TestPrompts:
    def test_prompts_are_counted_by_domain(self) -> None:
        study = a_study(prompts=4)
        assert [(domain.name, domain.prompts) for domain in overview(study).domains] == [
            ("BBQ", 2),
            ("HLE", 1),
            ("MSC", 1),
        ]
        assert overview(study).prompts == 4
        assert reverse("study_prompts", args=[study.slug]) in page_of(study)


def test_a_study_s_page_asks_as_often_for_many_people_as_for_few() -> None:
    few, many = a_writing_study("few", writers=1, prompts=1), a_writing_study("many", writers=5, prompts=6)
    counts = []
    for study in (few, many):
        client = client_of(study)
        with CaptureQueriesContext(connection) as queries:
            client.get(reverse("study", args=[study.slug]))
        counts.append(len(queries))
    assert len(overview(many).members("writer")) == 5
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("step", "begin", "event"),
    [
        ("lock_design", lambda: ready_to_lock(a_study()), "study.lock_design"),
        ("assign_writing", a_locked_study, "writing.assigned"),
        ("close_writing", a_writing_study, "study.close_writing"),
        ("open_judging", an_assembling_study, "study.open_judging"),
    ],
)
def test_a_step_taken_twice_is_taken_once(step: str, begin: Callable[[], Study], event: str) -> None:
    study = begin()
    a_member(study, Role.JUDGE)
    once, again = (post(study, step, reason="A test.") for _ in range(2))
    assert (once.status_code, again.status_code) == (200, 200)
    assert 'role="alert"' not in once.content.decode()
    assert 'role="alert"' in again.content.decode()
    assert AuditEvent.objects.filter(study=study, verb=event).count() == 1
