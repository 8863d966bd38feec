"""The people of the demonstration. All names are invented."""

from typing import Any

from allauth.account.models import EmailAddress
from django.db.models import F

from annotation.notifications.core.work_kinds import MAIL_NOTIFICATION
from annotation.notifications.models import Notification
from annotation.people.services import people
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.platform.services import work
from annotation.study.core.consent import fill
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study
from annotation.study.policies.participation import STUDIED
from annotation.study.selectors import consents
from annotation.unblinders.core.work_kinds import MAIL_NOTICE
from annotation.unblinders.models import OfficeNotice
from annotation.unblinders.services import offices, recovery
from annotation.unblinders.services.recovery import ThirdPerson

LOOKED_AT = "A demonstration: its texts are synthetic, and are judged as they are."
ADMINISTRATOR = "Ada Novak"
COORDINATOR = "Ines Okafor"
RESEARCHERS = ("Tomas Lindqvist", "Mei Tanaka")
AFFILIATIONS = {"Tomas Lindqvist": "Uppsala Institute of Social Research", "Mei Tanaka": "Kansai School of Letters"}
THIRD_PERSON = ThirdPerson("Hedda Brun", "Research Integrity Office, Bergen", "hedda.brun@example.net")
WRITERS = ("Ruth Adeyemi", "Paul Brandt", "Carla Esposito", "David Feldman", "Grace Hollis", "Ivan Jovanovic")
JUDGES = ("Kofi Larbi", "Maria Nunes", "Olga Petrova", "Quentin Roy", "Sara Thorsen")

FIRST_NAMES = (
    "Amara Bjorn Chidi Dalia Edgar Farah Gustav Hana Ilse Jonas Keiko Lars Mona Nadir Oona Pavel Rosa Samir "
    "Tereza Umar Vera Walid Xenia Yusuf Zora"
).split()
LAST_NAMES = (
    "Abel Berger Castro Dogan Evans Fischer Garcia Holm Iyer Jensen Kaya Lopez Moreau Nilsen Ortiz"
).split()

DISCIPLINES = ("Sociology", "Philosophy", "History", "Political science", "Anthropology", "Law")
COUNTRIES = ("Austria", "Brazil", "Canada", "Ghana", "India", "Italy", "Japan", "Mexico", "Norway", "Poland")


# What the consent text of a demonstration has in its blanks.
_PLACES = {
    "institution": "the Institute of Invented Studies, which exists in this demonstration alone",
    "contact": "Ines Okafor, ines.okafor@example.org",
    "risks": "Some questions are about injustice and illness. You can leave out any of them, at any time.",
    "ethics approval": "the board of that institute (number 0, as nothing is collected here)",
    "data": "they stay on the machine that shows this page, until its data are removed.",
    "withdrawal": "until the data are published, on this page; after that, from every later publication.",
}
CONSENT = fill(consents.STANDARD_CONSENT, _PLACES)
AUDIT_CONSENT = fill(consents.AUDIT_CONSENT, {**_PLACES, "risks": "None that are known."})


def person(name: str, **fields: Any) -> User:
    """The demonstration person of this name; the same name is always the same person."""
    email = f"{name.lower().replace(' ', '.')}@example.org"
    if known := User.objects.filter(email=email).first():
        return known
    user = User.objects.create_user(email, name=name, is_demo=True, **fields)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


def invented_names(count: int, *, start: int = 0) -> list[str]:
    """`count` different names, the same ones every time."""
    return [
        f"{FIRST_NAMES[i % len(FIRST_NAMES)]} {LAST_NAMES[(i * 7 + i // len(FIRST_NAMES)) % len(LAST_NAMES)]}"
        for i in range(start, start + count)
    ]


def member(study: Study, name: str, role: Role, *, pseudonym: str, ready: bool = True) -> Participation:
    """Let a person join; `ready` people have also given consent and filled in their profile."""
    user = person(name)
    participation = people.join(study=study, user=user, role=role, by=user, pseudonym=pseudonym)
    if ready and role in STUDIED:
        people.give_consent(participation=participation, text_sha256=sha256_hex(study.consent_text), by=user)
        people.complete_profile(participation=participation, answers=_profile(sum(name.encode())), by=user)
    return participation


def _profile(number: int) -> dict[str, object]:
    return {
        "highest_degree": "master" if number % 5 == 0 else "doctorate",
        "r1_institution": number % 3 != 0,
        "discipline": DISCIPLINES[number % len(DISCIPLINES)],
        "years_experience": 3 + number * 7 % 29,
        "country": COUNTRIES[number % len(COUNTRIES)],
    }


def staff(study: Study) -> None:
    """Coordinator and both researchers."""
    member(study, COORDINATOR, Role.COORDINATOR, pseudonym="C-INES")
    for name, pseudonym in zip(RESEARCHERS, ("R-TOMA", "R-MEI0"), strict=True):
        member(study, name, Role.RESEARCHER, pseudonym=pseudonym)


def unblinders(study: Study) -> None:
    """Both researchers are proposed and accept the office; somebody from elsewhere is named for a recovery."""
    for name in RESEARCHERS:
        proposed = offices.propose(study=study, candidate=person(name), by=person(COORDINATOR))
        offices.accept(unblinder=proposed, name=name, affiliation=AFFILIATIONS[name], by=person(name))
    recovery.name_third_person(study=study, third=THIRD_PERSON, by=person(COORDINATOR))
    for notice in OfficeNotice.objects.filter(study=study):
        work.cancel_open_tasks(kind=MAIL_NOTICE, subject=notice.pk)  # nobody waits for it: this was long ago


def mails_were_read(study: Study) -> None:
    """What was mailed at changes of phase has arrived: that was long ago as well."""
    mails = Notification.objects.filter(study=study)
    for mail in mails:
        work.cancel_open_tasks(kind=MAIL_NOTIFICATION, subject=mail.pk)
    mails.update(sent_at=F("asked_at"))
