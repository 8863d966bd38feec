"""Prompts written by models from the scenarios of sources: which are wanted, how they are asked for, how kept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, cast

from django.db.models import QuerySet

from annotation.platform.core.errors import Refused
from annotation.platform.core.sealing import canonical_json
from annotation.platform.core.text import sha256_hex
from generation.calls.core.call_keys import call_key
from generation.calls.core.planned_calls import PlannedCall
from generation.calls.models import Call, GenerationRun
from generation.calls.services.good_replies import GoodReply, one_by_one
from generation.catalogue.core.prompt_templates import PromptTemplate
from generation.catalogue.models import Target
from generation.prompts.core.prompt_replies import BadBundle, read_bundle
from generation.prompts.core.prompt_requests import request_for_prompts
from generation.prompts.core.trials import drawn_for_trial
from generation.prompts.models import Bundle, Candidate
from generation.prompts.services import pool
from generation.providers.base import Request
from generation.sources.core.shapes import FINISHED, SHAPES
from generation.sources.models import Scenario, Source

# For each prompt with its issue and dimensions, its part of the scratchpad, and as much reasoning again.
EXPECTED_TOKENS = 600
AT_A_TIME = 1_000  # scenarios in memory


class PromptWriting(pool.PoolPurpose):
    """The purpose “prompts”. Each model writes one bundle from each scenario."""

    nothing = "The sources hold no scenario yet that prompts could be written from."

    def materials(self, run: GenerationRun, targets: Sequence[Target]) -> dict[str, Any]:
        sources = _written_from(run)
        if not sources:
            raise Refused(
                "The study draws on no source yet. Add one first: prompts are written from its scenarios."
            )
        number = pool.study_of(run).prompts_per_scenario
        templates = {SHAPES[source.shape].template for source in sources}
        frozen = pool.materials(run, targets, templates=sorted(templates), expected=number * EXPECTED_TOKENS)
        return {**frozen, "number": number}

    def wanted(self, run: GenerationRun) -> Iterator[PlannedCall]:
        """A bundle that is there already is wanted by the key that it was called for under.

        No concept changes before the calls about it are listed.
        """
        models, written = pool.models(run), _written(run)
        for scenario in _scenarios(run).iterator(chunk_size=AT_A_TIME):
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
                yield PlannedCall(
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
    if PROMPTS.closed(run):
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


def _written_from(run: GenerationRun) -> list[Source]:
    """The run's sources without those whose prompts came finished."""
    return [source for source in pool.sources(run) if source.shape != FINISHED]


def _held_sources(run: GenerationRun) -> list[Source]:
    ids = [source.pk for source in _written_from(run)]
    return list(Source.objects.filter(pk__in=ids).order_by("pk").select_for_update(no_key=True))


def _scenarios(run: GenerationRun) -> QuerySet[Scenario]:
    """All of its sources, held, or in a trial as many of each as `only["scenarios"]` says."""
    sources, number = _held_sources(run), pool.only(run).get("scenarios")
    scenarios = Scenario.objects.filter(source__in=sources).select_related("source")
    if number is None:
        return scenarios
    seed = pool.study_of(run).sampling_seed
    return scenarios.filter(pk__in=[pk for source in sources for pk in _drawn(source, number=number, seed=seed)])


def _drawn(source: Source, *, number: int, seed: int) -> Iterable[int]:
    strata = dict(source.scenarios.values_list("key", "stratum"))
    keys = drawn_for_trial(strata, source=source.slug, number=number, seed=seed)
    return source.scenarios.filter(key__in=keys).values_list("pk", flat=True)


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
