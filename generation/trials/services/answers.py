"""Answers to cases: which are wanted, how they are asked for, and how they enter the study."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from django.db import transaction
from django.db.models import Max, QuerySet

from annotation.platform.core.errors import Refused
from annotation.platform.core.limits import ANSWER_CHARACTERS
from annotation.platform.core.text import clean, sha256_hex
from annotation.platform.models.users import User
from annotation.platform.services.clock import database_now
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.selectors.prompts import latest_versions
from annotation.study.services import studies
from annotation.texts.core.normalisation import normalise
from annotation.texts.models.provenance import Arm
from annotation.texts.policies import takes_texts
from annotation.texts.services import intake
from generation.answers.services.answers import TOKENS_PER_TARGET_WORD
from generation.calls.core.call_keys import call_key
from generation.calls.core.json_replies import Unreadable
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun, Subject
from generation.calls.services import planning
from generation.calls.services.good_replies import GoodReply, one_by_one
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.catalogue.services import targets as target_services
from generation.catalogue.services import templates
from generation.prompts.services import pool
from generation.providers.base import Request
from generation.trials.core.conditions import TrialConditions
from generation.trials.core.requests import (
    answer_schema,
    answer_text,
    answer_turn,
    framework_turn,
    read_answer,
)
from generation.trials.models import CaseAnswer, TrialCase
from generation.trials.selectors.answers import standing
from generation.trials.selectors.designs import conditions_of, design_of

MAX_REPEATS = 10


def why_closed(study: Study) -> str:
    """Why no answers to cases can be asked for now; "" where they can."""
    if takes_texts(study):
        return ""
    opens = "judging" if study.has_judging else "scoring"
    return f"Answers to cases are collected after the design is locked and before {opens} opens."


@transaction.atomic
def plan_answers(*, study: Study, by: User, repeats: int = 1) -> GenerationRun:
    """A run that asks for `repeats` answers to each case under each condition, and for one of each control.

    Nothing is sent. Raises `Refused` where there are no cases, and while texts cannot enter the study.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if not 1 <= repeats <= MAX_REPEATS:
        raise ValueError("There are no so many repeats.")
    cases = list(TrialCase.objects.filter(prompt__study=study).select_related("target"))
    if not cases:
        raise Refused("There are no cases yet: make them while the study is designed.")
    if retired := next((case.target for case in cases if case.target.retired_at), None):
        raise Refused(f"“{retired.family}” is retired, and cases were allotted to it.")
    if closed := why_closed(study):
        raise Refused(closed)
    _want(study, cases, repeats)
    targets = Target.objects.filter(pk__in=[case.target_id for case in cases]).select_related("study")
    return planning.plan_run(
        study=study,
        by=by,
        purpose=GenerationRun.Purpose.TRIAL_ANSWER,
        targets=list(targets.order_by("pk")),
        only={"repeats": repeats},
    )


class TrialAnswers(Purpose):
    """The purpose “trial_answer”: each answer is asked for in a conversation of its own."""

    role = Target.Role.ANSWERS

    def closed(self, run: GenerationRun) -> str:
        return why_closed(pool.study_of(run))

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study = pool.study_of(run)
        design = design_of(study)
        return {
            "templates": templates.materials(study, ["trial_answer", "trial_framework"]),
            "turn": design.turn,
            "conditions_sha256": design.conditions_sha256,
            "efforts": {
                str(target.pk): target.effort or target_services.effort_of(target, study.matched_effort)
                for target in targets
            },
            "output_tokens": {
                "expected": study.target_words * TOKENS_PER_TARGET_WORD,
                "most": study.output_token_cap,
            },
        }

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        told = "as the system turn" if run.materials["turn"] == "system" else "at the head of the question"
        return [("Frameworks are told", told), ("Answers of each condition", str(pool.only(run)["repeats"]))]

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        asked = _Asked(run)
        targets = {share.target_id: share.target for share in run.shares.select_related("target__study")}
        for answer in _slots(run):
            target, request = targets[answer.case.target_id], asked.request(answer)
            yield PlannedCall(
                key=asked.key(answer, target, request),
                target_id=target.pk,
                characters=len(request.system) + len(request.prompt),
                subject_id=answer.pk,
                replicate=answer.replicate,
            )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        asked = _Asked(run)
        about = {answer.pk: answer for answer in _slots(run).filter(pk__in=[call.subject_id for call in calls])}
        return {call.pk: asked.request(about[_about(call)]) for call in calls if _about(call) in about}

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        slots = CaseAnswer.objects.filter(pk__in=[each.call.subject_id for each in good])
        about = {answer.pk: answer for answer in slots.select_related("case__prompt", "case__target")}
        return one_by_one(good, partial(self._accept, run, about))

    def _accept(self, run: GenerationRun, about: Mapping[int, CaseAnswer], good: GoodReply) -> str:
        study, answer = pool.study_of(run), about[_about(good.call)]
        studies.lock_shared(study)
        if self.closed(run) or answer.call_id:
            return "superseded"
        try:
            parts = read_answer(good.reply.text)
        except Unreadable as fault:
            good.attempt.detail = str(fault)
            return "unreadable"
        text = answer_text(parts)
        if len(text) > ANSWER_CHARACTERS:
            return "empty"
        if not answer.is_control and answer.replicate == 1:
            answer.response = intake.admit(
                study=study,
                prompt=answer.case.prompt,
                text=text,
                arm=Arm.MODEL,
                source_code=answer.condition,
                names=[answer.case.target.model_id],
                by=None,
            )
        answer.call, answer.parts, answer.text = good.call, parts, normalise(clean(text))
        answer.answered_at = database_now()
        answer.save()
        return ""


TRIAL_ANSWERS = TrialAnswers()


class _Asked:
    """How a run asks about its answers."""

    def __init__(self, run: GenerationRun) -> None:
        said = run.materials
        self.run, self.study = run, pool.study_of(run)
        self.conditions: TrialConditions = conditions_of(design_of(self.study))
        self.is_system = said["turn"] == "system"
        names = ("trial_answer", "trial_framework")
        self.answer, self.framework = (PromptTemplate(name, said["templates"][name]) for name in names)
        self.texts: dict[int, PromptVersion] = {each.prompt_id: each for each in latest_versions(self.study)}

    def request(self, answer: CaseAnswer) -> Request:
        target = answer.case.target
        told = framework_turn(self.framework, self.conditions.text(answer.condition), is_control=answer.is_control)
        return Request(
            model=target.model_id,
            prompt=answer_turn(
                self.answer,
                self.texts[answer.case_id].text,
                framework="" if self.is_system else told,
                words=self.study.target_words,
                limit=self.study.model_word_limit,
            ),
            system=told if self.is_system else "",
            effort=self.run.materials["efforts"][str(target.pk)],
            max_output_tokens=self.run.materials["output_tokens"]["most"],
            schema=answer_schema(),
            options=target.options,
            replicate=answer.replicate,
        )

    def key(self, answer: CaseAnswer, target: Target, request: Request) -> str:
        identity = target_services.identity(
            target,
            purpose=self.run.purpose,
            effort=request.effort,
            output_token_cap=request.max_output_tokens,
        )
        return call_key(
            target=identity,
            template=self.answer.version,
            inputs={"system": sha256_hex(request.system), "prompt": sha256_hex(request.prompt)},
            replicate=answer.replicate,
            subject=answer.pk,
        )


def _slots(run: GenerationRun) -> QuerySet[CaseAnswer]:
    """The answers that the run wants, of each the newest take."""
    study = pool.study_of(run)
    return (
        standing(study)
        .filter(replicate__lte=pool.only(run)["repeats"])
        .select_related("case__target__study")
        .order_by("pk")
    )


def _want(study: Study, cases: Sequence[TrialCase], repeats: int) -> None:
    """Make a row for each answer that is wanted and has none that stands."""
    conditions = conditions_of(design_of(study))
    there = CaseAnswer.objects.filter(case__in=cases)
    kept = set(standing(study).values_list("case", "condition", "replicate"))
    takes = {
        (case, condition, replicate): take
        for case, condition, replicate, take in there.values_list("case", "condition", "replicate")
        .annotate(last=Max("take"))
        .order_by()
    }
    wanted = [
        (case.pk, condition.key, replicate, is_control)
        for case in cases
        for conditions_of_kind, number, is_control in (
            (conditions.conditions, repeats, False),
            (conditions.controls, 1, True),
        )
        for condition in conditions_of_kind
        for replicate in range(1, number + 1)
        if (case.pk, condition.key, replicate) not in kept
    ]
    subjects = Subject.objects.bulk_create(Subject(kind="case answer") for _ in wanted)
    CaseAnswer.objects.bulk_create(
        CaseAnswer(
            subject=subject,
            case_id=case,
            condition=condition,
            replicate=replicate,
            is_control=is_control,
            take=takes.get((case, condition, replicate), 0) + 1,
        )
        for subject, (case, condition, replicate, is_control) in zip(subjects, wanted, strict=True)
    )


def _about(call: Call) -> int:
    return cast(int, call.subject_id)
