"""Offices of unblinder under way: puppets, consents, and time that passes."""

from datetime import timedelta

from django.db.models import F

from annotation.people.services import people
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.unblinders.models import OfficeChange, RecoveryPerson, Unblinder
from annotation.unblinders.selectors.offices import Office, offices_of
from annotation.unblinders.services import offices
from tests.factories import a_member, a_person, coordinator_of, researchers_of


def hours_pass(study: Study, hours: float) -> None:
    """Everything about the study's offices happened so much earlier."""
    span = timedelta(hours=hours)
    changes = OfficeChange.objects.filter(unblinder__study=study)
    changes.update(proposed_at=F("proposed_at") - span, consented_at=F("consented_at") - span)
    recoveries = RecoveryPerson.objects.filter(study=study)
    recoveries.update(named_at=F("named_at") - span, asked_at=F("asked_at") - span)


def office(study: Study, person: User) -> Office:
    """The person's newest office."""
    return [found for found in offices_of(study) if found.row.user_id == person.pk][-1]


def state(study: Study, person: User) -> str:
    return office(study, person).state


def a_puppet(study: Study) -> User:
    """A researcher whom the coordinator made up, at a mailbox of their own, invited and joined."""
    name, _, domain = coordinator_of(study).email.partition("@")
    puppet = User.objects.create_user(f"{name}+2@{domain}", "a long enough secret", name="Tomas Lindqvist")
    a_member(study, Role.RESEARCHER, puppet)
    return puppet


def proposed(study: Study, person: User, by: User | None = None) -> Unblinder:
    return offices.propose(
        study=study, candidate=person, reason="We need one more.", by=by or coordinator_of(study)
    )


def accepted(unblinder: Unblinder) -> Unblinder:
    person = unblinder.user
    offices.accept(unblinder=unblinder, name=person.name, affiliation="Nowhere College", by=person)
    unblinder.refresh_from_db()
    return unblinder


def change_of(unblinder: Unblinder, kind: str) -> OfficeChange:
    changes = unblinder.changes.filter(kind=kind).select_related("unblinder__study", "unblinder__user")
    return changes.order_by("-id")[0]


def come_into_office(study: Study, person: User) -> Unblinder:
    """After the lock, all in order: proposed, accepted, consented to, and 72 hours later."""
    unblinder = accepted(proposed(study, person))
    offices.consent(change=change_of(unblinder, "appoint"), by=researchers_of(study)[0])
    hours_pass(study, 72)
    return unblinder


def gone(study: Study, person: User) -> None:
    """The coordinator takes the person out of the study."""
    member = Participation.objects.get(study=study, user=person)
    people.leave(participation=member, reason="Has another post.", by=coordinator_of(study))


def somebody_new(study: Study, name: str = "Nora New") -> User:
    person = a_person(name)
    a_member(study, Role.RESEARCHER, person)
    return person
