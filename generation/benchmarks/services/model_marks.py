"""Answers marked right or wrong by a model: which are wanted, how they are asked for, and how they are kept."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from django.db import transaction

from annotation.benchmarks.core.subsets import ORIGINAL, SUBSETS
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.benchmarks.core.asking import MODES, SINGLY
from generation.benchmarks.core.marking import EXPECTED_TOKENS, TEMPLATE, mark_request, read_mark
from generation.benchmarks.models import ModelMark, Prediction
from generation.benchmarks.selectors.predictions import mode_of, predicted
from generation.benchmarks.selectors.wordings import members_of
from generation.benchmarks.services.predictions import (
    benchmark_of,
    check_subset,
    closed_for_models,
    temperatures,
)
from generation.calls.core.call_keys import call_key
from generation.calls.core.json_replies import Unreadable
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.services import planning
from generation.calls.services.good_replies import GoodReply, one_by_one
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.catalogue.services import targets as target_services
from generation.prompts.services import pool
from generation.providers.base import Request


@transaction.atomic
def plan_model_marks(
    *, benchmark: Benchmark, by: User, subset: str = ORIGINAL, mode: str = SINGLY
) -> GenerationRun:
    """A run in which the study's judge models mark the answers to a subset's questions, right or wrong by the
    published answer. Nothing is sent. Raises `Refused` while no model has answered.
    """
    study = benchmark.study
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if mode not in MODES or subset not in SUBSETS:
        raise ValueError("There are no such answers.")
    if closed := closed_for_models(study):
        raise Refused(closed)
    check_subset(benchmark, subset)
    if not answers_of(benchmark, subset, mode):
        raise Refused("No model has answered these questions yet.")
    return planning.plan_run(
        study=study,
        by=by,
        purpose=GenerationRun.Purpose.ANSWER_MARK,
        only={"benchmark": benchmark.pk, "subset": subset, "mode": mode},
    )


def answers_of(benchmark: Benchmark, subset: str, mode: str) -> list[Prediction]:
    """Those that stand, to a subset's questions; singly, or in the conversations about this very subset."""
    members = members_of(benchmark, subset)
    wanted = SINGLY if mode == SINGLY else mode_of(subset)
    return [
        each.prediction
        for each in predicted(benchmark)
        if each.prediction
        and each.mode == wanted
        and each.wording.kind == "published"
        and (members is None or each.wording.question.number in members)
    ]


class ModelMarks(Purpose):
    """The purpose “answer_mark”: at temperature 0, a digit and nothing else."""

    role = Target.Role.PANEL
    asks_again = True

    def closed(self, run: GenerationRun) -> str:
        return closed_for_models(pool.study_of(run))

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study = pool.study_of(run)
        made = pool.materials(run, targets, templates=[TEMPLATE], expected=EXPECTED_TOKENS)
        efforts = {
            str(target.pk): target.effort or target_services.effort_of(target, study.matched_effort)
            for target in targets
        }
        return {**made, "efforts": efforts, "temperatures": temperatures(targets, efforts, 0)}

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        only = pool.only(run)
        return [
            ("Benchmark", benchmark_of(run).name),
            ("Answers", f"to the {only['subset']} questions, {MODES[only['mode']]}"),
        ]

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        template, said, only = _template(run), run.materials, pool.only(run)
        identities = {
            share.target_id: target_services.identity(
                share.target,
                purpose=run.purpose,
                effort=said["efforts"][str(share.target_id)],
                temperature=said["temperatures"][str(share.target_id)],
            )
            for share in run.shares.select_related("target__study").order_by("target")
        }
        answers = answers_of(benchmark_of(run), only["subset"], only["mode"])
        found = _asked_about([answer.pk for answer in answers])
        for answer in answers:
            prompt = _prompt(template, found[answer.pk])
            for target, identity in identities.items():
                yield PlannedCall(
                    key=call_key(
                        target=identity,
                        template=template.version,
                        inputs={"prompt": sha256_hex(prompt)},
                        replicate=1,
                        subject=answer.pk,
                    ),
                    target_id=target,
                    characters=len(prompt),
                    subject_id=answer.pk,
                )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        template, said = _template(run), run.materials
        found = _asked_about([cast(int, call.subject_id) for call in calls])
        targets = Target.objects.in_bulk({call.target_id for call in calls})
        return {
            call.pk: Request(
                model=targets[call.target_id].model_id,
                prompt=_prompt(template, found[cast(int, call.subject_id)]),
                effort=said["efforts"][str(call.target_id)],
                max_output_tokens=said["output_tokens"]["most"],
                temperature=said["temperatures"][str(call.target_id)],
                options=targets[call.target_id].options,
            )
            for call in calls
        }

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        studies.lock_shared(pool.study_of(run))
        return one_by_one(good, partial(self._accept, run))

    def _accept(self, run: GenerationRun, good: GoodReply) -> str:
        if self.closed(run):
            return "superseded"
        try:
            is_right = read_mark(good.reply.text)
        except Unreadable as fault:
            good.attempt.detail = str(fault)
            return "unreadable"
        ModelMark.objects.create(prediction_id=good.call.subject_id, call=good.call, is_right=is_right)
        return ""


MODEL_MARKS = ModelMarks()


def _asked_about(ids: Sequence[int]) -> dict[int, Prediction]:
    return Prediction.objects.select_related("wording__question").in_bulk(ids)


def _prompt(template: PromptTemplate, answer: Prediction) -> str:
    wording = answer.wording
    return mark_request(
        template,
        story=wording.story,
        text=wording.text,
        options=wording.options,
        gold=wording.question.answer,
        words=answer.words,
    )


def _template(run: GenerationRun) -> PromptTemplate:
    return PromptTemplate(TEMPLATE, run.materials["templates"][TEMPLATE])
