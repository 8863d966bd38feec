"""What people make of a prompt's framings: a check, an edit with its reason, or the wish for others."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import clean
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.calls.models import Call, GenerationRun
from generation.calls.services.asking_once_more import ask_once_more
from generation.framing.core.conditions import Conditions
from generation.framing.core.requests import Verdict, questions_of
from generation.framing.models import FramedPrompt, FramingCheck
from generation.framing.selectors.framings import conditions_of, current_texts, texts_sha256
from generation.framing.services.versions import add_versions
from generation.prompts.services import pool

MAX_REASON_LENGTH = 400  # characters
MAX_TEXT_LENGTH = 4_000  # characters of a framing


@transaction.atomic
def check_framings(*, prompt: FramedPrompt, by: User, verdicts: Sequence[Verdict], seen: str) -> FramingCheck:
    """A person's verdicts on a prompt's framings; earlier ones of theirs on the same texts are changed to these.

    `verdicts` answer every question of the set's conditions; `seen` is the `texts_sha256` of what the person saw.
    Raises `Refused` where the framings have other words by now.
    """
    study, conditions = _open(prompt, by)
    if sorted((verdict.about, verdict.question) for verdict in verdicts) != sorted(questions_of(conditions)):
        raise ValueError("A check answers every question once.")
    if seen != _sha256_now(prompt, conditions):
        raise Refused("The framings were changed meanwhile. Read them again, as they stand now.")
    said = [asdict(verdict) for verdict in verdicts]
    check, is_new = FramingCheck.objects.get_or_create(
        prompt=prompt, texts_sha256=seen, reviewer=by, defaults={"verdicts": said}
    )
    if is_new or check.verdicts != said:
        check.verdicts, check.checked_at = said, database_now()
        check.save(update_fields=["verdicts", "checked_at"])
        holds = all(verdict.holds for verdict in verdicts)
        audit.record(verb=AuditVerb.FRAMING_CHECKED, by=by, study=study, subject=prompt.pk, passes=holds)
    return check


@transaction.atomic
def edit_framings(*, prompt: FramedPrompt, by: User, texts: Mapping[str, str], reason: str, seen: str) -> None:
    """Put other words in the place of some framings, by condition; those that did not change stay. Every check has
    to be made anew.

    `seen` as in `check_framings`. Raises `Refused` for an empty or overlong text, without a reason, and where
    nothing changes.
    """
    study, conditions = _open(prompt, by)
    now = current_texts([prompt.pk], conditions).get(prompt.pk, {})
    if not now or seen != texts_sha256(now):
        raise Refused("The framings were changed meanwhile. Read them again, as they stand now.")
    tidy = {key: clean(text).strip() for key, text in texts.items()}
    changed = {key: tidy[key] for key in conditions.keys if key in tidy and tidy[key] != now[key]}
    if not changed:
        raise Refused("Nothing was changed: the words are as they were.")
    if any(not 0 < len(text) <= MAX_TEXT_LENGTH for text in changed.values()):
        raise Refused(f"A framing has 1 to {MAX_TEXT_LENGTH:,} characters.")
    reason = " ".join(clean(reason).split())
    if not 0 < len(reason) <= MAX_REASON_LENGTH:
        raise Refused(f"Say why, in up to {MAX_REASON_LENGTH} characters.", field="reason")
    add_versions(prompt.pk, changed, by=by, reason=reason)
    audit.record(
        verb=AuditVerb.FRAMING_EDITED,
        by=by,
        study=study,
        subject=prompt.pk,
        conditions=list(changed),
        reason=reason,
    )


def ask_for_others(*, prompt: FramedPrompt, by: User) -> Call:
    """Have the rewriter asked once more, under the limit of its run; new framings count from when they come."""
    about = Call.objects.filter(subject=prompt.pk, run__purpose=GenerationRun.Purpose.FRAMING)
    call = about.exclude(state="superseded").order_by("-pk").first()
    if call is None:
        raise Refused("It was not rewritten yet.")
    return ask_once_more(call=call, by=by)


def _open(prompt: FramedPrompt, by: User) -> tuple[Study, Conditions]:
    """The study, for its coordinator, with the prompt locked; Raises `Refused` once it is released."""
    study = prompt.set.study
    check_coordinator(by, study)
    studies.lock_shared(study)
    if why := pool.closed_in(study):
        raise Refused(why)
    FramedPrompt.objects.select_for_update(of=("self",), no_key=True).get(pk=prompt.pk)
    return study, conditions_of(prompt.set)


def _sha256_now(prompt: FramedPrompt, conditions: Conditions) -> str:
    texts = current_texts([prompt.pk], conditions).get(prompt.pk)
    return texts_sha256(texts) if texts else ""
