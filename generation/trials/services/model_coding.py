"""What answers recommend, coded by models that know neither condition nor model, beside people."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.users import User
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.calls.core.call_keys import call_key
from generation.calls.core.json_replies import Unreadable
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.selectors.calls import ReplyLine
from generation.calls.services import planning
from generation.calls.services.good_replies import GoodReply, one_by_one
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.prompts.services import pool
from generation.providers.base import Request
from generation.trials.core.conclusion_requests import (
    EXPECTED_TOKENS,
    TEMPLATE,
    conclusion_request,
    conclusion_schema,
    read_conclusion,
)
from generation.trials.models import CaseAnswer, ModelConclusion, TrialScenario
from generation.trials.selectors.answers import shown_text
from generation.trials.selectors.coding import answers_to_code, coding_is_open

CLOSED = "Conclusions are coded from when answers are there until the study is unblinded."


@transaction.atomic
def plan_codes(*, study: Study, by: User) -> GenerationRun:
    """A run in which each evaluator says of every answer which of its scenario's categories it recommends. Nothing
    is sent. Raises `Refused` while there are no answers, or a scenario has fewer than two categories.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if not coding_is_open(study):
        raise Refused(CLOSED)
    answers = list(answers_to_code(study))
    if not answers:
        raise Refused("There is nothing to code yet: no answer is there.")
    scenarios = {answer.case.scenario_id: answer.case.scenario for answer in answers}
    if bare := next((each for each in scenarios.values() if len(each.categories) < 2), None):
        raise Refused(
            f"Models choose among categories: “{bare.title}” has fewer than two. Give it some, or find them."
        )
    return planning.plan_run(study=study, by=by, purpose=GenerationRun.Purpose.TRIAL_CODE)


class TrialCodes(Purpose):
    """The purpose “trial_code”. Where categories were added since, it is asked anew, and the newest counts."""

    role = Target.Role.PANEL

    def closed(self, run: GenerationRun) -> str:
        return "" if coding_is_open(pool.study_of(run)) else CLOSED

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study = pool.study_of(run)
        # Of all scenarios: answers may come in between planning a run and listing its calls.
        categories = {str(each.pk): each.categories for each in TrialScenario.objects.filter(study=study)}
        made = pool.materials(run, targets, templates=[TEMPLATE], expected=EXPECTED_TOKENS)
        return {**made, "categories": categories}

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        template, models = _template(run), pool.models(run)
        for answer in answers_to_code(pool.study_of(run)).order_by("pk").iterator(chunk_size=500):
            prompt = _prompt(template, run, answer)
            for target, identity in models.items():
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
        about = {each.pk: each for each in answers_to_code(pool.study_of(run)).filter(pk__in=_about(calls))}
        targets = Target.objects.in_bulk({call.target_id for call in calls})
        return {
            call.pk: Request(
                model=targets[call.target_id].model_id,
                prompt=_prompt(template, run, about[cast(int, call.subject_id)]),
                effort=said["efforts"][str(call.target_id)],
                max_output_tokens=said["output_tokens"]["most"],
                schema=conclusion_schema(_categories(run, about[cast(int, call.subject_id)])),
                options=targets[call.target_id].options,
            )
            for call in calls
            if call.subject_id in about
        }

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        studies.lock_shared(pool.study_of(run))
        slots = CaseAnswer.objects.filter(pk__in=_about([each.call for each in good])).select_related("case")
        return one_by_one(good, partial(self._accept, run, {each.pk: each for each in slots}))

    def _accept(self, run: GenerationRun, about: Mapping[int, CaseAnswer], good: GoodReply) -> str:
        if self.closed(run):
            return "superseded"
        answer = about[cast(int, good.call.subject_id)]
        try:
            category = read_conclusion(good.reply.text, _categories(run, answer))
        except Unreadable as fault:
            good.attempt.detail = str(fault)
            return "unreadable"
        ModelConclusion.objects.create(answer=answer, call=good.call, category=category)
        return ""

    def said(self, call: Call) -> Sequence[ReplyLine]:
        found = ModelConclusion.objects.filter(call=call).first()
        return [ReplyLine("Recommends", found.category)] if found else []


TRIAL_CODES = TrialCodes()


def _about(calls: Sequence[Call]) -> list[int]:
    return [cast(int, call.subject_id) for call in calls]


def _categories(run: GenerationRun, answer: CaseAnswer) -> list[str]:
    return list(run.materials["categories"][str(answer.case.scenario_id)])


def _prompt(template: PromptTemplate, run: GenerationRun, answer: CaseAnswer) -> str:
    return conclusion_request(
        template,
        scenario=answer.case.scenario.text,
        recommendation=answer.parts["recommendation"],
        text=shown_text(answer),
        categories=_categories(run, answer),
    )


def _template(run: GenerationRun) -> PromptTemplate:
    return PromptTemplate(TEMPLATE, run.materials["templates"][TEMPLATE])
