"""The one way in which every text, human or model, enters the study."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STIMULUS
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.text import count_words, sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.texts.core.leaks import Finding, gravest, scan
from annotation.texts.core.normalisation import normalise
from annotation.texts.models.provenance import Arm, Stimulus, TextEdit
from annotation.texts.policies import takes_text, takes_texts
from annotation.texts.selectors.quarantine import rescan


@transaction.atomic
def admit(
    *,
    study: Study,
    prompt: Prompt,
    text: str,
    arm: Arm,
    source_code: str,
    by: User | None,
    names: Sequence[str] = (),
) -> Response:
    """Clean, normalise and scan a text, and keep it as a response with its provenance beside it.

    A text that may give its source away is quarantined until a coordinator has looked at it, unless no judge will
    see it anyway. `names` are strings that would identify this text's author. Raises `Refused` for a text without
    words, for a model's that is longer than any answer, and when the study takes no texts of this arm any more.
    """
    studies.lock_shared(study)
    if not takes_text(study, arm):
        raise Refused("No text can enter this study at present.")
    if arm != Arm.HUMAN and len(text) > ANSWER_CHARACTERS:  # people's are refused while they write
        raise Refused(f"An answer has at most {ANSWER_CHARACTERS:,} characters; this one has {len(text):,}.")
    shown = normalise(text, markdown=arm != Arm.HUMAN)
    words = count_words(shown)
    if not words:
        raise Refused("There is no text in this answer.")
    findings = scan(shown, names=names)
    is_held = bool(findings) and arm != Arm.MAXIMUM
    response = Response.objects.create(study=study, prompt=prompt, text=shown, word_count=words)
    Stimulus.objects.create(
        response=response,
        study=study,
        prompt=prompt,
        arm=arm,
        source_code=source_code,
        state="quarantined" if is_held else "admitted",
        flags=_flags(findings),
        leak_severity=gravest(findings),
    )
    audit.record(
        verb=AuditVerb.TEXT_QUARANTINED if is_held else AuditVerb.TEXT_ADMITTED,
        by=by,
        study=study,
        subject=response.id,
        flags=_kinds(findings),
    )
    return response


def _flags(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    return [asdict(finding) for finding in findings]


def _kinds(findings: Sequence[Finding]) -> list[str]:
    return sorted({finding.kind for finding in findings})


@transaction.atomic
def decide(*, stimulus: Stimulus, verb: str, reason: str, by: User) -> None:
    """`clear` or `reject` a text, with a reason. Raises `Refused` where its state does not allow that."""
    stimulus, reason = _locked(stimulus, by), audit.stated(reason)
    stimulus.state = STIMULUS.after(verb, stimulus.state)
    stimulus.save(update_fields=["state"])
    audit.record(verb=AuditVerb(f"text.{verb}"), by=by, study=stimulus.study, subject=stimulus.pk, reason=reason)


@transaction.atomic
def edit(*, stimulus: Stimulus, text: str, reason: str, by: User, is_rest_harmless: bool = False) -> TextEdit:
    """Let a quarantined text in with other words. The words it had are kept beside it, with the reason.

    Raises `Refused` where nothing is changed or left, and where the scan finds something in the new words, unless
    `is_rest_harmless` says that somebody has looked at that.
    """
    stimulus, reason = _locked(stimulus, by), audit.stated(reason)
    stimulus.state = STIMULUS.after("edit", stimulus.state)
    response = Response.objects.select_for_update().get(pk=stimulus.pk)
    before, after = response.text, normalise(text, markdown=False)
    if after == before:
        raise Refused("Nothing was changed. If the text can stay as it is, clear it.")
    response.text, response.word_count = after, count_words(after)
    if not response.word_count:
        raise Refused("Nothing is left of the text. If it cannot be used, reject it.")
    findings = rescan(stimulus, before, after)
    if findings and not is_rest_harmless:
        found = ", ".join(f"“{after[finding.start : finding.end]}”" for finding in findings)
        raise Refused(f"The scan still finds {found}. Take that out as well, or say that it gives nothing away.")
    stimulus.flags, stimulus.leak_severity = _flags(findings), gravest(findings)
    stimulus.save(update_fields=["state", "flags", "leak_severity"])
    response.save(update_fields=["text", "word_count"])
    number = TextEdit.objects.filter(response=response).count() + 1
    edited = TextEdit.objects.create(
        response=response, number=number, before=before, after=after, reason=reason, edited_by=by
    )
    audit.record(
        verb=AuditVerb.TEXT_EDIT,
        by=by,
        study=stimulus.study,
        subject=stimulus.pk,
        reason=reason,
        flags=_kinds(findings),
        sha256_before=sha256_hex(before),
        sha256_after=sha256_hex(after),
    )
    return edited


def _locked(stimulus: Stimulus, by: User) -> Stimulus:
    """The text as it stays until the transaction ends, for its coordinator while texts are decided about."""
    check_coordinator(by, stimulus.study)
    held = Stimulus.objects.select_for_update(of=("self",)).select_related("study").get(pk=stimulus.pk)
    studies.lock_shared(held.study)
    if not takes_texts(held.study):
        raise Refused("Texts can be decided on only until judging opens.")
    return held
