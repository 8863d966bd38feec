"""Taking in what models that read texts say of them."""

from uuid import UUID

from django.db import transaction

from annotation.platform.core.lifecycle import STIMULUS
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from annotation.study.services import studies
from annotation.texts.models.model_readings import TextReading
from annotation.texts.models.provenance import Stimulus, TextEdit
from annotation.texts.policies import takes_texts


@transaction.atomic
def take_in(
    *, study: Study, response: UUID, text: str, reader: str, verdict: int, quote: str = "", reason: str, by: None
) -> bool:
    """Keep what `reader`, a model, said of `text`; hold the text back if it is suspected and nobody has looked yet.

    Who has looked is a coordinator: what they cleared or edited stays where it is. False, with nothing kept, where
    the response has other words by now, or texts are decided about no more.
    """
    studies.lock_shared(study)
    stimulus = Stimulus.objects.select_for_update(of=("self",)).select_related("response").get(pk=response)
    if stimulus.response.text != text or not takes_texts(study):
        return False
    is_looked_at = _is_looked_at(stimulus)
    TextReading.objects.update_or_create(
        response_id=response,
        text_sha256=sha256_hex(text),
        reader=reader,
        defaults={"verdict": verdict, "quote": quote, "reason": reason},
    )
    if not verdict:
        return True
    stimulus.leak_severity = max(stimulus.leak_severity, verdict)
    if stimulus.state == "admitted" and not is_looked_at:
        stimulus.state = STIMULUS.after("hold", stimulus.state)
        audit.record(
            verb=AuditVerb.TEXT_QUARANTINED, by=by, study=study, subject=response, flags=["reading"], reader=reader
        )
    stimulus.save(update_fields=["state", "leak_severity"])
    return True


def _is_looked_at(stimulus: Stimulus) -> bool:
    """Whether an admitted text was in quarantine before, for the scan or for a reader."""
    suspected = TextReading.objects.filter(response=stimulus.pk, verdict__gt=0)
    return bool(stimulus.flags) or suspected.exists() or TextEdit.objects.filter(response=stimulus.pk).exists()
