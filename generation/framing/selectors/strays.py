"""Answers under pressure that have become what judges are shown, by whatever road."""

from django.db.models import Exists, OuterRef, Q

from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from generation.answers.models import ModelAnswer
from generation.calls.models import GenerationRun
from generation.framing.models import FramedAnswer


def framed_answers_among_responses(study: Study) -> list[str]:
    """Ids of the study's responses that were made of a call for such an answer, or have the words of one.

    A model may refuse prompt and framing in the same words: what the study's own calls brought is not looked at.
    """
    framed = FramedAnswer.objects.filter(
        prompt__set__study=study, call__run__purpose=GenerationRun.Purpose.FRAMED_ANSWER
    )
    brought = ModelAnswer.objects.filter(response=OuterRef("pk"))
    of_framings = brought.filter(call__run__purpose=GenerationRun.Purpose.FRAMED_ANSWER)
    strays = Stimulus.objects.filter(study=study).filter(
        Q(Exists(of_framings)) | Q(response__text__in=framed.values("text")) & ~Exists(brought)
    )
    return sorted(str(response) for response in strays.values_list("response_id", flat=True))
