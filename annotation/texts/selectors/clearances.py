"""What coordinators have cleared: texts in which the scan found something that they took for a mistake."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef

from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus, TextClearance
from annotation.texts.selectors.quarantine import Found, found_in


@dataclass(frozen=True)
class Cleared:
    """A clearance that stands: what the scan had found, and why a coordinator let the text in all the same."""

    id: int
    response: UUID
    prompt_code: str
    findings: tuple[Found, ...]
    reason: str
    cleared_at: datetime
    cleared_by: str


def cleared_texts(study: Study) -> list[Cleared]:
    """Clearances of texts that are in the study, by prompt."""
    standing = TextClearance.objects.filter(response__study=study, withdrawn_at__isnull=True)
    admitted = Stimulus.objects.filter(study=study, state="admitted", pk__in=standing.values("response"))
    stimuli = admitted.select_related("prompt", "response").in_bulk()
    return [
        Cleared(
            id=clearance.pk,
            response=clearance.response_id,
            prompt_code=stimuli[clearance.response_id].prompt.code,
            findings=found_in(stimuli[clearance.response_id]),
            reason=clearance.reason,
            cleared_at=clearance.cleared_at,
            cleared_by=clearance.cleared_by.name,
        )
        for clearance in standing.select_related("cleared_by").order_by("response__prompt__position", "pk")
        if clearance.response_id in stimuli
    ]


def withheld_since(moment: str) -> Exists:
    """Whether a text of a row's study was withheld after the row's `moment`."""
    return Exists(
        TextClearance.objects.filter(
            response__study=OuterRef("study"), is_withheld=True, withdrawn_at__gt=OuterRef(moment)
        )
    )


def withheld_texts(study: Study) -> frozenset[UUID]:
    """Texts whose clearance was withdrawn once the study was unblinded."""
    withheld = TextClearance.objects.filter(response__study=study, is_withheld=True)
    return frozenset(withheld.values_list("response", flat=True))
