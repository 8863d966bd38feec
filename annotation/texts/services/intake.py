"""The one way in which every text, human or model, enters the study.

It is recorded first, as it was sent, and read afterwards: normalised and scanned, in a process that can be ended.
What cannot be read is quarantined.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STIMULUS
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.text import clean, count_words, sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.study.models.prompts import Prompt
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.texts.core.leaks.scan import Finding, gravest
from annotation.texts.core.normalisation import VERSION
from annotation.texts.core.reading import Reading
from annotation.texts.core.work_kinds import READ_TEXT
from annotation.texts.models.provenance import Arm, Stimulus, TextClearance, TextEdit
from annotation.texts.policies import takes_text
from annotation.texts.providers.reader import AT_ONCE, READER, Reader, Unreadable

MAX_TRIES: Final = 2
NOTHING_LEFT: Final = "nothing of it is left once it is read"
BROKE_OFF: Final = "whoever read it was ended before it was done"


# -- entering ------------------------------------------------------------------------------------------------


@transaction.atomic
def receive(
    *,
    study: Study,
    prompt: Prompt,
    text: str,
    arm: Arm,
    source_code: str,
    by: User | None,
    names: Sequence[str] = (),
) -> Response:
    """Keep a text as it was sent, with its provenance beside it, and have a worker read it.

    `names` are strings that would identify this text's author. Raises `Refused` for a text without words, for a
    model's that is longer than any answer, and when the study takes no texts of this arm any more.
    """
    _check_enters(study, arm, text)
    text = clean(text)
    words = count_words(text)
    if not words:
        raise Refused("There is no text in this answer.")
    response = Response.objects.create(study=study, prompt=prompt, text=text, word_count=words)
    Stimulus.objects.create(
        response=response, study=study, prompt=prompt, arm=arm, source_code=source_code, names=[*names]
    )
    audit.record(
        verb=AuditVerb.TEXT_RECEIVED, by=by, study=study, subject=response.id, sha256=sha256_hex(text), words=words
    )
    work.ask(kind=READ_TEXT, subject=response.id)
    return response


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
    """Read a text at once, and keep it as a response with its provenance beside it.

    A text that may give its source away is quarantined until a coordinator has looked at it, unless no judge will
    see it anyway. One that takes long is only received. Raises `Refused` as `receive` does.
    """
    _check_enters(study, arm, text)
    try:
        reading = READER.read(text, names=names, limits=AT_ONCE)
    except Unreadable:
        return receive(study=study, prompt=prompt, text=text, arm=arm, source_code=source_code, by=by, names=names)
    if not reading.words:
        raise Refused("There is no text in this answer.")
    response = Response.objects.create(
        study=study, prompt=prompt, text=reading.text, word_count=reading.words, normalisation=VERSION
    )
    stimulus = Stimulus(response=response, study=study, prompt=prompt, arm=arm, source_code=source_code)
    _take_in(stimulus, reading, by=by)
    return response


def _check_enters(study: Study, arm: Arm, text: str) -> None:
    """The study takes texts of this arm until the transaction ends, and this one is not too long."""
    studies.lock_shared(study)
    if not takes_text(study, arm):
        raise Refused("No text can enter this study at present.")
    if arm != Arm.HUMAN and len(text) > ANSWER_CHARACTERS:  # people's are refused while they write
        raise Refused(f"An answer has at most {ANSWER_CHARACTERS:,} characters; this one has {len(text):,}.")


def words_shown(text: str) -> int:
    """How many words of a model's text judges would be shown; of what takes long to read, those it came with."""
    try:
        return READER.read(text, limits=AT_ONCE).words
    except Unreadable:
        return count_words(clean(text))


# -- reading what was received -------------------------------------------------------------------------------


def read(*, response_id: UUID, reader: Reader = READER) -> None:
    """Read a text that was received, or do nothing where it is not waiting for that any more. Idempotent.

    A text is tried `MAX_TRIES` times, whatever ended a try; then it is quarantined. Raises `Unreadable` where
    another try is left.
    """
    sent = _begin(response_id)
    if sent is None:
        return
    try:
        reading = reader.read(sent.response.text, names=sent.names)
    except Unreadable as failure:
        if sent.tries < MAX_TRIES:
            raise
        _finish(sent, str(failure))
    else:
        _finish(sent, reading if reading.words else NOTHING_LEFT)


@transaction.atomic
def _begin(response_id: UUID) -> Stimulus | None:
    """Count a try before it can end this process; the text, or `None` where there is nothing to be tried."""
    waiting = Stimulus.objects.select_for_update(of=("self",)).select_related("response", "study")
    sent = waiting.filter(pk=response_id, state="received").first()
    if sent is None:
        return None
    if sent.tries >= MAX_TRIES:
        _set_aside(sent, BROKE_OFF)
        return None
    sent.tries += 1
    sent.save(update_fields=["tries"])
    return sent


@transaction.atomic
def _finish(sent: Stimulus, found: Reading | str) -> None:
    """Take in what reading a text came to, or why it cannot be read; not where it was taken back meanwhile."""
    studies.lock_shared(sent.study)
    waiting = Stimulus.objects.select_for_update(of=("self",)).select_related("response", "study")
    stimulus = waiting.filter(pk=sent.pk, state="received", tries=sent.tries).first()
    if stimulus is None:
        return
    if isinstance(found, str):
        _set_aside(stimulus, found)
        return
    response = stimulus.response
    response.text, response.word_count, response.normalisation = found.text, found.words, VERSION
    response.save(update_fields=["text", "word_count", "normalisation"])
    _take_in(stimulus, found, by=None)


def _take_in(stimulus: Stimulus, reading: Reading, *, by: User | None) -> None:
    is_held = bool(reading.findings) and stimulus.arm != Arm.MAXIMUM
    stimulus.state = STIMULUS.after("hold" if is_held else "admit", stimulus.state)
    stimulus.flags, stimulus.is_read, stimulus.names = _flags(reading.findings), True, []
    stimulus.leak_severity = gravest(reading.findings)
    stimulus.save()
    audit.record(
        verb=AuditVerb.TEXT_QUARANTINED if is_held else AuditVerb.TEXT_ADMITTED,
        by=by,
        study=stimulus.study,
        subject=stimulus.pk,
        flags=_kinds(reading.findings),
        sha256=sha256_hex(reading.text),
    )


def _set_aside(stimulus: Stimulus, fault: str) -> None:
    stimulus.state, stimulus.fault = STIMULUS.after("hold", stimulus.state), fault
    stimulus.save(update_fields=["state", "fault"])
    audit.record(verb=AuditVerb.TEXT_UNREADABLE, by=None, study=stimulus.study, subject=stimulus.pk, reason=fault)


def _flags(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    return [asdict(finding) for finding in findings]


def _kinds(findings: Sequence[Finding]) -> list[str]:
    return sorted({finding.kind for finding in findings})


# -- deciding ------------------------------------------------------------------------------------------------


@transaction.atomic
def decide(*, stimulus: Stimulus, verb: str, reason: str, by: User) -> None:
    """`clear` or `reject` a text, or have one `read_again` that could not be, with a reason.

    Raises `Refused` where its state does not allow that, and for clearing a text that nobody has read.
    """
    stimulus, reason = _locked(stimulus, by), audit.stated(reason)
    if verb == "clear" and not stimulus.is_read:
        raise Refused("This text could not be read, so nobody knows what judges would see. Edit or reject it.")
    if verb == "read_again":
        if stimulus.is_read:
            raise Refused("This text has been read.")
        stimulus.tries, stimulus.fault = 0, ""
        work.ask(kind=READ_TEXT, subject=stimulus.pk)
    if verb == "reject":
        stimulus.names = []
    if verb == "clear":
        TextClearance.objects.create(response_id=stimulus.pk, reason=reason, cleared_by=by)
    stimulus.state = STIMULUS.after(verb, stimulus.state)
    stimulus.save(update_fields=["state", "tries", "fault", "names"])
    audit.record(verb=AuditVerb(f"text.{verb}"), by=by, study=stimulus.study, subject=stimulus.pk, reason=reason)


def read_edit(stimulus: Stimulus, text: str) -> Reading:
    """What a text becomes by an edit, scanned also for the names that were found in it before.

    Raises `Refused` where it is longer than an answer, or takes long to read.
    """
    if len(text) > ANSWER_CHARACTERS:
        raise Refused(f"An answer has at most {ANSWER_CHARACTERS:,} characters; this one has {len(text):,}.")
    before = stimulus.response.text
    found = (before[flag["start"] : flag["end"]] for flag in stimulus.flags if flag["kind"] == "author_name")
    try:
        return READER.read(text, names=sorted({*found, *stimulus.names}), limits=AT_ONCE)
    except Unreadable as failure:
        raise Refused(f"These words cannot be taken: {failure}. Take out what repeats itself.") from failure


def edit(*, stimulus: Stimulus, text: str, reason: str, by: User, is_rest_harmless: bool = False) -> TextEdit:
    """Let a quarantined text in with other words. The words it had are kept beside it, with the reason.

    Raises `Refused` where nothing is changed or left, and where the scan finds something in the new words, unless
    `is_rest_harmless` says that somebody has looked at that.
    """
    check_coordinator(by, stimulus.study)
    return _edit(stimulus, read_edit(stimulus, text), reason, by, is_rest_harmless=is_rest_harmless)


@transaction.atomic
def _edit(stimulus: Stimulus, reading: Reading, reason: str, by: User, *, is_rest_harmless: bool) -> TextEdit:
    stimulus, reason = _locked(stimulus, by), audit.stated(reason)
    stimulus.state = STIMULUS.after("edit", stimulus.state)
    response = Response.objects.select_for_update().get(pk=stimulus.pk)
    before, after = response.text, reading.text
    if after == before and stimulus.is_read:
        raise Refused("Nothing was changed. If the text can stay as it is, clear it.")
    if not reading.words:
        raise Refused("Nothing is left of the text. If it cannot be used, reject it.")
    if reading.findings and not is_rest_harmless:
        found = ", ".join(f"“{after[finding.start : finding.end]}”" for finding in reading.findings)
        raise Refused(f"The scan still finds {found}. Take that out as well, or say that it gives nothing away.")
    response.text, response.word_count, response.normalisation = after, reading.words, VERSION
    response.save(update_fields=["text", "word_count", "normalisation"])
    stimulus.flags, stimulus.is_read, stimulus.fault, stimulus.names = _flags(reading.findings), True, "", []
    stimulus.leak_severity = gravest(reading.findings)
    stimulus.save(update_fields=["state", "flags", "leak_severity", "is_read", "fault", "names"])
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
        flags=_kinds(reading.findings),
        sha256_before=sha256_hex(before),
        sha256_after=sha256_hex(after),
    )
    return edited


def _locked(stimulus: Stimulus, by: User) -> Stimulus:
    """The text as it stays until the transaction ends, for its coordinator while texts are decided about."""
    check_coordinator(by, stimulus.study)
    held = Stimulus.objects.select_for_update(of=("self",)).select_related("study").get(pk=stimulus.pk)
    studies.lock_shared(held.study)
    if not takes_text(held.study, Arm(held.arm)):
        raise Refused("Texts can be decided on only until judging opens.")
    return held
