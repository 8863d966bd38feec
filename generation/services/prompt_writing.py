"""Prompts written by models from the scenarios of sources: which are wanted, how they are asked for, how kept."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, cast

from annotation.core.errors import Refused
from annotation.core.sealing import canonical_json
from annotation.core.text import sha256_hex
from generation.core.call_keys import call_key
from generation.core.prompt_replies import BadBundle, read_bundle
from generation.core.prompt_requests import request_for_prompts
from generation.core.prompt_templates import PromptTemplate
from generation.core.shapes import SHAPES
from generation.core.wanted import Wanted
from generation.models.candidates import Bundle, Candidate
from generation.models.runs import Call, GenerationRun
from generation.models.sources import Scenario
from generation.models.targets import Target
from generation.providers.base import Request
from generation.services import pool
from generation.services.good_replies import GoodReply, one_by_one

# For each prompt with its issue and dimensions, its part of the scratchpad, and as much reasoning again.
EXPECTED_TOKENS = 600
AT_A_TIME = 1_000  # scenarios in memory


class PromptWriting:
    """The purpose “prompts”: see `purposes.Purpose`. Each model writes one bundle from each scenario."""

    role = Target.Role.PROMPTS

    def closed(self, run: GenerationRun) -> str:
        return pool.closed(run)

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        sources = pool.sources(run)
        if not sources:
            raise Refused(
                "The study draws on no source yet. Add one first: prompts are written from its scenarios."
            )
        number = pool.study_of(run).prompts_per_scenario
        templates = {SHAPES[source.shape].template for source in sources}
        frozen = pool.materials(run, targets, templates=sorted(templates), expected=number * EXPECTED_TOKENS)
        return {**frozen, "number": number}

    def wanted(self, run: GenerationRun) -> Iterator[Wanted]:
        """A bundle that is there already is wanted by the key that it was called for under."""
        models, written = pool.models(run), _written(run)
        scenarios = Scenario.objects.filter(source__in=pool.sources(run)).select_related("source")
        for scenario in scenarios.iterator(chunk_size=AT_A_TIME):
            template = _template(run, scenario)
            characters = len(_prompt(run, scenario))
            inputs = {
                "source": scenario.source.slug,
                "scenario": scenario.key,
                "payload": sha256(canonical_json(scenario.payload)).hexdigest(),
                "number": run.materials["number"],
            }
            for target, identity in models.items():
                asked_anew = call_key(target=identity, template=template.version, inputs=inputs, replicate=1)
                yield Wanted(
                    key=written.get((scenario.pk, target), asked_anew),
                    target_id=target,
                    characters=characters,
                    scenario_id=scenario.pk,
                )

    def requests(self, run: GenerationRun, calls: Sequence[Call]) -> dict[int, Request]:
        """Nothing for a bundle that another call has brought meanwhile."""
        ids = {call.scenario_id for call in calls}
        scenarios = Scenario.objects.select_related("source").in_bulk(ids)
        there = set(
            Bundle.objects.filter(study=run.study, scenario__in=ids).order_by().values_list("scenario", "target")
        )
        missing = [call for call in calls if (call.scenario_id, call.target_id) not in there]
        return pool.requests(run, missing, prompt=lambda call: _prompt(run, scenarios[call.scenario_id]))

    def accept(self, good: Sequence[GoodReply], *, run: GenerationRun) -> Mapping[int, str]:
        return one_by_one(good, partial(_accept, run))


PROMPTS = PromptWriting()


def _accept(run: GenerationRun, good: GoodReply) -> str:
    if pool.closed(run):
        return "superseded"
    try:
        written = read_bundle(good.reply.text, number=run.materials["number"])
    except BadBundle as bad:
        good.attempt.detail = str(bad)
        return bad.fault
    bundle, is_new = Bundle.objects.get_or_create(
        scenario_id=cast(int, good.call.scenario_id),
        target_id=good.call.target_id,
        defaults={"study": pool.study_of(run), "call": good.call, "scratchpad": written.scratchpad},
    )
    if not is_new:
        return "superseded"
    Candidate.objects.bulk_create(
        Candidate(
            bundle=bundle,
            position=position,
            label=prompt.label,
            dimensions=prompt.dimensions,
            text=prompt.text,
            sha256=sha256_hex(prompt.text),
        )
        for position, prompt in enumerate(written.prompts, start=1)
    )
    return ""


def _template(run: GenerationRun, scenario: Scenario) -> PromptTemplate:
    name = SHAPES[scenario.source.shape].template
    return PromptTemplate(name, run.materials["templates"][name])


def _prompt(run: GenerationRun, scenario: Scenario) -> str:
    shape = SHAPES[scenario.source.shape]
    return request_for_prompts(_template(run, scenario), shape, scenario.payload, number=run.materials["number"])


def _written(run: GenerationRun) -> dict[tuple[int, int], str]:
    """Keys of the calls that brought the study's bundles, by scenario and target."""
    rows = Bundle.objects.filter(study=run.study).order_by().values_list("scenario", "target", "call__key")
    return {(scenario, target): key for scenario, target, key in rows}
