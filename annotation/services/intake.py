"""The one door through which every text, human or model, enters the study."""

from collections.abc import Sequence
from dataclasses import asdict

from django.db import transaction

from annotation.core.errors import Refused
from annotation.core.leaks import Finding, scan
from annotation.core.lifecycle import STIMULUS
from annotation.core.normalisation import normalise
from annotation.core.text import clean, count_words
from annotation.models.allocation import Arm, Stimulus
from annotation.models.people import User
from annotation.models.prompts import Prompt
from annotation.models.responses import Response
from annotation.models.studies import Study
from annotation.policies.roles import check_coordinator
from annotation.policies.texts import takes_texts
from annotation.services import audit, studies


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

    A text that may give its source away is quarantined until a coordinator has looked at it. `names` are strings
    that would identify this text's author. Raises `Refused` for a text without words, and
    once judging is open.
    """
    studies.steady(study)
    if not takes_texts(study):
        raise Refused("No text can enter this study at present.")
    shown = normalise(clean(text), markdown=arm != Arm.HUMAN)
    words = count_words(shown)
    if not words:
        raise Refused("There is no text in this answer.")
    findings = scan(shown, names=names)
    response = Response.objects.create(study=study, prompt=prompt, text=shown, word_count=words)
    Stimulus.objects.create(
        response=response,
        study=study,
        prompt=prompt,
        arm=arm,
        source_code=source_code,
        state="quarantined" if findings else "admitted",
        flags=[asdict(finding) for finding in findings],
    )
    audit.record(
        verb="text.quarantined" if findings else "text.admitted",
        by=by,
        study=study,
        subject=response.id,
        flags=_kinds(findings),
    )
    return response


def _kinds(findings: Sequence[Finding]) -> list[str]:
    return sorted({finding.kind for finding in findings})


@transaction.atomic
def decide(*, stimulus: Stimulus, verb: str, reason: str, by: User) -> None:
    """`clear` or `reject` a text, with a reason. Raises `Refused` where its state does not allow that."""
    check_coordinator(by, stimulus.study)
    reason = audit.stated(reason)
    stimulus = Stimulus.objects.select_for_update(of=("self",)).select_related("study").get(pk=stimulus.pk)
    studies.steady(stimulus.study)
    if not takes_texts(stimulus.study):
        raise Refused("Texts can be decided on only until judging opens.")
    stimulus.state = STIMULUS.after(verb, stimulus.state)
    stimulus.save(update_fields=["state"])
    audit.record(verb=f"text.{verb}", by=by, study=stimulus.study, subject=stimulus.pk, reason=reason)
