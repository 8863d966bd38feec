"""With fewer than two unblinders left only the third person, named before the lock, brings in somebody new."""

from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import DatabaseError, connection, transaction
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from analysis.blinding.services.verification import check_blinding
from analysis.ceremony.selectors.record import record_of
from analysis.ceremony.services import ceremony
from analysis.release.selectors.release_facts import release_facts
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from annotation.unblinders.core.commitment import BY_RECOVERY, read
from annotation.unblinders.models import OfficeCommitment, OfficeNotice, RecoveryPerson, Unblinder
from annotation.unblinders.services import offices, recovery, suspensions
from annotation.unblinders.services.recovery import ThirdPerson
from tests.ceremony import asked
from tests.factories import (
    THIRD,
    a_judged_study,
    a_member,
    a_person,
    a_study,
    closed,
    coordinator_of,
    locked,
    researchers_of,
    third_person_named,
)
from tests.unblinders import (
    accepted,
    change_of,
    gone,
    hours_pass,
    office,
    proposed,
    somebody_new,
    state,
)

pytestmark = pytest.mark.django_db


def bereft(study: Study) -> User:
    """The study closed, one of its two unblinders gone, and somebody proposed who has accepted."""
    closed(study)
    gone(study, researchers_of(study)[1])
    person = somebody_new(study)
    accepted(proposed(study, person))
    return person


@pytest.fixture
def study() -> Study:
    return a_judged_study(1, 1, 1)


@pytest.fixture
def token(study: Study) -> str:
    """The link's token, as the third person finds it in their mail."""
    bereft(study)
    recovery.ask(study=study, by=researchers_of(study)[0])
    recovery.mail(study_id=study.pk)
    [message] = [sent for sent in mail.outbox if sent.to == [THIRD.email]]
    link = next(line for line in message.body.splitlines() if "/recovery/" in line)
    return urlsplit(link).path.rstrip("/").rpartition("/")[2]


def test_a_study_with_fewer_than_two_left_stays_blinded(study: Study) -> None:
    person = bereft(study)
    first, _ = researchers_of(study)
    for somebody in (first, person):
        with pytest.raises(Exception, match=r"Fewer than 2 offices|Only a standing unblinder"):
            ceremony.request_unblinding(study=study, reason="Now.", by=somebody)
    with pytest.raises(Refused, match="Since collection is closed"):
        offices.consent(change=change_of(office(study, person).row, "appoint"), by=first)


def test_the_third_person_s_consent_counts_after_72_hours_even_after_closing(study: Study, token: str) -> None:
    person = a_person("Nora New")
    page = Client().get(f"/recovery/{token}/")
    assert "Nora New" in page.content.decode()
    change = change_of(office(study, person).row, "appoint")
    Client().post(f"/recovery/{token}/", {"change": change.pk, "decision": "consent"})
    hours_pass(study, 71.9)
    assert state(study, person) == "accepted"
    hours_pass(study, 0.2)
    assert state(study, person) == "standing"
    ceremony.decide_unblinding(request=asked(study), approve=True, by=person)
    study.refresh_from_db()
    assert study.state == "unblinded"
    assert check_blinding(study).differences == ()


def test_a_recovery_is_in_the_record_and_in_the_release(study: Study, token: str) -> None:
    person = a_person("Nora New")
    recovery.decide(token=token, change=change_of(office(study, person).row, "appoint"), consents=True)
    hours_pass(study, 73)
    ceremony.decide_unblinding(request=asked(study), approve=True, by=person)
    study.refresh_from_db()
    said = release_facts(study).unblinders
    assert [(who["name"], who["by"]) for who in said["in_office"]][-1] == ("Nora New", BY_RECOVERY)
    assert said["third_person"]["name"] == THIRD.name
    told = {line.what for line in record_of(study)}
    assert {"Third person asked for a recovery", "Third person consented to a recovery"} <= told


def test_whoever_was_sent_away_is_told_of_every_step_by_which_others_come_into_office(
    study: Study, token: str
) -> None:
    """Else a coordinator could send the unblinders away, and then their puppets alone would be told."""
    sent_away = researchers_of(study)[1]
    person = a_person("Nora New")
    recovery.decide(token=token, change=change_of(office(study, person).row, "appoint"), consents=True)
    told = OfficeNotice.objects.filter(email=sent_away.email).values_list("subject", flat=True)
    for words in ("is proposed", "is asked for a recovery", "has decided"):
        assert any(words in subject for subject in told), words


def test_what_the_third_person_declines_is_over(study: Study, token: str) -> None:
    person = a_person("Nora New")
    recovery.decide(token=token, change=change_of(office(study, person).row, "appoint"), consents=False)
    assert state(study, person) == "left"


def test_the_link_is_mailed_and_never_shown(study: Study, token: str) -> None:
    third = RecoveryPerson.objects.get(study=study)
    assert third.token_sha256
    assert token not in third.token_sha256
    assert not OfficeNotice.objects.filter(body__contains=token).exists()


def test_an_old_link_and_a_replaced_one_lead_nowhere(study: Study, token: str) -> None:
    hours_pass(study, 14 * 24 + 1)
    assert Client().get(f"/recovery/{token}/").status_code == 410
    RecoveryPerson.objects.filter(study=study).update(token_sha256="0" * 64)
    assert Client().get(f"/recovery/{token}/").status_code == 404


def test_a_third_person_who_has_joined_the_study_since_decides_nothing(study: Study, token: str) -> None:
    joined = User.objects.create_user(THIRD.email.upper().lower(), name="Theo")
    a_member(study, Role.JUDGE, joined)
    change = change_of(office(study, a_person("Nora New")).row, "appoint")
    with pytest.raises(Refused, match="somebody in the study"):
        recovery.decide(token=token, change=change, consents=True)


def test_nobody_is_asked_as_long_as_two_are_in_office(study: Study) -> None:
    third = RecoveryPerson(
        study=study, named_at=study.created_at, named_by=coordinator_of(study), email=THIRD.email
    )
    third.save()
    accepted(proposed(study, somebody_new(study)))
    with pytest.raises(Refused, match="Nothing waits for the third person"):
        recovery.ask(study=study, by=coordinator_of(study))


def test_two_who_are_suspended_both_get_back_by_the_third_person(
    study: Study, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    closed(study)
    third = RecoveryPerson(
        study=study, named_at=study.created_at, named_by=coordinator_of(study), email=THIRD.email
    )
    third.save()
    for person in researchers_of(study):
        User.objects.filter(pk=person.pk).update(password="new")
    suspensions.notice(study)
    recovery.ask(study=study, by=coordinator_of(study))
    recovery.mail(study_id=study.pk)
    token = mail.outbox[-1].body.split("/recovery/")[1].split("/")[0]
    first, second = researchers_of(study)
    recovery.decide(token=token, change=change_of(office(study, first).row, "restore"), consents=True)
    hours_pass(study, 72)
    assert (state(study, first), state(study, second)) == ("standing", "suspended")
    with pytest.raises(Refused, match="own unblinders again"):
        recovery.decide(token=token, change=change_of(office(study, second).row, "restore"), consents=True)


class TestNaming:
    def test_the_third_person_is_in_the_published_statement(self) -> None:
        study = locked(a_study())
        said = read(OfficeCommitment.objects.get(study=study).statement)
        assert said is not None
        assert said["recovery"]["name"] == THIRD.name

    def test_the_third_person_is_not_exchanged_after_the_lock(self) -> None:
        study = locked(a_study())
        with pytest.raises(Refused, match="fixed since the design was locked"):
            third_person_named(study)

    @pytest.mark.parametrize(
        "email", ["cora.coordinator+2@example.org", "Cora.Coordinator@Example.org", "ada.admin@example.org"]
    )
    def test_the_third_person_is_nobody_of_the_team_and_no_administrator(self, email: str) -> None:
        study = a_study()
        a_person("Ada Admin", is_staff=True)
        third = ThirdPerson("Theo Third", "Elsewhere", email)
        with pytest.raises(Refused, match="name somebody outside"):
            recovery.name_third_person(study=study, third=third, by=coordinator_of(study))

    def test_no_further_address_of_an_account_makes_its_person_somebody_outside(self) -> None:
        study = a_study()
        coordinator = coordinator_of(study)
        superuser = a_person("Ada Admin", is_superuser=True)
        EmailAddress.objects.create(user=coordinator, email="private@else.example", verified=True)
        EmailAddress.objects.create(user=superuser, email="also@else.example")
        for email in ("Private+2@else.example", superuser.email, "also@else.example"):
            with pytest.raises(Refused, match="name somebody outside"):
                recovery.name_third_person(
                    study=study, third=ThirdPerson("Theo Third", "Elsewhere", email), by=coordinator
                )

    @pytest.mark.parametrize("who", [0, 1])
    def test_only_a_coordinator_names_the_third_person(self, who: int) -> None:
        study = locked(a_study())
        with pytest.raises(Exception, match="coordinator of this study"):
            recovery.name_third_person(study=study, third=THIRD, by=researchers_of(study)[who])


class TestAStudyLockedBeforeThereWereOffices:
    """As the migration leaves it: standing researchers are shown as such, and nothing is said to be promised."""

    @pytest.fixture
    def old(self, study: Study) -> Study:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("DELETE FROM annotation_officecommitment")
            cursor.execute("UPDATE annotation_auditevent SET detail = detail - 'unblinders_sha256'")
            cursor.execute("SET LOCAL session_replication_role = origin")
        Unblinder.objects.filter(study=study).update(
            is_found=True, accepted_at=None, affiliation="", account_sha256="", proposed_by=None
        )
        RecoveryPerson.objects.filter(study=study).delete()
        return study

    def test_a_study_locked_before_there_were_offices_is_unblinded_as_ever(self, old: Study) -> None:
        closed(old)
        ceremony.decide_unblinding(request=asked(old), approve=True, by=researchers_of(old)[1])
        old.refresh_from_db()
        assert old.state == "unblinded"

    def test_unblinders_accounts_are_watched_from_the_first_look_on(self, old: Study) -> None:
        suspensions.watch(study_id=old.pk)
        second = researchers_of(old)[1]
        assert state(old, second) == "standing"
        User.objects.filter(pk=second.pk).update(password="new")
        assert state(old, second) == "suspended"

    def test_a_third_person_may_be_named_once_and_asked_72_hours_later(self, old: Study) -> None:
        closed(old)
        third_person_named(old)
        with pytest.raises(Refused, match="Named after the lock"):
            third_person_named(old)
        gone(old, researchers_of(old)[1])
        accepted(proposed(old, somebody_new(old)))
        with pytest.raises(Refused, match="72 hours after that"):
            recovery.ask(study=old, by=coordinator_of(old))
        hours_pass(old, 72)
        recovery.ask(study=old, by=coordinator_of(old))


def test_the_published_statement_is_never_changed() -> None:
    locked(a_study())
    with pytest.raises(DatabaseError), transaction.atomic():
        OfficeCommitment.objects.update(sha256="0" * 64)
    with pytest.raises(DatabaseError), transaction.atomic():
        OfficeCommitment.objects.all().delete()
