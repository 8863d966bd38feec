"""Questions rephrased by a model: which are wanted, how they are asked for, and how they are kept."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from django.db import transaction

from annotation.benchmarks.core.subsets import CLEANED, ORIGINAL, SUBSETS
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.benchmarks.core.asking import REPHRASED
from generation.benchmarks.core.rephrasing import (
    EXPECTED_TOKENS,
    REPHRASED_SUBSETS,
    REPHRASINGS,
    TEMPLATE,
    Worded,
    read_rephrasings,
    rephrasing_request,
    rephrasing_schema,
)
from generation.benchmarks.models import Wording
from generation.benchmarks.selectors.wordings import asked_stories, rephrasings_of
from generation.benchmarks.services.predictions import (
    benchmark_of,
    check_subset,
    closed_for_models,
    temperatures,
)
from generation.benchmarks.services.rules import want_wordings
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
from generation.prompts.services import pool
from generation.providers.base import Request

TEMPERATURE = 1.0


@transaction.atomic
def plan_rephrasings(
    *, benchmark: Benchmark, by: User, subset: str = CLEANED, one_each: bool = False
) -> GenerationRun:
    """A run in which the study's first model for prompts puts each question of a subset into five other wordings:
    by one call, or `one_each` by five. What was rephrased already, by whatever model, stays as it is. Nothing is
    sent.

    Raises `Refused` while the design may change, without such a model, for a subset that is not frozen, for
    corrected questions, and where the benchmark's questions were rephrased in the other way.
    """
    study = benchmark.study
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if subset not in SUBSETS:
        raise ValueError("There is no such subset.")
    if subset not in REPHRASED_SUBSETS:
        raise Refused("Rephrasings are compared with the questions as published: choose original or cleaned ones.")
    if closed := closed_for_models(study):
        raise Refused(closed)
    check_subset(benchmark, subset)
    models = Target.objects.filter(study=study, role=Target.Role.PROMPTS, retired_at__isnull=True)
    if not (model := models.select_related("study").order_by("family", "pk").first()):
        raise Refused("No model writes prompts in this study: add one, and it rephrases the questions.")
    other_way = GenerationRun.objects.filter(
        study=study,
        purpose=GenerationRun.Purpose.REPHRASING,
        materials__only__benchmark=benchmark.pk,
        materials__only__one_each=not one_each,
        approved_at__isnull=False,
    )
    if other_way.exists():
        raise Refused("Its questions were rephrased in the other way: each would have ten rephrasings.")
    want_wordings(benchmark, subset)
    return planning.plan_run(
        study=study,
        by=by,
        purpose=GenerationRun.Purpose.REPHRASING,
        targets=[model],
        only={"benchmark": benchmark.pk, "subset": subset, "one_each": one_each},
    )


class Rephrasings(Purpose):
    """The purpose “rephrasing”: at temperature 1, so that rephrasings differ."""

    role = Target.Role.PROMPTS
    asks_again = True

    def closed(self, run: GenerationRun) -> str:
        return closed_for_models(pool.study_of(run))

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study = pool.study_of(run)
        made = pool.materials(run, targets, templates=[TEMPLATE], expected=EXPECTED_TOKENS * _number(run))
        efforts = {
            str(target.pk): target.effort or target_services.effort_of(target, study.matched_effort)
            for target in targets
        }
        return {**made, "efforts": efforts, "temperatures": temperatures(targets, efforts, TEMPERATURE)}

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        way = "one of each call" if pool.only(run)["one_each"] else "five of each call"
        return [
            ("Benchmark", benchmark_of(run).name),
            ("Subset", pool.only(run)["subset"]),
            ("Rephrasings", way),
        ]

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        template, number = _template(run), _number(run)
        [share] = run.shares.select_related("target__study")
        said = run.materials
        identity = target_services.identity(
            share.target,
            purpose=run.purpose,
            effort=said["efforts"][str(share.target_id)],
            temperature=said["temperatures"][str(share.target_id)],
        )
        stories = asked_stories(benchmark_of(run), pool.only(run)["subset"])
        there = _rephrased_by(benchmark_of(run))
        for wording in (wording for story in stories for wording in story):
            prompt = rephrasing_request(template, worded(wording), number)
            for replicate in range(1, REPHRASINGS // number + 1):
                key = call_key(
                    target=identity,
                    template=template.version,
                    inputs={"prompt": sha256_hex(prompt)},
                    replicate=replicate,
                    subject=wording.pk,
                )
                # Another model, or another template, rephrased it: a question has five rephrasings and no more.
                if there.get((wording.question_id, replicate), key) != key:
                    continue
                yield PlannedCall(
                    key=key,
                    target_id=share.target_id,
                    characters=len(prompt),
                    subject_id=wording.pk,
                    replicate=replicate,
                )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        template, number, said = _template(run), _number(run), run.materials
        wordings = Wording.objects.in_bulk({call.subject_id for call in calls})
        targets = Target.objects.in_bulk({call.target_id for call in calls})
        requests = {}
        for call in calls:
            asked, target = worded(wordings[cast(int, call.subject_id)]), targets[call.target_id]
            requests[call.pk] = Request(
                model=target.model_id,
                prompt=rephrasing_request(template, asked, number),
                effort=said["efforts"][str(target.pk)],
                max_output_tokens=said["output_tokens"]["most"],
                temperature=said["temperatures"][str(target.pk)],
                schema=rephrasing_schema(asked, number),
                options=target.options,
                replicate=call.replicate,
            )
        return requests

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        wordings = Wording.objects.in_bulk([each.call.subject_id for each in good])
        return one_by_one(good, partial(self._accept, run, wordings))

    def _accept(self, run: GenerationRun, wordings: Mapping[int, Wording], good: GoodReply) -> str:
        studies.lock_shared(pool.study_of(run))
        if self.closed(run):
            return "superseded"
        original = wordings[cast(int, good.call.subject_id)]
        try:
            found = read_rephrasings(good.reply.text, worded(original), _number(run))
        except Unreadable as fault:
            good.attempt.detail = str(fault)
            return "unreadable"
        subjects = Subject.objects.bulk_create(Subject(kind="wording") for _ in found)
        Wording.objects.bulk_create(
            Wording(
                subject=subject,
                question_id=original.question_id,
                kind=REPHRASED,
                number=number,
                story=each.story,
                text=each.text,
                options=list(each.options),
                call=good.call,
            )
            for number, (subject, each) in enumerate(zip(subjects, found, strict=True), start=good.call.replicate)
        )
        return ""


REPHRASINGS_PURPOSE = Rephrasings()


def worded(wording: Wording) -> Worded:
    return Worded(wording.story, wording.text, tuple(wording.options))


def _rephrased_by(benchmark: Benchmark) -> dict[tuple[int, int], str]:
    """The key of the call that gave each rephrasing which stands, by its question's id and its number."""
    return {
        (each.question_id, each.number): each.call.key for each in rephrasings_of(benchmark, ORIGINAL) if each.call
    }


def _number(run: GenerationRun) -> int:
    """How many one call gives."""
    return 1 if pool.only(run)["one_each"] else REPHRASINGS


def _template(run: GenerationRun) -> PromptTemplate:
    return PromptTemplate(TEMPLATE, run.materials["templates"][TEMPLATE])
