"""Answers to framings and to the prompts behind them: which are wanted, how they are asked for and kept.

None of them is a response of the study: what judges see is made of responses alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.text import clean, count_words, sha256_hex
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from annotation.texts.core.normalisation import normalise
from annotation.texts.models.provenance import Arm, Stimulus
from generation.answers.models import ModelAnswer
from generation.answers.services.answers import TOKENS_PER_TARGET_WORD
from generation.calls.core.call_keys import call_key
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun, Subject
from generation.calls.services import planning, runs
from generation.calls.services.good_replies import GoodReply, one_by_one
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.catalogue.services import targets as target_services
from generation.catalogue.services import templates
from generation.framing.models import FramedAnswer, FramedPrompt, FramingSet
from generation.framing.selectors.questions import Question, questions
from generation.prompts.services import pool
from generation.providers.base import Request


@transaction.atomic
def plan_answers(*, framing_set: FramingSet, by: User, again: bool = False) -> list[GenerationRun]:
    """Plan both ways to ask: with the instruction about the length, so that answers which the study has to the
    prompts themselves serve, and the framings alone, with those answers asked for anew. `again` has the prompts
    themselves answered twice, which shows how much two answers of a model differ without any framing.

    Nothing is sent; whoever approves one way withdraws the other. Plans that nobody approved and that do not agree
    with this on `again` are withdrawn: what they list would be missing here. Raises `Refused` where no framings
    passed yet, or where answers are there that were asked for otherwise than one would ask now: these would not
    compare.
    """
    check_coordinator(by, framing_set.study)
    studies.lock_for_update(framing_set.study)
    if not questions(framing_set):
        raise Refused("No prompt’s framings have passed their checks yet.")
    _check_alike(framing_set)
    _withdraw_others(framing_set, by, again=again)
    take_baselines(framing_set)
    return [
        planning.plan_run(
            study=framing_set.study,
            by=by,
            purpose=GenerationRun.Purpose.FRAMED_ANSWER,
            only={"set": framing_set.pk, "instructed": instructed, **({"again": True} if again else {})},
        )
        for instructed in (True, False)
    ]


def _withdraw_others(framing_set: FramingSet, by: User, *, again: bool) -> None:
    plans = GenerationRun.objects.filter(
        study=framing_set.study,
        purpose=GenerationRun.Purpose.FRAMED_ANSWER,
        materials__only__set=framing_set.pk,
        state__in=("planning", "planned"),
    )
    for run in plans:
        if _is_repeated(run) != again:
            runs.withdraw_plan(run=run, by=by)


def take_baselines(framing_set: FramingSet) -> None:
    """Let answers that the study has to the prompts, asked for in the same way, serve as answers to these."""
    study = framing_set.study
    prompts = {prompt.prompt_version_id: prompt for prompt in framing_set.prompts.exclude(prompt_version=None)}
    taken = set(_baselines(framing_set).values_list("prompt", "target"))
    rejected = Stimulus.objects.filter(study=study, state="rejected").values("pk")
    answers = ModelAnswer.objects.filter(
        call__prompt_version__in=prompts, call__arm=Arm.MODEL, call__target__retired_at__isnull=True
    ).exclude(response__in=rejected)
    template = templates.current(study, "answer").text
    for answer in answers.select_related("call__run", "call__target__study").order_by("call__replicate", "pk"):
        call, prompt = answer.call, prompts[cast(int, answer.call.prompt_version_id)]
        if (prompt.subject_id, call.target_id) in taken or not _asked_alike(call, study, template):
            continue
        taken.add((prompt.subject_id, call.target_id))
        _keep(prompt, None, call, answer.raw_text, is_instructed=True)


class FramedAnswers(Purpose):
    """The purpose “framed_answer”: one user turn, no system turn, the study's effort for its own answers."""

    role = Target.Role.ANSWERS

    def closed(self, run: GenerationRun) -> str:
        study = pool.study_of(run)
        if study.state == "design":
            return "Prompts may still change: answers under pressure are asked for once the design is locked."
        return pool.closed_in(study)

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study = pool.study_of(run)
        return {
            "templates": templates.materials(study, ["answer"]) if _is_instructed(run) else {},
            "efforts": {str(target.pk): _effort(study, target) for target in targets},
            "output_tokens": {
                "expected": study.target_words * TOKENS_PER_TARGET_WORD,
                "most": study.output_token_cap,
            },
        }

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        """An answer of each model to every question. One that is there serves: its own call's key identifies it."""
        there = dict(_there(run))
        targets = [share.target for share in run.shares.select_related("target__study")]
        for question in _questions(run):
            text = _prompt(run, question.text)
            for target in targets:
                known = there.get((question.subject, target.pk)) if question.replicate == 1 else None
                yield PlannedCall(
                    key=known or _key(run, question, target),
                    target_id=target.pk,
                    characters=len(text),
                    subject_id=question.subject,
                    replicate=question.replicate,
                )

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        way = "with the instruction about the length" if _is_instructed(run) else "the framing alone"
        twice = [("Prompts themselves", "asked twice")] if _is_repeated(run) else []
        return [("Framings", str(_set(run))), ("Asked", way), *twice]

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        """Nothing for framings that count no more."""
        asked = {question.subject: question for question in _questions(run)}
        targets = Target.objects.in_bulk({call.target_id for call in calls})
        return {
            call.pk: Request(
                model=targets[call.target_id].model_id,
                prompt=_prompt(run, asked[_about(call)].text),
                effort=run.materials["efforts"][str(call.target_id)],
                max_output_tokens=run.materials["output_tokens"]["most"],
                options=targets[call.target_id].options,
            )
            for call in calls
            if _about(call) in asked
        }

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        about = [_about(each.call) for each in good]
        prompts = FramedPrompt.objects.filter(pk__in=about) | FramedPrompt.objects.filter(framings__in=about)
        by_subject: dict[int, FramedPrompt] = {}
        for prompt in prompts.distinct().prefetch_related("framings"):
            by_subject[prompt.subject_id] = prompt
            by_subject |= {framing.subject_id: prompt for framing in prompt.framings.all()}
        return one_by_one(good, partial(self._accept, run, by_subject))

    def _accept(self, run: GenerationRun, by_subject: Mapping[int, FramedPrompt], good: GoodReply) -> str:
        if self.closed(run):
            return "superseded"
        text = clean(good.reply.text)
        if len(text) > ANSWER_CHARACTERS or not count_words(normalise(text)):
            return "empty"
        about = _about(good.call)
        prompt = by_subject[about]
        framing = None if about == prompt.subject_id else about
        is_new = _keep(prompt, framing, good.call, good.reply.text, is_instructed=_is_instructed(run))
        return "" if is_new else "superseded"


FRAMED_ANSWERS = FramedAnswers()


def _keep(prompt: FramedPrompt, framing: int | None, call: Call, raw_text: str, *, is_instructed: bool) -> bool:
    """Whether there was none yet, also where somebody else keeps one at the same moment."""
    brought: dict[str, Any] = {
        "subject": partial(Subject.objects.create, kind="framed answer"),
        "call": call,
        "raw_text": raw_text,
        "text": normalise(clean(raw_text)),
    }
    _, is_new = FramedAnswer.objects.get_or_create(
        prompt=prompt,
        framing_id=framing,
        target_id=call.target_id,
        is_instructed=is_instructed,
        replicate=call.replicate if call.subject_id else 1,
        defaults=brought,
    )
    return is_new


def _check_alike(framing_set: FramingSet) -> None:
    template = templates.current(framing_set.study, "answer").text
    there = FramedAnswer.objects.filter(prompt__set=framing_set).select_related("call__run", "call__target__study")
    for answer in there.order_by("call__run_id", "target_id").distinct("call__run_id", "target_id"):
        if not _asked_alike(answer.call, framing_set.study, template):
            raise Refused(
                "Answers of this set were asked for in another wording, at another effort or under another output "
                "cap than the study has now. Others would not compare with them: draw a new set."
            )


def _asked_alike(call: Call, study: Study, template: str) -> bool:
    """Whether the study's call asked in the words, at the effort and under the cap in which one would ask now."""
    said = call.run.materials
    return bool(
        said["templates"].get("answer", template) == template
        and said["efforts"].get(str(call.target_id)) == _effort(study, call.target)
        and said["output_tokens"]["most"] == study.output_token_cap
    )


def _baselines(framing_set: FramingSet) -> Any:
    return FramedAnswer.objects.filter(
        prompt__set=framing_set, framing__isnull=True, is_instructed=True, replicate=1
    )


def _there(run: GenerationRun) -> Iterator[tuple[tuple[int, int], str]]:
    """The keys of answers that were taken from the study, by prompt and model; they had the instruction."""
    if _is_instructed(run):
        taken = _baselines(_set(run)).filter(call__subject__isnull=True)
        for prompt, target, key in taken.values_list("prompt", "target", "call__key"):
            yield (prompt, target), key


def _effort(study: Study, target: Target) -> str:
    return target.effort or target_services.effort_of(target, study.matched_effort)


def _key(run: GenerationRun, question: Question, target: Target) -> str:
    study = pool.study_of(run)
    identity = target_services.identity(
        target,
        purpose=run.purpose,
        effort=run.materials["efforts"][str(target.pk)],
        output_token_cap=run.materials["output_tokens"]["most"],
    )
    lengths = {"target_words": study.target_words, "word_limit": study.model_word_limit}
    return call_key(
        target=identity,
        template=_template(run).version if _is_instructed(run) else "",
        inputs={"text": sha256_hex(question.text), **(lengths if _is_instructed(run) else {})},
        replicate=question.replicate,
        subject=question.subject,
    )


def _prompt(run: GenerationRun, text: str) -> str:
    if not _is_instructed(run):
        return text
    study = pool.study_of(run)
    return _template(run).fill(prompt=text, target_words=study.target_words, word_limit=study.model_word_limit)


def _template(run: GenerationRun) -> PromptTemplate:
    return PromptTemplate("answer", run.materials["templates"]["answer"])


def _is_instructed(run: GenerationRun) -> bool:
    return bool(pool.only(run).get("instructed"))


def _is_repeated(run: GenerationRun) -> bool:
    return bool(pool.only(run).get("again"))


def _set(run: GenerationRun) -> FramingSet:
    return FramingSet.objects.get(pk=pool.only(run)["set"], study=run.study)


def _questions(run: GenerationRun) -> list[Question]:
    return questions(_set(run), again=_is_repeated(run))


def _about(call: Call) -> int:
    return cast(int, call.subject_id)
