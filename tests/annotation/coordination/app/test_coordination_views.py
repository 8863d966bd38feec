"""A coordinator's study, from an empty design to open judging, by the pages alone."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.assignment.services import designing
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
from generation.catalogue.services import templates
from generation.model_steps import model_steps
from tests.clients import signed_in
from tests.factories import (
    a_judged_study,
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


class TestNextAction:
    @pytest.mark.parametrize("prompts", [1, 2])
    def test_the_next_action_in_design_asks_for_more_prompts_than_calibration_takes(self, prompts: int) -> None:
        action = next_of(ready_to_lock(a_study(prompts=prompts, quality_floor_prompts=1)))
        assert action
        assert action.verb == "lock_design"
        assert action.final
        assert bool(action.obstacles) == (prompts == 1)

    def test_the_next_action_in_design_says_how_many_prompts_are_enough(self) -> None:
        study = ready_to_lock(a_study(prompts=0, quality_floor_prompts=1, source_attribution_prompts=1))
        action = next_of(study)
        assert action
        assert action.obstacles == [
            "Calibration takes 2 prompts, so the study needs at least 3. It has none so far."
        ]

    def test_the_next_action_in_design_says_what_is_missing_of_unblinders(self) -> None:
        study = a_study()
        action = next_of(study)
        assert action
        assert [said.partition(" must accept")[0] for said in action.obstacles] == ["At least 2 researchers"]
        assert any("No third person is named" in str(said) for said in action.waits)
        action = next_of(ready_to_lock(study))
        assert action
        assert (list(action.obstacles), list(action.waits)) == ([], [])

    def test_the_next_action_after_design_needs_enough_writers(self) -> None:
        study = a_study(answers_per_prompt=2)
        a_member(study, Role.WRITER)
        locked(study)
        study.refresh_from_db()
        action = next_of(study)
        assert action
        assert action.verb == "assign_writing"
        assert action.obstacles == ["Each prompt takes 2 answers. Joined so far: 1 writer."]
        a_member(study, Role.WRITER)
        action = next_of(study)
        assert action
        assert not action.obstacles

    def test_the_next_action_after_design_needs_a_writer_where_every_writer_answers_every_prompt(self) -> None:
        study = a_study(every_writer_answers_every_prompt=True)
        locked(study)
        study.refresh_from_db()
        action = next_of(study)
        assert action
        assert action.obstacles == ["Every writer answers every prompt, and no writer has joined so far."]

    def test_a_final_step_says_before_what_does_not_fit_and_asks_to_go_on_all_the_same(self) -> None:
        study = ready_to_lock(a_study(ratings_per_prompt=2, human_sets=Study.HumanSets.FIXED))
        assert 'id="go-on"' not in page_of(study)
        a_member(study, Role.JUDGE)
        action = next_of(study)
        assert action
        assert not action.obstacles
        said = "2 ratings of each prompt need at least 2 judges; there is 1 judge."
        assert [str(wait) for wait in action.waits] == [said]
        page = page_of(study)
        assert page.index(said) < page.index("Go on although")
        assert '<input type="checkbox" id="go-on" required>' in page
        locked(study)
        a_member(study, Role.WRITER)
        study.refresh_from_db()
        action = next_of(study)
        assert action
        assert (action.verb, [*map(str, action.waits)]) == ("assign_writing", [said])

    def test_before_the_lock_lengths_that_models_and_writers_are_told_apart_are_named_and_led_to(self) -> None:
        study = ready_to_lock(a_study(target_words=100, target_words_low=90, target_words_high=110))
        own, by = "{prompt} Aim at 400 words.", coordinator_of(study)
        templates.save_template(study=study, name="answer", text=own, origin="A paper", by=by)
        page = page_of(study)
        assert "Writers aim at 100 words; models are told to stay under 440." in page
        assert f'href="{reverse("design_section", args=[study.slug, "models"])}#id_model_word_limit"' in page
        assert "The wording “Answer to a prompt” tells models 400 words; writers aim at 100." in page
        wording = reverse("template_edit", args=[study.slug, "answer"])
        assert f'href="{wording}"' in page
        assert "tells models 400 words" in signed_in(coordinator_of(study)).get(wording).content.decode()

    def test_the_next_action_counts_only_writers_who_are_here_when_it_assigns_writing(self) -> None:
        study = ready_to_lock(a_study(every_writer_answers_every_prompt=True, answers_per_prompt=2))
        a_member(study, Role.WRITER)
        people.invite(study=study, email="w@example.org", name="W", role=Role.WRITER, by=coordinator_of(study))
        action = next_of(study)
        assert action
        assert [wait for wait in action.waits if "merely invited" not in str(wait)] == [], (
            "one is here and one is invited"
        )
        assert "1 of 5 people are merely invited and have not joined: W." in action.waits
        page = signed_in(coordinator_of(study)).get(reverse("study", args=[study.slug])).content.decode()
        assert re.search(r'tag-warning">To check</span>\s+1 of 5 people are merely invited', page)
        designing.lock_design(study=study, by=coordinator_of(study))
        study.refresh_from_db()
        action = next_of(study)
        assert action
        assert [str(wait) for wait in action.waits] == [
            "Waiting for 1 invited person to join",
            "1 writer gives 1 answer to each prompt; the design says 2.",
        ]

    def test_the_next_action_says_what_a_final_step_amounts_to(self) -> None:
        terms: dict[str, Any] = {
            "writing_minutes": 40,
            "minutes_per_item": 20,
            "fee_per_answer": 10,
            "fee_per_item": "2.50",
        }
        study = ready_to_lock(a_study(prompts=3, **terms))
        words = re.sub(r"\s+", " ", page_of(study))
        assert "3, with 3 answers and 3 ratings" in words
        assert "3 answers, up to 2 h" in words  # 3 · 40 minutes
        assert "3 items, up to 1 h" in words  # 3 · 20 minutes
        assert "37.50 EUR" in words  # 3 · 10 + 3 · 2.50

    def test_closing_writing_waits_for_answers_without_their_standing_in_the_way(self) -> None:
        action = next_of(a_writing_study(prompts=3))
        assert action
        assert (action.verb, action.final) == ("close_writing", False)
        assert action.waits == ["Waiting for 3 of 3 answers"]
        assert not action.obstacles

    def test_the_next_action_is_not_announced_before_what_waits_until_every_answer_is_in(self) -> None:
        study = a_writing_study()
        a_quarantined_text(study)
        a_member(study, Role.JUDGE, ready=False)
        page = page_of(study)
        assert "Writing is under way" in page
        assert "Your next step: close writing" not in page
        for waits in ("1 text in quarantine", "1 person cannot begin", "Waiting for"):
            assert page.index(waits) < page.index(">Close writing<"), waits
        assert f'<a href="{reverse("study_people", args=[study.slug])}">See why</a>' in page
        for assignment in assignments_of(study):
            written(assignment)
        assert "Your next step: close writing" in page_of(study)

    def test_the_overview_counts_answers_that_are_missing_and_those_being_written(self) -> None:
        study = a_writing_study(prompts=3)
        first = assignments_of(study)[0]
        assert overview(study).writing.note == "3 missing"
        writing.start(assignment=first, attested=True, by=first.participation.user)
        assert overview(study).writing.note == "3 missing, 1 of them begun"

    def test_closing_writing_is_hindered_while_somebody_writes(self) -> None:
        study = a_writing_study()
        first = assignments_of(study)[0]
        writing.start(assignment=first, attested=True, by=first.participation.user)
        action = next_of(study)
        assert action
        assert action.obstacles == ["1 answer being written at this moment."]

    def test_opening_judging_needs_every_text_and_enough_judges(self) -> None:
        study = an_assembling_study(ratings_per_prompt=2)
        a_member(study, Role.JUDGE)
        a_quarantined_text(study)
        action = next_of(study)
        assert action
        assert (action.verb, action.final) == ("open_judging", True)
        assert any(re.match(r"\d prompts? (is|are) not ready: the table below", each) for each in action.obstacles)
        assert len(action.obstacles) == 2

    def test_next_actions_end_with_judging(self) -> None:
        assert next_of(a_judging_study(1, 1, 1)) is None

    def test_the_coordinator_is_told_whether_items_are_still_missing_before_a_researcher_closes(self) -> None:
        assert "Judging is under way" in page_of(a_judging_study(1, 1, 1))

    def test_the_coordinator_is_told_that_every_item_is_submitted(self) -> None:
        page = page_of(a_judged_study(1, 1, 1))
        assert "Every item is submitted" in page
        assert "Judging is under way" not in page

    @pytest.mark.parametrize("final", [True, False])
    def test_the_next_action_is_confirmed_where_it_cannot_be_undone(self, final: bool) -> None:
        study = ready_to_lock(a_study()) if final else a_writing_study()
        assert ("This cannot be undone." in page_of(study)) == final

    def test_the_next_action_shows_no_button_while_something_stands_in_the_way(self) -> None:
        study = a_study(prompts=1, quality_floor_prompts=1)
        page = page_of(study)
        assert "Before the design can be locked" in page
        assert "Your next step" not in page
        assert reverse("lock_design", args=[study.slug]) not in page

    def test_the_next_action_is_the_only_primary_button_of_the_page(self) -> None:
        page = page_of(ready_to_lock(a_study())).partition("<main")[2]
        primary = re.findall(r'class="([^"]*button-primary[^"]*)"', page)
        assert [classes for classes in primary if "button-danger" not in classes] == ["button button-primary"]


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
