"""A study's own wordings of the templates its models are asked by."""

from collections.abc import Iterable

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean, sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.catalogue.core.prompt_templates import KINDS, SHIPPED, PromptTemplate, check_wording
from generation.catalogue.models import StudyTemplate

MAX_ORIGIN_LENGTH = 300  # characters


@transaction.atomic
def save_template(*, study: Study, name: str, text: str, origin: str, by: User) -> StudyTemplate:
    """Let the study ask by this wording from now on; runs that are planned already keep theirs.

    `origin` says where the wording comes from. Raises `Refused` for a text that cannot serve as the template, and
    for the one in use, whose origin stays as it is.
    """
    check_coordinator(by, study)
    if name not in KINDS:
        raise Refused(f"There is no template called “{name}”.")
    text, origin = clean(text).strip() + "\n", " ".join(clean(origin).split())
    check_wording(name, text)
    if not 0 < len(origin) <= MAX_ORIGIN_LENGTH:
        raise Refused(
            f"Say in up to {MAX_ORIGIN_LENGTH} characters where the wording comes from, such as the paper it is in."
        )
    studies.lock_for_update(study)
    if text.strip() == current(study, name).text.strip():
        raise Refused("This is the wording in use already: nothing was changed, nor where it comes from.")
    newest = _own(study, name)
    saved = StudyTemplate.objects.create(
        study=study,
        name=name,
        number=newest.number + 1 if newest else 1,
        text=text,
        sha256=sha256_hex(text),
        origin=origin,
        written_by=by,
    )
    audit.record(
        verb=AuditVerb.TEMPLATE_SAVED, by=by, study=study, subject=name, number=saved.number, sha256=saved.sha256
    )
    return saved


def current(study: Study | None, name: str) -> PromptTemplate:
    """The wording in use: the study's newest, or the one that comes with the site."""
    own = _own(study, name) if study else None
    return PromptTemplate(name, own.text) if own else SHIPPED[name]


def materials(study: Study | None, names: Iterable[str]) -> dict[str, str]:
    """The texts of the wordings in use, by name, as a run freezes them."""
    return {name: current(study, name).text for name in names}


def _own(study: Study, name: str) -> StudyTemplate | None:
    return StudyTemplate.objects.filter(study=study, name=name).order_by("-number").first()
