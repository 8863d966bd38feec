"""One person who would like to be two: before the lock, after it, after closing, by changed mail, by a reset second
factor. Each is refused. At the same moment as somebody else: see `test_attacks_at_once.py`."""

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse

from analysis.ceremony.models import UnblindingRequest
from analysis.ceremony.services import ceremony
from annotation.assignment.services import designing
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.platform.second_factor import SHOWN_AT
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.unblinders.models import Unblinder
from annotation.unblinders.services import offices, suspensions
from tests.ceremony import asked, state_of
from tests.clients import signed_in
from tests.factories import (
    a_closed_study,
    a_judged_study,
    a_member,
    a_person,
    a_study,
    closed,
    coordinator_of,
    in_office,
    researchers_of,
)
from tests.unblinders import (
    a_puppet,
    accepted,
    change_of,
    gone,
    hours_pass,
    office,
    proposed,
    state,
)

pytestmark = pytest.mark.django_db
Attack = Callable[[User], object]


def approve(request: UnblindingRequest, by: User) -> UnblindingRequest:
    return ceremony.decide_unblinding(request=request, approve=True, by=by)


class TestBeforeTheLock:
    def test_a_design_is_not_locked_with_fewer_than_two_who_accepted(self) -> None:
        study = a_study()
        with pytest.raises(Refused, match="At least 2 researchers must accept the office of unblinder"):
            designing.lock_design(study=study, by=coordinator_of(study))
        in_office(study, researchers_of(study)[0])
        a_member(study, Role.RESEARCHER, researchers_of(study)[1])
        proposed(study, researchers_of(study)[1])
        with pytest.raises(Refused, match="One researcher has accepted it so far, and 1 proposed has not answered"):
            designing.lock_design(study=study, by=coordinator_of(study))
        study.refresh_from_db()
        assert study.state == "design"

    def test_nobody_accepts_for_somebody_else(self) -> None:
        study = a_study()
        puppet = a_puppet(study)
        with pytest.raises(PermissionDenied, match="themselves"):
            offices.accept(
                unblinder=proposed(study, puppet), name="Tomas", affiliation="Here", by=coordinator_of(study)
            )

    @pytest.mark.parametrize(
        "who", ["coordinator", "administrator", "judge", "stranger", "twice", "closed account"]
    )
    def test_only_active_researchers_of_the_study_are_proposed_and_once(self, who: str) -> None:
        study = a_study()
        if who == "coordinator":
            person = coordinator_of(study)
        elif who == "stranger":
            person = a_person("Some Stranger")
        else:
            role = Role.JUDGE if who == "judge" else Role.RESEARCHER
            is_staff, is_active = who == "administrator", who != "closed account"
            person = a_person("Pat Person", is_staff=is_staff, is_active=is_active)
            a_member(study, role, person)
        if who == "twice":
            proposed(study, person)
        with pytest.raises(Refused, match=r"Only researchers|administers the site|already"):
            proposed(study, person)

    def test_a_sixth_is_not_proposed(self) -> None:
        study = a_study()
        for number in range(5):
            in_office(study, a_person(f"Researcher {number}"))
        person = a_person("Sixth Researcher")
        a_member(study, Role.RESEARCHER, person)
        with pytest.raises(Refused, match="5 unblinders at most"):
            proposed(study, person)

    def test_an_account_that_was_changed_after_accepting_does_not_count_at_the_lock(self) -> None:
        study = a_study()
        for person in researchers_of(study):
            in_office(study, person)
        User.objects.filter(pk=researchers_of(study)[1].pk).update(email="somebody@else.example")
        with pytest.raises(Refused, match="One researcher has accepted it so far"):
            designing.lock_design(study=study, by=coordinator_of(study))


class TestAfterTheLock:
    @pytest.fixture
    def study(self) -> Study:
        return a_judged_study(1, 1, 1)

    def test_a_puppet_who_joins_as_a_researcher_neither_asks_nor_approves(self, study: Study) -> None:
        puppet = a_puppet(study)
        closed(study)
        with pytest.raises(PermissionDenied, match="Only a standing unblinder"):
            ceremony.request_unblinding(study=study, reason="Now.", by=puppet)
        request = asked(study)
        before = state_of(study)
        with pytest.raises(PermissionDenied, match="Only a standing unblinder"):
            approve(request, by=puppet)
        assert state_of(study) == before

    def test_a_puppet_is_no_unblinder_without_the_consent_of_somebody_in_office(self, study: Study) -> None:
        puppet = a_puppet(study)
        change = change_of(accepted(proposed(study, puppet)), "appoint")
        hours_pass(study, 1000)
        assert state(study, puppet) == "accepted"
        for nobody in (coordinator_of(study), puppet):
            with pytest.raises((PermissionDenied, Refused)):
                offices.consent(change=change, by=nobody)
        assert state(study, puppet) == "accepted"

    def test_who_proposes_somebody_does_not_consent_to_it(self, study: Study) -> None:
        first, second = researchers_of(study)
        change = change_of(accepted(proposed(study, a_puppet(study), by=first)), "appoint")
        with pytest.raises(PermissionDenied, match="another unblinder must"):
            offices.consent(change=change, by=first)
        assert offices.consent(change=change, by=second).consented_by == second

    def test_a_consent_takes_effect_after_72_hours_and_can_be_withdrawn_until_then(self, study: Study) -> None:
        puppet = a_puppet(study)
        change = change_of(accepted(proposed(study, puppet)), "appoint")
        offices.consent(change=change, by=researchers_of(study)[0])
        hours_pass(study, 71.9)
        assert state(study, puppet) == "accepted"
        offices.withdraw_change(change=change, by=researchers_of(study)[1])
        hours_pass(study, 1000)
        assert state(study, puppet) == "left"

    def test_a_consent_counts_72_hours_later(self, study: Study) -> None:
        puppet = a_puppet(study)
        change = change_of(accepted(proposed(study, puppet)), "appoint")
        offices.consent(change=change, by=researchers_of(study)[0])
        hours_pass(study, 72)
        assert state(study, puppet) == "standing"
        with pytest.raises(Refused, match="taken effect"):
            offices.withdraw_change(change=change, by=researchers_of(study)[1])

    def test_a_candidate_whose_address_changes_begins_anew(self, study: Study) -> None:
        """Whoever corrects the address after the consent has another person's consent, not this one's."""
        puppet = a_puppet(study)
        change = change_of(accepted(proposed(study, puppet)), "appoint")
        offices.consent(change=change, by=researchers_of(study)[0])
        User.objects.filter(pk=puppet.pk).update(email="corrected@example.org")
        suspensions.notice(study)
        hours_pass(study, 1000)
        assert state(study, puppet) == "left"
        again = User.objects.get(pk=puppet.pk)
        assert proposed(study, again).changes.get().consented_at is None

    def test_what_is_not_in_effect_when_collection_closes_never_is(self, study: Study) -> None:
        puppet = a_puppet(study)
        offices.consent(change=change_of(accepted(proposed(study, puppet)), "appoint"), by=researchers_of(study)[0])
        closed(study)
        assert state(study, puppet) == "accepted"
        assert office(study, puppet).waiting == ()


class TestAfterClosing:
    @pytest.fixture
    def study(self) -> Study:
        return a_closed_study(1, 1, 1)

    def test_nobody_is_proposed_and_nobody_leaves_once_collection_is_closed(self, study: Study) -> None:
        with pytest.raises(Refused, match="Since collection is closed"):
            proposed(study, a_puppet(study))
        own = Unblinder.objects.get(study=study, user=researchers_of(study)[0])
        with pytest.raises(Refused, match="before collection is closed"):
            offices.propose_leaving(unblinder=own, reason="Enough.", by=coordinator_of(study))

    def test_a_coordinator_who_sends_an_unblinder_away_gains_nobody(self, study: Study) -> None:
        first, second = researchers_of(study)
        puppet = a_puppet(study)
        gone(study, second)
        change = change_of(accepted(proposed(study, puppet)), "appoint")
        with pytest.raises(Refused, match="Since collection is closed"):
            offices.consent(change=change, by=first)
        with pytest.raises(Refused, match="Fewer than 2 offices"):
            ceremony.request_unblinding(study=study, reason="Now.", by=first)


def changed_mail(person: User) -> None:
    User.objects.filter(pk=person.pk).update(email="taken@over.example")


def second_address(person: User) -> None:
    EmailAddress.objects.create(user=person, email="taken@over.example", verified=True)


def reset_factor(person: User) -> None:
    Authenticator.objects.filter(user=person).delete()
    Authenticator.objects.create(user=person, type=Authenticator.Type.TOTP, data={"secret": "another"})


def new_password(person: User) -> None:
    person = User.objects.get(pk=person.pk)
    person.set_password("somebody else’s secret")
    person.save()


def closed_account(person: User) -> None:
    User.objects.filter(pk=person.pk).update(is_active=False)


def made_administrator(person: User) -> None:
    User.objects.filter(pk=person.pk).update(is_staff=True)


def left_the_study(person: User) -> None:
    gone(Study.objects.get(), person)


ATTACKS = (
    changed_mail,
    second_address,
    reset_factor,
    new_password,
    closed_account,
    made_administrator,
    left_the_study,
)


class TestByAnAccountThatWasTakenOver:
    @pytest.mark.parametrize("attack", ATTACKS)
    def test_an_approver_whose_account_was_changed_does_not_approve(self, attack: Attack) -> None:
        study = a_closed_study(1, 1, 1)
        request = asked(study)
        second = researchers_of(study)[1]
        before = state_of(study)
        attack(second)
        with pytest.raises((PermissionDenied, Refused)):
            approve(request, by=User.objects.get(pk=second.pk))
        assert state_of(study) == before

    @pytest.mark.parametrize("attack", ATTACKS)
    def test_what_somebody_asked_whose_account_was_changed_since_is_not_approved(self, attack: Attack) -> None:
        study = a_closed_study(1, 1, 1)
        request = asked(study)
        first, second = researchers_of(study)
        before = state_of(study)
        attack(first)
        with pytest.raises(Refused, match="asked for this"):
            approve(request, by=second)
        assert state_of(study) == before

    def test_a_suspension_ends_72_hours_later_with_the_consent_of_another_unblinder_and_of_nobody_else(
        self,
    ) -> None:
        study = a_closed_study(1, 1, 1)
        first, second = researchers_of(study)
        reset_factor(second)
        suspensions.notice(study)
        change = change_of(office(study, second).row, "restore")
        hours_pass(study, 1000)
        assert state(study, second) == "suspended"
        for nobody in (second, coordinator_of(study)):
            with pytest.raises((PermissionDenied, Refused)):
                offices.consent(change=change, by=nobody)
        offices.consent(change=change, by=first)
        assert state(study, second) == "standing"
        approve(asked(study), by=second)

    def test_a_consent_at_once_does_not_shorten_the_72_hours(self) -> None:
        study = a_closed_study(1, 1, 1)
        first, second = researchers_of(study)
        new_password(second)
        suspensions.notice(study)
        offices.consent(change=change_of(office(study, second).row, "restore"), by=first)
        hours_pass(study, 71.9)
        assert state(study, second) == "suspended"
        hours_pass(study, 0.2)
        assert state(study, second) == "standing"

    def test_an_account_changed_again_after_the_consent_is_suspended_anew(self) -> None:
        study = a_closed_study(1, 1, 1)
        first, second = researchers_of(study)
        new_password(second)
        suspensions.notice(study)
        offices.consent(change=change_of(office(study, second).row, "restore"), by=first)
        reset_factor(second)
        suspensions.notice(study)
        hours_pass(study, 1000)
        assert state(study, second) == "suspended"

    def test_changing_an_account_back_does_not_end_what_was_noticed(self) -> None:
        study = a_closed_study(1, 1, 1)
        second = researchers_of(study)[1]
        changed_mail(second)
        suspensions.notice(study)
        User.objects.filter(pk=second.pk).update(email=second.email)
        hours_pass(study, 1000)
        assert state(study, second) == "suspended"


class TestByThePages:
    """With the password, or an open session, and no second factor at hand."""

    def stale(self, person: User) -> Client:
        Authenticator.objects.create(user=person, type=Authenticator.Type.TOTP, data={"secret": "known"})
        client = signed_in(person)
        session = client.session
        session[SHOWN_AT] -= 86_400 + 301
        session.save()
        return client

    @pytest.mark.parametrize("step", ["request_unblinding", "decide_unblinding"])
    def test_neither_asking_nor_approving_is_done_without_a_second_factor_of_the_last_minutes(
        self, step: str
    ) -> None:
        study = a_closed_study(1, 1, 1)
        subject: object = asked(study).pk if step == "decide_unblinding" else study.slug
        before = state_of(study)
        client = self.stale(researchers_of(study)[1])
        answer = client.post(reverse(step, args=[subject]), {"reason": "Now.", "decision": "approve"})
        assert answer["Location"].startswith(reverse("mfa_reauthenticate"))
        assert state_of(study) == before

    def test_whoever_has_no_second_factor_is_led_to_set_one_up(self) -> None:
        study = a_closed_study(1, 1, 1)
        client = signed_in(researchers_of(study)[0])
        session = client.session
        del session[SHOWN_AT]
        session.save()
        answer = client.post(reverse("request_unblinding", args=[study.slug]), {"reason": "Now."})
        assert answer["Location"] == reverse("mfa_activate_totp")
        assert not UnblindingRequest.objects.exists()
