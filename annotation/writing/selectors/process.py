"""How an answer came about, for its writer and for the coordinator."""

from django.db.models.functions import Length

from annotation.writing.core.activity import ProcessRecord, Saved, summarise
from annotation.writing.models import DraftRevision, WritingAssignment


def process_record(assignment: WritingAssignment) -> ProcessRecord:
    """What the writer's browser noted while the answer was written, summed up."""
    saves = DraftRevision.objects.filter(assignment=assignment).values_list(
        "pen_epoch", Length("inserted"), "removed", "activity"
    )
    return summarise(Saved(epoch, put_in, removed, activity or ()) for epoch, put_in, removed, activity in saves)
