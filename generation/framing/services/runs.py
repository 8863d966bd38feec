"""Rewriting prompts and checking what came of it by models: what is wanted, how it is asked for and kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, cast

from django.db.models import QuerySet

from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from generation.calls.core.call_keys import call_key
from generation.calls.core.json_replies import Unreadable
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.services import planning
from generation.calls.services.good_replies import GoodReply, one_by_one
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.framing.core.requests import (
    check_request,
    check_schema,
    framing_request,
    framing_schema,
    read_check,
    read_framings,
)
from generation.framing.models import FramedPrompt, FramingCheck, FramingSet
from generation.framing.selectors.framings import (
    checked_by,
    conditions_of,
    current_texts,
    texts_sha256,
    written_by,
)
from generation.framing.services.versions import add_versions
from generation.prompts.services import pool
from generation.providers.base import Request

EXPECTED_TOKENS = {"framing": 400, "framing_check": 500}


def plan(*, framing_set: FramingSet, purpose: str, by: User) -> GenerationRun:
    """A run that rewrites the set's prompts, or has models check what was written; it asks the set's own models."""
    asks = "checker" if purpose == GenerationRun.Purpose.FRAMING_CHECK else "rewriter"
    models = Target.objects.filter(pk__in=framing_set.prompts.values(asks)).select_related("study")
    if retired := models.filter(retired_at__isnull=False).first():
        raise Refused(f"“{retired.family}” is retired: draw the prompts anew, without it.")
    only = {"set": framing_set.pk}
    return planning.plan_run(study=framing_set.study, by=by, purpose=purpose, targets=list(models), only=only)


class _OfASet(Purpose):
    """What rewriting and checking have in common."""

    role = Target.Role.PROMPTS

    def closed(self, run: GenerationRun) -> str:
        return pool.closed_in(pool.study_of(run))

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        purpose = str(run.purpose)
        return pool.materials(run, targets, templates=[purpose], expected=EXPECTED_TOKENS[purpose])

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        return [("Framings", str(_set(run)))]

    def _key(self, run: GenerationRun, prompt: FramedPrompt, target: Target, text: str) -> str:
        return call_key(
            target=pool.identity(run, target),
            template=_template(run).version,
            inputs={"conditions": _set(run).conditions_sha256, "text": text},
            replicate=1,
            subject=prompt.pk,
        )


class Framings(_OfASet):
    """The purpose “framing”: each prompt is rewritten by the model drawn for it."""

    asks_again = True

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        """A prompt that is rewritten is not rewritten again in other words of the request: who wants other framings
        asks for them.
        """
        conditions, written = conditions_of(_set(run)), written_by(_set(run))
        frame = len(framing_request(_template(run), conditions, ""))
        for prompt in _prompts(run):
            yield PlannedCall(
                key=written.get(prompt.pk) or self._key(run, prompt, prompt.rewriter, prompt.sha256),
                target_id=prompt.rewriter_id,
                characters=frame + len(prompt.text),
                subject_id=prompt.pk,
            )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        conditions, template = conditions_of(_set(run)), _template(run)
        texts = {prompt.pk: prompt.text for prompt in _prompts(run)}
        return pool.requests(
            run,
            calls,
            prompt=lambda call: framing_request(template, conditions, texts[_about(call)]),
            schema=framing_schema(conditions),
        )

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        return one_by_one(good, partial(self._accept, run))

    def _accept(self, run: GenerationRun, good: GoodReply) -> str:
        if self.closed(run):
            return "superseded"
        try:
            texts = read_framings(good.reply.text, conditions_of(_set(run)))
        except Unreadable as fault:
            good.attempt.detail = str(fault)
            return "unreadable"
        add_versions(_about(good.call), texts, call=good.call)
        return ""


class FramingChecks(_OfASet):
    """The purpose “framing_check”: a model that did not write them checks a prompt's framings as they stand."""

    nothing = "No prompt of the set has been rewritten yet."

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        conditions, template = conditions_of(_set(run)), _template(run)
        prompts = {prompt.pk: prompt for prompt in _prompts(run) if prompt.checker_id}
        checked = checked_by(_set(run))
        for pk, texts in sorted(current_texts(prompts, conditions).items()):
            prompt = prompts[pk]
            checks = cast(Target, prompt.checker)
            yield PlannedCall(
                key=checked.get((pk, texts_sha256(texts))) or self._key(run, prompt, checks, texts_sha256(texts)),
                target_id=checks.pk,
                characters=len(check_request(template, conditions, prompt.text, texts)),
                subject_id=pk,
            )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        """Nothing for framings that have other words by now."""
        conditions, template, shown = conditions_of(_set(run)), _template(run), self._still_so(run, calls)
        prompts = {prompt.pk: prompt.text for prompt in _prompts(run)}
        return pool.requests(
            run,
            [call for call in calls if call.pk in shown],
            prompt=lambda call: check_request(template, conditions, prompts[_about(call)], shown[call.pk]),
            schema=check_schema(conditions),
        )

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        shown = self._still_so(run, [each.call for each in good])
        return one_by_one(good, partial(self._accept, run, shown))

    def _accept(self, run: GenerationRun, shown: Mapping[int, Mapping[str, str]], good: GoodReply) -> str:
        if self.closed(run) or good.call.pk not in shown:
            return "superseded"
        try:
            verdicts = read_check(good.reply.text, conditions_of(_set(run)))
        except Unreadable as fault:
            good.attempt.detail = str(fault)
            return "unreadable"
        FramingCheck.objects.create(
            prompt_id=_about(good.call),
            texts_sha256=texts_sha256(shown[good.call.pk]),
            verdicts=[asdict(verdict) for verdict in verdicts],
            call=good.call,
        )
        return ""

    def _still_so(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, dict[str, str]]:
        """The texts that calls were planned about, by call, as far as they still stand."""
        prompts = {prompt.pk: prompt for prompt in _prompts(run)}
        texts = current_texts({_about(call) for call in calls}, conditions_of(_set(run)))
        return {
            call.pk: texts[pk]
            for call in calls
            if (pk := _about(call)) in texts
            and call.key == self._key(run, prompts[pk], cast(Target, prompts[pk].checker), texts_sha256(texts[pk]))
        }


FRAMINGS, FRAMING_CHECKS = Framings(), FramingChecks()


def _set(run: GenerationRun) -> FramingSet:
    if "set" not in pool.only(run):
        raise Refused("Framings are asked for from the page of a set.")
    return FramingSet.objects.get(pk=pool.only(run)["set"], study=run.study)


def _prompts(run: GenerationRun) -> QuerySet[FramedPrompt]:
    found = _set(run).prompts.select_related("prompt_version", "candidate", "rewriter__study", "checker__study")
    return found.order_by("pk")


def _template(run: GenerationRun) -> PromptTemplate:
    name = str(run.purpose)
    return PromptTemplate(name, run.materials["templates"][name])


def _about(call: Call) -> int:
    return cast(int, call.subject_id)
