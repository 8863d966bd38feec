"""From the last judgment to known sources: closing, and unblinding by two people."""

import hashlib
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from analysis.ceremony.models import UnblindingRequest
from analysis.ceremony.selectors.ceremony import closing
from analysis.ceremony.services import ceremony
from analysis.data.core.judgment_frame import csv_bytes
from analysis.frozen.selectors.judgments import masked_judgments
from analysis.release.services import releases
from analysis.report.models import AnalysisRun
from annotation.judging.models.judging import JudgingItem, RankedSlot, Score
from annotation.judging.services import judging
from annotation.people.services import people
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit import AuditEvent
from annotation.platform.models.users import User
from annotation.study.models.participation import Consent, Role
from annotation.study.models.studies import Study
from annotation.texts.models.seeds import StudySeed
from tests.ceremony import a_prepared_release, asked, labels_swapped, prepared, state_of
from tests.clients import signed_in
from tests.factories import (
    a_closed_study,
    a_judged_study,
    a_judging_study,
    a_member,
    a_person,
    an_unblinded_study,
    coordinator_of,
    judging_items_of,
    members_of,
    researchers_of,
    scored,
)

pytestmark = pytest.mark.django_db
WHY_NOT = "A judge is still ill."


def approve(request: UnblindingRequest, by: User) -> UnblindingRequest:
    return ceremony.decide_unblinding(request=request, approve=True, by=by)


def score_changed(study: Study) -> None:
    score = Score.objects.filter(slot__item__study=study).order_by("pk")[0]
    Score.objects.filter(pk=score.pk).update(value=score.value - 1)


def rank_changed(study: Study) -> None:
    ranked = RankedSlot.objects.filter(slot__item__study=study).order_by("pk")[0]
    RankedSlot.objects.filter(pk=ranked.pk).update(rank=ranked.rank + 1)


def justification_changed(study: Study) -> None:
    JudgingItem.objects.filter(study=study).update(justification="I have thought again.")


class TestClosing:
    def test_closing_freezes_every_submitted_judgment_under_the_hash_of_the_masked_file(self) -> None:
        study = a_judged_study(2, 2, 2, prompts=3)
        first, _ = researchers_of(study)
        frozen = ceremony.close_study(study=study, by=first, despite_missing=True)
        assert frozen.rows == 2 * 3 * 4  # judges × prompts × answers
        assert frozen.sha256 == hashlib.sha256(csv_bytes(masked_judgments(study))).hexdigest()
        study.refresh_from_db()
        assert study.state == "closed"

    def test_closing_is_refused_while_items_are_missing_and_names_how_many(self) -> None:
        study = a_judging_study(1, 1, 2, prompts=2)
        researcher = a_member(study, Role.RESEARCHER).user
        judged, *_ = judging_items_of(study)
        judging.submit_item(item_id=scored(judged, A=7, B=5).pk, by=judged.participation.user)
        before = state_of(study)
        with pytest.raises(Refused, match="3 items not submitted"):
            ceremony.close_study(study=study, by=researcher)
        assert state_of(study) == before

    def test_closing_asks_before_it_ends_promised_time_to_take_back_and_guesses(self) -> None:
        """Every item is submitted, a moment ago, and no judge has guessed."""
        study = a_judged_study(2, 2, 2, prompts=3, guess_items=1, reopen_minutes=10)
        researcher, _ = researchers_of(study)
        found = closing(study)
        assert (found.judging.missing, found.guessing.missing, len(found.returns)) == (0, 2, 2)
        with pytest.raises(
            Refused, match=r"2 judges have not guessed .*; 2 judges may still take the last item back"
        ):
            ceremony.close_study(study=study, by=researcher)
        page = signed_in(researcher).get(reverse("close_study", args=[study.slug])).content.decode()
        assert found.returns[0].judge in page
        assert "Promised time to take an item back" in page
        assert "No judgment would be left out." in page
        assert "Nothing would be left out." not in page

    def test_nobody_who_has_left_is_promised_time_to_take_an_item_back(self) -> None:
        study = a_judged_study(2, 2, 2, prompts=3, guess_items=1, reopen_minutes=10)
        gone, stays = members_of(study, Role.JUDGE)
        people.leave(participation=gone, reason="No time.", by=coordinator_of(study))
        assert [each.judge for each in closing(study).returns] == [stays.pseudonym]

    def test_closing_asks_nothing_once_time_to_take_back_is_over_and_all_have_guessed(self) -> None:
        study = a_judged_study(2, 2, 2, prompts=3, guess_items=0, reopen_minutes=0)
        assert closing(study).costs == ()
        assert ceremony.close_study(study=study, by=researchers_of(study)[0])

    def test_closing_despite_missing_items_leaves_them_out_of_the_data(self) -> None:
        study = a_judging_study(1, 1, 2, prompts=2)
        researcher = a_member(study, Role.RESEARCHER).user
        judged, begun, *_ = judging_items_of(study)
        judging.submit_item(item_id=scored(judged, A=7, B=5).pk, by=judged.participation.user)
        scored(begun, A=9, B=9)
        frozen = ceremony.close_study(study=study, by=researcher, despite_missing=True)
        assert frozen.rows == 2
        assert set(masked_judgments(study)["prompt_id"]) == {judged.prompt.code}
        assert AuditEvent.objects.get(verb="study.frozen").detail["missing_items"] == 3

    def test_closing_needs_a_judgment(self) -> None:
        study = a_judging_study(1, 1, 1)
        researcher = a_member(study, Role.RESEARCHER).user
        with pytest.raises(Refused, match="no judgment to freeze"):
            ceremony.close_study(study=study, by=researcher, despite_missing=True)
        assert state_of(study)[0] == "judging"

    def test_closing_happens_once(self) -> None:
        study = a_closed_study(1, 1, 1)
        with pytest.raises(Refused):
            ceremony.close_study(study=study, by=researchers_of(study)[1])

    def test_closing_ends_judging(self) -> None:
        study = a_judging_study(1, 1, 1, prompts=2)
        researcher = a_member(study, Role.RESEARCHER).user
        judged, late = judging_items_of(study)
        judging.submit_item(item_id=scored(judged, A=7, B=5).pk, by=judged.participation.user)
        ceremony.close_study(study=study, by=researcher, despite_missing=True)
        with pytest.raises(Refused, match="closed"):
            judging.open_item(item=late, by=late.participation.user)


class TestAsking:
    def test_asking_for_unblinding_needs_a_closed_study(self) -> None:
        study = a_judged_study(1, 1, 1)
        with pytest.raises(PermissionDenied, match="once the study is closed"):
            asked(study)

    def test_asking_for_unblinding_needs_a_reason(self) -> None:
        study = a_closed_study(1, 1, 1)
        with pytest.raises(Refused, match="Say why"):
            ceremony.request_unblinding(study=study, reason=" \n ", by=researchers_of(study)[0])

    def test_asking_for_unblinding_happens_once_until_it_is_declined(self) -> None:
        study = a_closed_study(1, 1, 1)
        request = asked(study)
        with pytest.raises(Refused, match="asked for already"):
            asked(study)
        ceremony.decide_unblinding(request=request, approve=False, by=researchers_of(study)[1], reason=WHY_NOT)
        assert asked(study).decision == "open"


class TestDeciding:
    @pytest.fixture
    def study(self) -> Study:
        return a_closed_study(2, 2, 2, prompts=3)

    def test_unblinding_by_the_person_who_asked_is_refused(self, study: Study) -> None:
        request = asked(study)
        before = state_of(study)
        with pytest.raises(PermissionDenied, match="another researcher"):
            approve(request, by=researchers_of(study)[0])
        assert state_of(study) == before

    def test_unblinding_by_the_person_who_asked_is_refused_by_the_database(self, study: Study) -> None:
        request = asked(study)
        with pytest.raises(IntegrityError, match="unblinding_needs_a_second_person"), transaction.atomic():
            UnblindingRequest.objects.filter(pk=request.pk).update(
                decision="approved", decided_at=timezone.now(), decided_by=request.requested_by
            )

    def test_unblinding_without_a_person_is_refused_by_the_database(self, study: Study) -> None:
        request = asked(study)
        with pytest.raises(IntegrityError, match="unblinding_decision_has_a_person"), transaction.atomic():
            UnblindingRequest.objects.filter(pk=request.pk).update(decision="approved")

    def test_unblinding_by_a_second_researcher_reveals_the_seed_behind_the_commitment(self, study: Study) -> None:
        approve(asked(study), by=researchers_of(study)[1])
        study.refresh_from_db()
        kept = StudySeed.objects.get(study=study)
        assert study.state == "unblinded"
        assert kept.revealed_at
        assert hashlib.sha256(bytes(kept.seed)).hexdigest() == kept.commitment
        assert AuditEvent.objects.get(verb="study.unblind").detail["seed"] == bytes(kept.seed).hex()

    def test_a_declined_request_reveals_nothing(self, study: Study) -> None:
        ceremony.decide_unblinding(request=asked(study), approve=False, by=researchers_of(study)[1], reason=WHY_NOT)
        study.refresh_from_db()
        assert study.state == "closed"
        assert StudySeed.objects.get(study=study).revealed_at is None

    def test_declining_takes_a_reason_which_is_kept(self, study: Study) -> None:
        request, decliner = asked(study), researchers_of(study)[1]
        with pytest.raises(Refused, match="Say why"):
            ceremony.decide_unblinding(request=request, approve=False, by=decliner, reason=" \n ")
        ceremony.decide_unblinding(request=request, approve=False, by=decliner, reason=WHY_NOT)
        assert UnblindingRequest.objects.get().decline_reason == WHY_NOT
        assert AuditEvent.objects.get(verb="unblinding.declined").detail["reason"] == WHY_NOT

    def test_deciding_about_unblinding_happens_once(self, study: Study) -> None:
        request = asked(study)
        ceremony.decide_unblinding(request=request, approve=False, by=researchers_of(study)[1], reason=WHY_NOT)
        with pytest.raises(Refused, match="has been decided"):
            approve(request, by=researchers_of(study)[1])

    @pytest.mark.parametrize("tamper", [score_changed, rank_changed, justification_changed, labels_swapped])
    def test_unblinding_is_refused_once_the_frozen_data_have_changed(
        self, study: Study, tamper: Callable[[Study], object]
    ) -> None:
        request = asked(study)
        before = state_of(study)
        tamper(study)
        with pytest.raises(Refused, match="no longer those that were frozen"):
            approve(request, by=researchers_of(study)[1])
        assert state_of(study) == before

    def test_unblinding_names_labels_that_were_altered_before_the_data_were_frozen(self) -> None:
        study = a_judged_study(2, 2, 2, prompts=3)
        item = labels_swapped(study)
        first, second = researchers_of(study)
        ceremony.close_study(study=study, by=first, despite_missing=True)
        before_asking = state_of(study)
        request = asked(study)
        named = f"Judge {item.participation.pseudonym}, prompt {item.prompt.code}: label A, B"
        with pytest.raises(Refused, match=named):
            approve(request, by=second)
        assert state_of(study)[:3] == before_asking[:3]

    def test_unblinding_is_refused_with_another_seed_than_the_one_that_was_promised(self, study: Study) -> None:
        request = asked(study)
        StudySeed.objects.filter(study=study).update(seed=bytes(32))
        with pytest.raises(Refused, match="does not match its commitment"):
            approve(request, by=researchers_of(study)[1])


class TestWhoMay:
    """Only researchers of the study; anybody else is turned away and nothing is changed."""

    OTHERS = ("writer", "judge", "coordinator", "researcher elsewhere", "administrator")

    @pytest.fixture
    def study(self) -> Study:
        return a_closed_study(1, 1, 1)

    @staticmethod
    def somebody(study: Study, who: str) -> User:
        if who == "coordinator":
            return coordinator_of(study)
        if who in ("writer", "judge"):
            return members_of(study, Role(who))[0].user
        if who == "researcher elsewhere":
            elsewhere = a_judging_study(1, 1, 1, slug="elsewhere")
            return a_member(elsewhere, Role.RESEARCHER).user
        return a_person("Ada Administrator", is_staff=True)

    @pytest.mark.parametrize("who", OTHERS)
    def test_nobody_but_the_studys_researchers_closes_it(self, who: str) -> None:
        study = a_judged_study(1, 1, 1)
        before = state_of(study)
        with pytest.raises(PermissionDenied):
            ceremony.close_study(study=study, by=self.somebody(study, who))
        assert state_of(study) == before

    @pytest.mark.parametrize("who", OTHERS)
    def test_nobody_but_the_studys_researchers_asks_for_unblinding(self, study: Study, who: str) -> None:
        before = state_of(study)
        with pytest.raises(PermissionDenied):
            ceremony.request_unblinding(study=study, reason="I am curious.", by=self.somebody(study, who))
        assert state_of(study) == before

    @pytest.mark.parametrize("who", OTHERS)
    def test_nobody_but_the_studys_researchers_decides_about_unblinding(self, study: Study, who: str) -> None:
        request = asked(study)
        before = state_of(study)
        with pytest.raises(PermissionDenied):
            approve(request, by=self.somebody(study, who))
        assert state_of(study) == before

    @pytest.mark.parametrize("who", OTHERS)
    def test_nobody_but_the_studys_researchers_prepares_a_release(self, who: str) -> None:
        study = an_unblinded_study(1, 1, 1)
        before = state_of(study)
        with pytest.raises(PermissionDenied):
            releases.prepare_release(study=study, k=5, by=self.somebody(study, who))
        assert state_of(study) == before

    @pytest.mark.parametrize("who", OTHERS)
    def test_nobody_but_the_studys_researchers_publishes_a_release(self, who: str) -> None:
        release = a_prepared_release(1, 1, 1)
        study = release.study
        before = state_of(study)
        with pytest.raises(PermissionDenied):
            releases.publish_release(release=release, by=self.somebody(study, who))
        assert state_of(study) == before


class TestPages:
    def test_the_ceremonys_pages_lead_two_researchers_from_the_last_judgment_to_the_release(self) -> None:
        study = a_judged_study(1, 1, 2)
        first, second = (signed_in(researcher) for researcher in researchers_of(study))
        page = reverse("study", args=[study.slug])
        assert reverse("close_study", args=[study.slug]) in first.get(page).content.decode()
        first.post(reverse("close_study", args=[study.slug]), {"despite_missing": "on"})
        assert "Ask for unblinding" in first.get(page).content.decode()
        first.post(reverse("request_unblinding", args=[study.slug]), {"reason": "All ratings are in."})
        waiting, deciding = first.get(page).content.decode(), second.get(page).content.decode()
        assert "Waiting for another unblinder" in waiting
        assert "Unblind the study" not in waiting
        assert "Unblind the study" in deciding
        assert "All ratings are in." in deciding
        request = UnblindingRequest.objects.get(study=study)
        second.post(reverse("decide_unblinding", args=[request.pk]), {"decision": "approve"})
        assert "Prepare a release" in first.get(page).content.decode()
        release = prepared(study)
        first.post(reverse("publish_release", args=[release.pk]))
        assert "The data are published" in second.get(page).content.decode()

    def test_the_ceremonys_pages_list_what_is_missing_by_judge_and_by_prompt_before_closing(self) -> None:
        """Two judges, two prompts: the first judge submits one of four items and begins another."""
        study = a_judging_study(1, 1, 2, prompts=2)
        client = signed_in(a_member(study, Role.RESEARCHER).user)
        judged, begun = judging_items_of(study)
        judging.submit_item(item_id=scored(judged, A=7, B=5).pk, by=judged.participation.user)
        scored(begun, A=9, B=9)
        found = closing(study)
        other = judging_items_of(study, judge=1)[0].participation.pseudonym
        mine, late, early = judged.participation.pseudonym, begun.prompt.code, judged.prompt.code
        assert {(row.name, row.items, row.of) for row in found.by_judge} == {
            (mine, ((late, "begun"),), 2),
            (other, tuple(sorted([(early, "assigned"), (late, "assigned")])), 2),
        }
        assert {row.name: len(row.items) for row in found.by_prompt} == {early: 1, late: 2}
        page = client.get(reverse("close_study", args=[study.slug])).content.decode()
        assert "2 of 2 items" in page
        assert "1 of 2 items" in page

    def test_the_ceremonys_pages_say_before_closing_who_cannot_begin_and_whose_guesses_are_outstanding(
        self,
    ) -> None:
        study = a_judging_study(1, 1, 2, prompts=2, guess_items=1)
        client = signed_in(a_member(study, Role.RESEARCHER).user)
        Consent.objects.filter(participation=members_of(study, Role.JUDGE)[0]).delete()
        page = client.get(reverse("close_study", args=[study.slug])).content.decode()
        assert "has not agreed to the consent form" in page
        assert "Judges who have guessed who wrote the answers" in page

    def test_the_ceremonys_pages_ask_to_confirm_that_missing_items_are_left_out(self) -> None:
        study = a_judging_study(1, 1, 2, prompts=2)
        client = signed_in(a_member(study, Role.RESEARCHER).user)
        judged, *_ = judging_items_of(study)
        judging.submit_item(item_id=scored(judged, A=7, B=5).pk, by=judged.participation.user)
        address = reverse("close_study", args=[study.slug])
        assert 'name="despite_missing"' in client.get(address).content.decode()
        refused = client.post(address, follow=True).content.decode()
        assert "3 items not submitted" in refused
        client.post(address, {"despite_missing": "on"})
        study.refresh_from_db()
        assert study.state == "closed"
        assert AnalysisRun.objects.get(study=study).kind == "masked"

    def test_the_ceremonys_pages_have_nothing_to_close_before_or_after_judging(self) -> None:
        study = a_closed_study(1, 1, 1)
        answer = signed_in(researchers_of(study)[0]).get(reverse("close_study", args=[study.slug]))
        assert answer.status_code == 302

    def test_the_ceremonys_pages_tell_the_second_researcher_why_nothing_was_unblinded(self) -> None:
        study = a_closed_study(1, 1, 2)
        request = asked(study)
        score_changed(study)
        answer = signed_in(researchers_of(study)[1]).post(
            reverse("decide_unblinding", args=[request.pk]), {"decision": "approve"}, follow=True
        )
        assert "no longer those that were frozen" in answer.content.decode()

    @pytest.mark.parametrize("sent", [{}, {"decision": "yes"}])
    def test_the_ceremonys_pages_take_nothing_but_a_clear_decision(self, sent: dict[str, str]) -> None:
        study = a_closed_study(1, 1, 2)
        request = asked(study)
        before = state_of(study)
        signed_in(researchers_of(study)[1]).post(reverse("decide_unblinding", args=[request.pk]), sent)
        assert state_of(study) == before
