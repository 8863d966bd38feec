"""Concepts proposed by models from documents: which are wanted, how they are asked for, how they are kept."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, cast

from annotation.platform.core.errors import Refused
from annotation.study.models.studies import Study
from generation.calls.core.call_keys import call_key
from generation.calls.core.json_replies import Unreadable
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun, Subject
from generation.calls.selectors.calls import ReplyLine
from generation.calls.services.good_replies import GoodReply, one_by_one
from generation.calls.services.purposes import Purpose
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.catalogue.services import targets as target_services
from generation.catalogue.services import templates
from generation.providers.base import Request
from generation.sources.core.concept_proposals import (
    EXPECTED_TOKENS,
    TEMPLATE,
    USUAL,
    proposals_request,
    proposals_schema,
    read_proposals,
)
from generation.sources.models import Document, ProposedConcept, Source
from generation.sources.selectors.proposals import documents_to_read


class Concepts(Purpose):
    """The purpose “concepts”. Each model reads each document once, however many runs ask for it."""

    role = Target.Role.PROMPTS
    nothing = "There is no document yet for these models to read."

    def closed(self, run: GenerationRun) -> str:
        return "The study is released: its prompts stay as they are." if _study(run).state == "released" else ""

    def scope(self, run: GenerationRun) -> Sequence[tuple[str, str]]:
        chosen = run.materials["only"].get("sources") if "only" in run.materials else None
        sources = (
            Source.objects.filter(pk__in=chosen).order_by("pk").values_list("name", flat=True) if chosen else ()
        )
        return (
            ("Sources", ", ".join(sources) or "all of the study"),
            ("Concepts", f"{run.materials['number']} of each document at most"),
        )

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        study, number = _study(run), run.materials.get("only", {}).get("number", USUAL)
        if not documents_to_read(run).exists():
            raise Refused("There is no document to read. Give a source of concepts one first.")
        return {
            "templates": templates.materials(study, [TEMPLATE]),
            "efforts": {
                str(target.pk): target.effort or target_services.effort_of(target, study.maximum_effort)
                for target in targets
            },
            "output_tokens": {"expected": number * EXPECTED_TOKENS, "most": study.output_token_cap},
            "number": number,
        }

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        template = _template(run)
        targets = [share.target for share in run.shares.select_related("target__study")]
        # Held: what is asked about a document is then listed before somebody can take it out.
        for document in documents_to_read(run).select_for_update(of=("self",), no_key=True):
            if document.subject_id is None:
                document.subject = Subject.objects.create(kind="document")
                document.save(update_fields=["subject"])
            for target in targets:
                yield PlannedCall(
                    key=_key(run, template, target, document),
                    target_id=target.pk,
                    characters=len(_prompt(run, template, document)),
                    subject_id=document.subject_id,
                )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        template, documents = _template(run), _documents(calls)
        targets = Target.objects.in_bulk({call.target_id for call in calls})
        return {
            call.pk: Request(
                model=targets[call.target_id].model_id,
                prompt=_prompt(run, template, documents[cast(int, call.subject_id)]),
                effort=run.materials["efforts"][str(call.target_id)],
                max_output_tokens=run.materials["output_tokens"]["most"],
                schema=proposals_schema(run.materials["number"]),
                options=targets[call.target_id].options,
            )
            for call in calls
        }

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        return one_by_one(good, partial(self._accept, run, _documents([each.call for each in good])))

    def _accept(self, run: GenerationRun, documents: Mapping[int, Document], good: GoodReply) -> str:
        if self.closed(run):
            return "superseded"
        try:
            proposed = read_proposals(good.reply.text, number=run.materials["number"])
        except Unreadable as fault:
            good.attempt.detail = str(fault)
            return "unreadable"
        ProposedConcept.objects.bulk_create(
            ProposedConcept(
                call=good.call,
                document=documents[cast(int, good.call.subject_id)],
                position=position,
                theme=concept.theme,
                name=concept.name,
                interpretation=concept.interpretation,
                quotes=[asdict(quote) for quote in concept.quotes],
            )
            for position, concept in enumerate(proposed, start=1)
        )
        return ""

    def said(self, call: Call) -> Sequence[ReplyLine]:
        found = ProposedConcept.objects.filter(call=call).order_by("position")
        lines = [ReplyLine(concept.name, concept.interpretation) for concept in found]
        return lines or ([ReplyLine("Concepts", "None found")] if call.state == "accepted" else [])


CONCEPTS = Concepts()


def _study(run: GenerationRun) -> Study:
    return cast(Study, run.study)  # no file has documents


def _documents(calls: Sequence[Call]) -> dict[int, Document]:
    """What the calls are about, by the subject's id."""
    found = Document.objects.filter(subject__in={call.subject_id for call in calls})
    return {cast(int, document.subject_id): document for document in found}


def _template(run: GenerationRun) -> PromptTemplate:
    return PromptTemplate(TEMPLATE, run.materials["templates"][TEMPLATE])


def _prompt(run: GenerationRun, template: PromptTemplate, document: Document) -> str:
    return proposals_request(template, document.text, number=run.materials["number"])


def _key(run: GenerationRun, template: PromptTemplate, target: Target, document: Document) -> str:
    identity = target_services.identity(
        target, purpose=run.purpose, effort=run.materials["efforts"][str(target.pk)]
    )
    inputs = {"document": document.sha256, "number": run.materials["number"]}
    return call_key(
        target=identity, template=template.version, inputs=inputs, replicate=1, subject=document.subject_id
    )
