"""Readings of texts by models: which are wanted, how they are asked for, how they are kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast
from uuid import UUID

from django.db.models import QuerySet

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Arm, Stimulus
from annotation.texts.policies import takes_texts
from annotation.texts.services import model_readings
from generation.calls.core.call_keys import call_key
from generation.calls.core.json_replies import Unreadable
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.services.good_replies import GoodReply
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.catalogue.services import targets as target_services
from generation.catalogue.services import templates
from generation.providers.base import Request
from generation.readings.core.readings import READING_SCHEMA, read_reading, reading_request

AT_ONCE = 500  # texts in memory
EXPECTED_TOKENS = 200


class Readings(Purpose):
    """The purpose “reading”. A reader gets each text once, as it is, and nothing that tells where it is from."""

    role = Target.Role.READER
    nothing = "There is no text yet for these models to read."

    def closed(self, run: GenerationRun) -> str:
        if takes_texts(_study(run)):
            return ""
        return "Texts are read while they are decided about: after the design is locked and before judging opens."

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study = _study(run)
        if not texts_to_read(study).exists():
            raise Refused("There are no texts to read yet.")
        return {
            "templates": templates.materials(study, ["reading"]),
            "efforts": {
                str(target.pk): target.effort or target_services.effort_of(target, study.matched_effort)
                for target in targets
            },
            "output_tokens": {"expected": EXPECTED_TOKENS, "most": study.output_token_cap},
        }

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        template = _template(run)
        frame = len(reading_request(template, ""))
        targets = [share.target for share in run.shares.select_related("target__study")]
        rows = texts_to_read(_study(run)).order_by("response_id").values_list("response_id", "response__text")
        for response, text in rows.iterator(chunk_size=AT_ONCE):
            for target in targets:
                yield PlannedCall(
                    key=_key(run, template, target, response, text),
                    target_id=target.pk,
                    characters=frame + len(text),
                    response_id=response,
                )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        """Nothing for a text that has other words by now, or is not read any more."""
        template, texts = _template(run), _texts(run, calls)
        targets = Target.objects.select_related("study").in_bulk({call.target_id for call in calls})
        requests = {}
        for call in calls:
            target, text = targets[call.target_id], texts.get(_about(call))
            if text is not None and call.key == _key(run, template, target, _about(call), text):
                requests[call.pk] = Request(
                    model=target.model_id,
                    prompt=reading_request(template, text),
                    effort=run.materials["efforts"][str(target.pk)],
                    max_output_tokens=run.materials["output_tokens"]["most"],
                    schema=READING_SCHEMA,
                    options=target.options,
                )
        return requests

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        study, template = _study(run), _template(run)
        texts = _texts(run, [each.call for each in good])
        instead = {}
        for each in sorted(good, key=lambda each: _about(each.call)):  # rows are locked in one order
            call, target = each.call, each.call.target
            text = texts.get(_about(call))
            if text is None or call.key != _key(run, template, target, _about(call), text):
                instead[call.pk] = "superseded"
                continue
            try:
                reading = read_reading(each.reply.text, text)
            except Unreadable as fault:
                each.attempt.detail = str(fault)
                instead[call.pk] = "unreadable"
                continue
            is_kept = model_readings.take_in(
                study=study, response=_about(call), text=text, reader=target.family, by=None, **asdict(reading)
            )
            if not is_kept:
                instead[call.pk] = "superseded"
        return instead


READINGS = Readings()


def texts_to_read(study: Study) -> QuerySet[Stimulus]:
    """Texts that judges may see or that wait for a decision, of whoever still takes part."""
    withdrawn = Participation.objects.filter(study=study, consent__withdrawn_at__isnull=False)
    texts = Stimulus.objects.filter(study=study, state__in=["admitted", "quarantined"]).exclude(arm=Arm.MAXIMUM)
    return texts.exclude(arm=Arm.HUMAN, source_code__in=withdrawn.values("pseudonym"))


def _study(run: GenerationRun) -> Study:
    return cast(Study, run.study)  # the texts of a file are not read


def _about(call: Call) -> UUID:
    return cast(UUID, call.response_id)


def _texts(run: GenerationRun, calls: Sequence[Call]) -> dict[UUID, str]:
    """What the calls are about, as far as it is still read."""
    texts = texts_to_read(_study(run)).filter(response__in={_about(call) for call in calls})
    return dict(texts.order_by().values_list("response_id", "response__text"))


def _template(run: GenerationRun) -> PromptTemplate:
    return PromptTemplate("reading", run.materials["templates"]["reading"])


def _key(run: GenerationRun, template: PromptTemplate, target: Target, response: UUID, text: str) -> str:
    identity = target_services.identity(
        target, purpose=run.purpose, effort=run.materials["efforts"][str(target.pk)]
    )
    inputs = {"response": str(response), "text": sha256_hex(text)}
    return call_key(target=identity, template=template.version, inputs=inputs, replicate=1)
