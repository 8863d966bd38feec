"""What a coordinator decides about a run that reads texts."""

from generation.calls.forms import PlanForm
from generation.calls.models import GenerationRun


class ReadingForm(PlanForm):
    purpose = GenerationRun.Purpose.READING
