"""Flags: raised by writers and judges, dealt with by the coordinator. What was said stays out of the trail."""

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean, count_words
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.platform.services.clock import database_now
from annotation.study.core.flags import without_quotes
from annotation.study.core.work_kinds import SCAN_FLAG
from annotation.study.models.flags import Flag
from annotation.study.models.participation import Participation, Role
from annotation.study.policies.flags import check_may_flag
from annotation.study.policies.roles import check_coordinator

MAX_FLAGS = 100  # of one person in a study


@transaction.atomic
def raise_flag(
    *,
    participation: Participation,
    prompt_version: int,
    kind: str,
    words: str,
    by: User,
    label: str = "",
    texts: Iterable[str] = (),
) -> Flag:
    """Tell the coordinator that something is the matter with a question or, with its `label`, an answer.

    What is quoted from one of the `texts` is left out. Saying the same again changes nothing. Raises `Refused`
    where nothing is said, the study is at another task, or this person has said enough.
    """
    if participation.user_id != by.pk:
        raise PermissionDenied("Only the person themselves can do this.")
    check_may_flag(participation)
    Participation.objects.select_for_update().get(pk=participation.pk)
    said = without_quotes(clean(words).strip(), texts)
    if not said:
        raise Refused("Say in a few words what is the matter.", field="words")
    own = Flag.objects.filter(participation=participation)
    same = {"prompt_version_id": prompt_version, "label": label, "kind": kind, "words": said}
    if known := own.filter(**same, settled_at=None).first():
        return known
    if own.count() >= MAX_FLAGS:
        raise Refused("You have flagged a great deal. Write to the coordinator instead.")
    is_read_at_once = participation.role == Role.WRITER  # whose texts judges do not know by letters
    flag = Flag.objects.create(
        study_id=participation.study_id,
        participation=participation,
        raised_at=(now := database_now()),
        shown=said if is_read_at_once else "",
        scanned_at=now if is_read_at_once else None,
        **same,
    )
    if not is_read_at_once:
        work.ask(kind=SCAN_FLAG, subject=flag.pk)
    audit.record(
        verb=AuditVerb.FLAG_RAISED,
        by=by,
        study=participation.study,
        subject=participation.pseudonym,
        flag=flag.pk,
        kind=kind,
        words=count_words(said),
    )
    return flag


@transaction.atomic
def deal_with(*, flag: Flag, note: str, by: User) -> bool:
    """Say that a flag is dealt with, with a note of what became of it, if any; what was noted first stays.

    Returns whether it was dealt with only now.
    """
    check_coordinator(by, flag.study)
    flag = Flag.objects.select_for_update(of=("self",)).select_related("study").get(pk=flag.pk)
    if flag.scanned_at is None:
        raise Refused("This flag is still being checked. Come back in a minute.")
    if flag.settled_at is not None:
        return False
    flag.settled_at, flag.settled_by, flag.note = database_now(), by, clean(note).strip()
    flag.save(update_fields=["settled_at", "settled_by", "note"])
    audit.record(verb=AuditVerb.FLAG_SETTLED, by=by, study=flag.study, subject=flag.pk)
    return True
