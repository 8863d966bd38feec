"""Where people arrive: their studies, each study as their role sees it, and the administrators' page."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse
from django.utils import timezone

from annotation.judging.models.judging import JudgingItem
from annotation.judging.services import judging
from annotation.people.selectors.own_studies import studies_of
from annotation.people.services import members
from annotation.platform.models.users import User
from annotation.study.models.participation import Consent, Participation, Role
from annotation.study.models.studies import Study
from annotation.writing.models import WritingAssignment
from annotation.writing.services import writing
from tests.clients import signed_in, without_tokens
from tests.factories import (
    a_closed_study,
    a_judging_study,
    a_member,
    a_person,
    a_study,
    a_writing_study,
    agree,
    an_unblinded_study,
    assignments_of,
    coordinator_of,
    judging_items_of,
    members_of,
    researchers_of,
    scored,
    written,
)
from tests.generation.calls.model_runs import a_target, planned
from tests.judging import submit
from tests.pages import without_markup

pytestmark = pytest.mark.django_db

NEW_STUDY = {
    "title": "A new study",
    "slug": "new",
    "preset": "pilot",
    "coordinator_name": "Nora New",
    "coordinator_email": "nora@example.org",
}


def page(person: User, name: str, *arguments: object) -> str:
    return without_tokens(signed_in(person).get(reverse(name, args=arguments)).content.decode())


def study_page(member: Participation) -> str:
    return page(member.user, "study", member.study.slug)


def waits_for(member: Participation) -> str:
    [line] = studies_of(member.user)
    return line.pending_work


class TestArriving:
    @override_settings(DEMO_MODE=False)
    def test_a_visitor_is_told_what_this_is_and_how_to_sign_in(self, client: Client) -> None:
        welcome = client.get(reverse("home")).content.decode()
        assert reverse("account_login") in welcome
        assert "Writers" in welcome

    @override_settings(DEMO_MODE=True)
    def test_a_visitor_of_a_demonstration_is_led_to_its_people(self, client: Client) -> None:
        assert client.get(reverse("home"))["Location"] == reverse("demo_people")

    def test_somebody_with_one_study_is_led_to_it(self) -> None:
        study = a_study()
        answer = signed_in(coordinator_of(study)).get(reverse("home"))
        assert answer["Location"] == reverse("study", args=[study.slug])

    def test_somebody_with_several_studies_gets_the_list(self) -> None:
        one, other = a_study("one"), a_study("other")
        found = page(coordinator_of(one), "home")
        assert reverse("study", args=[one.slug]) in found
        assert reverse("study", args=[other.slug]) in found

    def test_somebody_without_a_study_is_told_what_to_wait_for(self) -> None:
        assert "You take part in no study yet" in page(a_person(), "home")

    def test_an_administrator_without_a_study_is_led_to_administration(self) -> None:
        answer = signed_in(a_person(is_staff=True)).get(reverse("home"))
        assert answer["Location"] == reverse("administration")

    def test_somebody_who_has_left_finds_their_data_and_no_study(self) -> None:
        writer, coordinator = (
            a_member(a_study(slug), role) for slug, role in (("trial", Role.WRITER), ("other", Role.COORDINATOR))
        )
        Participation.objects.filter(pk__in=(writer.pk, coordinator.pk)).update(left_at=timezone.now())
        assert "Your consent, receipts and data" in page(writer.user, "home")
        assert signed_in(writer.user).get(reverse("study", args=["trial"])).status_code == 302
        assert signed_in(coordinator.user).get(reverse("study", args=["other"])).status_code == 404


class TestWhatWaits:
    def test_what_waits_for_somebody_new_is_consent(self) -> None:
        assert "consent" in waits_for(a_member(a_study(), Role.JUDGE, ready=False))

    def test_what_waits_for_a_writer_is_counted_down(self) -> None:
        study = a_writing_study(prompts=2)
        [writer] = members_of(study, Role.WRITER)
        first, second = assignments_of(study)
        assert waits_for(writer) == "2 of 2 answers left to write"
        written(first)
        assert waits_for(writer) == "1 of 2 answers left to write"
        written(second)
        assert waits_for(writer) == "Nothing to do: 2 answers handed in"

    def test_what_waits_for_a_judge_is_counted_down(self) -> None:
        study = a_judging_study(1, 1, 1, prompts=1, guess_items=0)
        [judge] = members_of(study, Role.JUDGE)
        [item] = judging_items_of(study)
        assert waits_for(judge) == "1 of 1 item left to judge"
        submit(scored(item, A=7, B=5))
        assert waits_for(judge) == "Nothing to do: 1 item handed in"

    def test_what_waits_for_a_writer_without_prompts_is_nothing_yet(self) -> None:
        assert waits_for(a_member(a_study(), Role.WRITER)) == "Nothing to write yet"

    def test_what_waits_for_those_who_run_a_study_follows_its_state(self) -> None:
        study = a_closed_study(1, 1, 1)
        first, _ = researchers_of(study)
        assert [line.pending_work for line in studies_of(coordinator_of(study))] == [
            "Nothing to do: researchers decide about unblinding"
        ]
        assert [line.pending_work for line in studies_of(first)] == [
            "Unblind the study, together with a second researcher"
        ]

    def test_what_waits_is_asked_as_often_for_many_studies_as_for_one(self) -> None:
        counts = []
        for slug in ("one", "two"):
            person = a_member(a_study(slug), Role.WRITER, a_person("Wilma")).user
            with CaptureQueriesContext(connection) as queries:
                studies_of(person)
            counts.append(len(queries))
        assert counts[0] == counts[1]


class TestWriter:
    def test_a_writer_is_led_to_the_next_prompt(self) -> None:
        study = a_writing_study(prompts=3)
        first, second, _ = assignments_of(study)
        written(first)
        found = study_page(first.participation)
        assert reverse("writing_start", args=[second.pk]) in found
        assert reverse("writing_receipt", args=[first.pk]) in found
        assert "1 of 3" in found

    def test_a_writer_is_led_back_to_an_answer_that_is_being_written(self) -> None:
        first, second = assignments_of(a_writing_study())
        writing.start(assignment=second, attested=True, by=second.participation.user)
        found = study_page(second.participation)
        assert reverse("writing_room", args=[second.pk]) in found
        assert reverse("writing_start", args=[first.pk]) not in found

    def test_a_writer_is_asked_for_consent_then_for_the_profile_before_anything_can_be_started(self) -> None:
        study = a_writing_study()
        first = assignments_of(study)[0]
        writer = first.participation
        writer.consent.delete()
        asked_for_consent = study_page(writer)
        assert reverse("consent", args=[study.slug]) in asked_for_consent
        assert reverse("writing_start", args=[first.pk]) not in asked_for_consent
        agree(Participation.objects.get(pk=writer.pk))
        writer.profile.delete()
        assert reverse("profile", args=[study.slug]) in study_page(writer)

    def test_a_writer_is_told_when_a_break_is_due(self) -> None:
        study = a_writing_study(prompts=2, prompts_per_session=1, break_minutes=15)
        first, second = assignments_of(study)
        written(first)
        found = study_page(first.participation)
        assert "Please take a break" in found
        assert reverse("writing_start", args=[second.pk]) not in found

    def test_a_writer_is_thanked_at_the_end(self) -> None:
        study = a_writing_study(prompts=1)
        [only] = assignments_of(study)
        written(only)
        assert "That was all." in study_page(only.participation)

    def test_a_writer_sees_an_answer_whose_time_ran_out_with_its_receipt(self) -> None:
        study = a_writing_study(prompts=1)
        [only] = assignments_of(study)
        WritingAssignment.objects.filter(pk=only.pk).update(state="lapsed")
        found = study_page(only.participation)
        assert "Time ran out" in found
        assert reverse("writing_receipt", args=[only.pk]) in found

    def test_a_writer_never_reads_a_prompt_s_code_or_domain(self) -> None:
        study = a_writing_study(prompts=3)
        found = study_page(members_of(study, Role.WRITER)[0])
        assert not re.search("BBQ|HLE|MSC", found)


class TestJudge:
    def test_a_judge_is_led_to_the_next_item(self) -> None:
        study = a_judging_study(1, 1, 1, prompts=3)
        first, second, _ = judging_items_of(study)
        submit(scored(first, A=7, B=5))
        scored(second, A=6)
        found = study_page(first.participation)
        assert "You are judging item 2" in found
        assert "5 of 10 scores are given and saved." in found
        assert reverse("judging_receipt", args=[first.pk]) in found
        assert "1 of 3" in found

    def test_a_judge_reads_in_which_zone_an_item_was_left_lying(self) -> None:
        study = a_judging_study(1, 1, 1)
        item = judging_items_of(study)[0]
        scored(item, A=6)
        JudgingItem.objects.filter(pk=item.pk).update(state="lapsed")
        found = without_markup(study_page(item.participation))
        assert "is waiting for you" in found
        assert re.search(r"not touched since \d+ \w+, \d\d:\d\d \([\w/]+\)\. Nothing is lost", found)

    def test_a_judge_is_asked_for_consent_before_any_item(self) -> None:
        study = a_judging_study(1, 1, 1)
        [judge] = members_of(study, Role.JUDGE)
        judge.consent.delete()
        found = study_page(judge)
        assert reverse("consent", args=[study.slug]) in found
        assert not any(reverse("judging_item", args=[item.pk]) in found for item in judging_items_of(study))

    def test_the_zone_of_a_judges_times_stands_below_their_items_once_there_is_a_time(self) -> None:
        study = a_judging_study(1, 1, 1)
        [judge] = members_of(study, Role.JUDGE)
        assert "Times are shown in" not in study_page(judge).partition("Your items")[2]
        [item, *_] = judging_items_of(study)
        judging.submit_item(item_id=scored(item, A=7, B=5).pk, by=judge.user)
        assert f"Times are shown in {judge.user.time_zone}." in study_page(judge).partition("Your items")[2]

    def test_a_judge_is_told_when_judging_is_over(self) -> None:
        study = a_closed_study(1, 1, 1)
        found = study_page(members_of(study, Role.JUDGE)[0])
        assert "Judging is closed." in found

    def test_a_judge_never_reads_a_prompt_s_code_or_what_an_item_is_for(self) -> None:
        study = a_judging_study(1, 1, 1, prompts=4, quality_floor_prompts=1, source_attribution_prompts=1)
        found = study_page(members_of(study, Role.JUDGE)[0])
        assert not re.search("BBQ|HLE|MSC|calibration|floor|attribution|family-", found, re.IGNORECASE)


class TestEveryPageOfASyntheticStudy:
    @pytest.fixture
    def study(self) -> Study:
        study = an_unblinded_study(1, 1, 1)
        Study.objects.filter(pk=study.pk).update(is_synthetic=True)
        return study

    @pytest.mark.parametrize("role", [Role.WRITER, Role.JUDGE, Role.COORDINATOR, Role.RESEARCHER])
    def test_every_page_of_a_synthetic_study_says_so_to_every_role(self, study: Study, role: Role) -> None:
        assert ">Synthetic<" in study_page(members_of(study, role)[0])

    def test_a_synthetic_study_says_so_beside_texts_and_results(self, study: Study) -> None:
        assert ">Synthetic<" in page(coordinator_of(study), "texts", study.slug)
        assert ">Synthetic<" in page(researchers_of(study)[0], "results", study.slug)

    def test_a_synthetic_study_says_so_beside_a_run(self) -> None:
        study = a_writing_study(is_synthetic=True)
        a_target(study)
        assert ">Synthetic<" in page(coordinator_of(study), "run", planned(study).pk)

    def test_pages_of_other_studies_do_not_call_them_synthetic(self) -> None:
        study = a_writing_study()
        assert ">Synthetic<" not in study_page(members_of(study, Role.WRITER)[0])


class TestNavigation:
    @staticmethod
    def entries(person: User, url: str) -> list[tuple[str, bool]]:
        """Labels of the main navigation, and whether each is the current one."""
        found = signed_in(person).get(url).context["site_nav"]
        return [(entry.label, entry.current) for entry in found]

    def test_navigation_leads_people_to_their_studies(self) -> None:
        assert self.entries(a_person(), reverse("home")) == [("Studies", True)]

    def test_navigation_leads_administrators_to_administration_too(self) -> None:
        administrator = a_person(is_staff=True)
        expected = [("Studies", False), ("Administration", True)]
        assert self.entries(administrator, reverse("administration")) == expected

    def test_navigation_shows_that_a_room_belongs_to_a_study(self) -> None:
        first = assignments_of(a_writing_study())[0]
        url = reverse("writing_start", args=[first.pk])
        assert self.entries(first.participation.user, url) == [("Studies", True)]

    def test_navigation_is_empty_for_visitors(self, client: Client) -> None:
        assert client.get(reverse("account_login")).context["site_nav"] == []


class TestAboutTheStudy:
    @pytest.mark.parametrize("role", [Role.WRITER, Role.JUDGE])
    def test_the_page_about_a_study_names_day_fee_consent_profile_and_coordinator(self, role: Role) -> None:
        study = a_study(
            fee_per_answer="12.50", fee_per_item=9, writing_due_on="2027-03-01", judging_due_on="2027-04-02"
        )
        member = a_member(study, role)
        words = study_page(member)
        own, others = ("1 March 2027", "12.50 EUR"), ("2 April 2027", "9.00 EUR")
        if role == Role.JUDGE:
            own, others = others, own
        assert all(said in words for said in own)
        assert not any(said in words for said in others)
        for name in ("consent", "profile"):
            assert f'href="{reverse(name, args=[study.slug])}"' in words
        coordinator = coordinator_of(study)
        assert f"{coordinator.name}, coordinator" in words
        assert f'href="mailto:{coordinator.email}"' in words

    def test_the_page_about_a_study_names_nobody_who_has_left_and_no_day_or_fee_that_is_not_set(self) -> None:
        study = a_study()
        gone = a_member(study, Role.COORDINATOR, a_person("Gone Away"))
        Participation.objects.filter(pk=gone.pk).update(left_at=timezone.now())
        words = study_page(a_member(study, Role.WRITER))
        assert "About this study" in words
        assert "Cora Coordinator, coordinator" in words
        assert not any(said in words for said in ("Gone Away", "Due on", "Fee for"))


class TestWithdrawn:
    @pytest.mark.parametrize("role", [Role.WRITER, Role.JUDGE])
    def test_somebody_who_withdrew_is_told_so_and_asked_for_nothing(self, role: Role) -> None:
        member = a_member(a_study(), role)
        members.withdraw_consent(participation=member, by=member.user)
        day = timezone.localtime(Consent.objects.get(participation=member).withdrawn_at)
        words = study_page(member)
        told = f"You withdrew your consent on {day:%-d %B %Y}. Nothing more is asked of you."
        assert told in words
        for asks in (
            "Before you begin",
            "Read the consent form",
            "come back when",
            "That was all",
            "withdrawing it",
        ):
            assert asks not in words
        assert waits_for(member) == told
        assert "About this study" in words

    def test_a_writer_who_withdrew_with_prompts_left_is_not_led_to_them(self) -> None:
        study = a_writing_study(prompts=2)
        [writer] = members_of(study, Role.WRITER)
        assert reverse("writing_start", args=[assignments_of(study)[0].pk]) in study_page(writer)
        members.withdraw_consent(participation=writer, by=writer.user)
        assert "Prepare to write" not in study_page(writer)
        assert reverse("writing_start", args=[assignments_of(study)[0].pk]) not in study_page(writer)
