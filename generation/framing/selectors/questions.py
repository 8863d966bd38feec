"""What models are asked under pressure, and their answers."""

from dataclasses import dataclass

from django.db.models import QuerySet

from generation.framing.models import FramedAnswer, FramedPrompt, FramingSet
from generation.framing.selectors.framings import framed_prompts, newest_framings


@dataclass(frozen=True)
class Question:
    """A framing that passed, or the prompt behind such; `text` is what is asked, by `replicate` 2 once more."""

    subject: int
    prompt: FramedPrompt
    text: str
    replicate: int = 1


def questions(framing_set: FramingSet, *, again: bool = False) -> list[Question]:
    """What is asked: prompts whose framings passed, each followed by these; twice where they are asked `again`."""
    passed = [framed.prompt for framed in framed_prompts(framing_set) if framed.standing.state == "passed"]
    framings = newest_framings(prompt.subject_id for prompt in passed)
    found = []
    for prompt in passed:
        found += [Question(prompt.subject_id, prompt, prompt.text, replicate) for replicate in (1, 2)[: 1 + again]]
        found += [Question(each.subject_id, prompt, each.text) for each in framings[prompt.subject_id]]
    return found


def answers_scored(framing_set: FramingSet, *, instructed: bool) -> QuerySet[FramedAnswer]:
    """Answers to what is asked, by the one way to ask or the other."""
    subjects = [question.subject for question in questions(framing_set)]
    answers = FramedAnswer.objects.filter(prompt__set=framing_set, is_instructed=instructed)
    to_prompts, to_framings = (
        answers.filter(framing=None, prompt__in=subjects),
        answers.filter(framing__in=subjects),
    )
    found = (to_prompts | to_framings).order_by("pk")
    return found.select_related("framing", "prompt__prompt_version", "prompt__candidate")
