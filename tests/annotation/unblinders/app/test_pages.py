"""The page about unblinders: what is missing, what waits for whom, and what hints at one person as two."""

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from annotation.platform.models.users import User
from annotation.platform.recent import COUNTS_FOR
from annotation.platform.second_factor import SHOWN_AT
from annotation.platform.services.clock import database_now
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.unblinders.core.offices import KINDS, RESTORE
from annotation.unblinders.models import OfficeChange, OfficeNotice, Unblinder
from annotation.unblinders.selectors.offices import hints_about
from annotation.unblinders.selectors.published import unblinders_of
from annotation.unblinders.services import offices
from tests.clients import signed_in
from tests.factories import a_judged_study, a_member, a_study, coordinator_of, locked, ready_to_lock, researchers_of
from tests.unblinders import a_puppet, accepted, change_of, come_into_office, office, proposed, somebody_new, state

pytestmark = pytest.mark.django_db


def page_of(study: Study, person: User) -> str:
    return signed_in(person).get(reverse("unblinders", args=[study.slug])).content.decode()


def test_a_study_s_offices_are_taken_on_by_the_pages_and_its_design_is_locked() -> None:
    study = a_study()
    coordinator = signed_in(coordinator_of(study))
    refused = coordinator.post(reverse("lock_design", args=[study.slug]), follow=True).content.decode()
    assert "At least 2 researchers must accept the office of unblinder" in refused
    for person in researchers_of(study):
        a_member(study, Role.RESEARCHER, person)
        coordinator.post(reverse("unblinder_propose", args=[study.slug]), {"candidate": person.pk})
        [asked] = OfficeNotice.objects.filter(study=study, email=person.email)
        assert asked.subject == f"Will you be unblinder of “{study.title}”?"
        assert reverse("unblinders", args=[study.slug]) in asked.body
        home = signed_in(person).get(reverse("study", args=[study.slug])).content.decode()
        assert "Accept or decline the office" in home
        assert "Nothing waits for you" not in home
        unblinder = Unblinder.objects.get(study=study, user=person)
        answer = {"name": person.name, "affiliation": "Example University"}
        signed_in(person).post(reverse("unblinder_accept", args=[study.slug, unblinder.pk]), answer)
    coordinator.post(reverse("lock_design", args=[study.slug]))
    study.refresh_from_db()
    assert study.state == "writing"
    assert "Example University" in page_of(study, researchers_of(study)[0])


def test_who_may_not_be_proposed_is_not_offered_and_not_taken() -> None:
    study = a_study()
    answer = signed_in(coordinator_of(study)).post(
        reverse("unblinder_propose", args=[study.slug]), {"candidate": coordinator_of(study).pk}
    )
    assert answer.status_code == 400
    assert not Unblinder.objects.exists()


def test_after_the_lock_whoever_is_proposed_gets_one_mail_that_asks_and_the_others_one_that_tells() -> None:
    study = a_judged_study(1, 1, 1)
    person = somebody_new(study)
    proposed(study, person)
    assert OfficeNotice.objects.get(study=study, email=person.email).subject.startswith("Will you be")
    told = OfficeNotice.objects.get(study=study, email=researchers_of(study)[0].email, subject__contains="proposed")
    assert told.subject.startswith(f"{person.name} is proposed")
    assert coordinator_of(study).name in told.body


def test_whoever_consents_is_shown_who_is_like_the_candidate() -> None:
    study = a_judged_study(1, 1, 1)
    accepted(proposed(study, a_puppet(study)))
    page = page_of(study, researchers_of(study)[0])
    assert "leads to the same mailbox" in page
    assert "It is a hint and no proof" in page
    assert "Consent …" in page
    assert "Consent …" not in page_of(study, coordinator_of(study))


def test_a_further_address_of_the_candidate_is_a_hint_too() -> None:
    study = a_judged_study(1, 1, 1)
    person = somebody_new(study)
    tagged = coordinator_of(study).email.replace("@", "+7@")
    EmailAddress.objects.create(user=person, email=tagged, verified=True)
    assert [hint for hint in hints_about(person, study) if f"{tagged} leads to the same mailbox" in hint]


def test_a_release_names_whoever_consented_as_they_agreed_to_be_published() -> None:
    study = a_judged_study(1, 1, 1)
    come_into_office(study, somebody_new(study))
    first, _ = researchers_of(study)
    agreed, first.name = first.name, "A Name Between Friends"
    first.save()
    assert unblinders_of(study)["in_office"][-1]["consent"] == agreed


def test_a_change_is_consented_to_and_withdrawn_by_the_pages() -> None:
    study = a_judged_study(1, 1, 1)
    puppet = a_puppet(study)
    change = change_of(accepted(proposed(study, puppet)), "appoint")
    first, _ = researchers_of(study)
    signed_in(first).post(reverse("office_consent", args=[study.slug, change.pk]))
    assert OfficeChange.objects.get(pk=change.pk).consented_by == first
    assert "Takes effect on" in page_of(study, coordinator_of(study))
    signed_in(coordinator_of(study)).post(reverse("office_withdraw", args=[study.slug, change.pk]))
    assert state(study, puppet) == "left"


def test_neither_whoever_proposed_a_change_nor_whoever_it_is_about_consents_to_it() -> None:
    study = a_judged_study(1, 1, 1)
    about, proposer = researchers_of(study)
    change = offices.propose_leaving(unblinder=office(study, about).row, reason="Another post.", by=proposer)
    for person in (about, proposer):
        with pytest.raises(PermissionDenied, match="another unblinder must"):
            offices.consent(change=change, by=person)
        assert signed_in(person).post(reverse("office_consent", args=[study.slug, change.pk])).status_code == 403
    assert OfficeChange.objects.get(pk=change.pk).consented_by is None


@pytest.mark.parametrize("kind", KINDS)
def test_consenting_to_a_change_of_any_kind_takes_a_second_factor_shown_a_moment_before(kind: str) -> None:
    study = a_judged_study(1, 1, 1)
    change = change_of(accepted(proposed(study, a_puppet(study))), "appoint")
    OfficeChange.objects.filter(pk=change.pk).update(kind=kind, account_sha256="0" * 64 if kind == RESTORE else "")
    client = signed_in(researchers_of(study)[0])
    session = client.session
    session[SHOWN_AT] = (database_now() - COUNTS_FOR).timestamp() - 1
    session.save()
    asked_for = client.post(reverse("office_consent", args=[study.slug, change.pk]))
    assert asked_for["Location"] == reverse("mfa_activate_totp")
    assert OfficeChange.objects.get(pk=change.pk).consented_by is None


def test_a_locked_study_s_page_has_the_published_statement() -> None:
    study = locked(a_study())
    page = page_of(study, coordinator_of(study))
    assert "scrub-commitment/1" in page
    assert "Theo Third" in page


def test_what_is_missing_before_the_lock_is_on_the_page_until_it_is_there() -> None:
    study = a_study()
    page = page_of(study, coordinator_of(study))
    assert "The design cannot be locked yet" in page
    assert "No researcher has joined yet." in page
    ready_to_lock(study)
    assert "The design cannot be locked yet" not in page_of(study, coordinator_of(study))
