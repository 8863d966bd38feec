"""Maps of a study's prompts: asked for by its coordinator, drawn in the background."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

import numpy as np
from django.db import transaction
from django.db.models.functions import Now

from annotation.platform.core.errors import Refused
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit, work
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.prompts.core.prompt_map import MappedPrompt, MappedScenario, Vectors, drawing
from generation.prompts.core.work_kinds import DRAW_MAP
from generation.prompts.models import Candidate, PromptMap, TextEmbedding
from generation.prompts.providers.embeddings import LEXICAL, PCA, Method, Projection, methods, projections
from generation.prompts.selectors.prompt_maps import mapped_texts, unsent
from generation.providers.base import Outcome
from generation.providers.batch_exchange import BatchFault
from generation.sources.core.shapes import SHAPES
from generation.sources.models import Scenario, Source

KEPT_AS = np.dtype("<f4")  # see `TextEmbedding`
Way = TypeVar("Way", Method, Projection)


@transaction.atomic
def ask_for_map(
    *, study: Study, source: Source, method: str = LEXICAL, projection: str = PCA, by: User | None
) -> PromptMap:
    """Have the prompts that the study has from `source` drawn. Asked again while it waits, it is the same map.

    Raises `Refused` where there are no prompts, and for what this site cannot do.
    """
    if by:
        check_coordinator(by, study)
    studies.lock_for_update(study)
    asks = _method(method)
    _projection(projection)
    if not Candidate.objects.filter(bundle__study=study, bundle__scenario__source=source).exists():
        raise Refused(f"No prompts have been written from {source} yet, so there is nothing to draw.")
    asked = {"study": study, "source": source, "method": method, "projection": projection}
    waiting = PromptMap.objects.filter(**asked, drawn_at=None, problem="").first()
    if waiting:
        return waiting
    made = PromptMap.objects.create(**asked, asked_by=by)
    work.ask(kind=DRAW_MAP, subject=made.pk)
    audit.record(
        verb=AuditVerb.MAP_ASKED,
        by=by,
        study=study,
        subject=source.slug,
        method=method,
        projection=projection,
        estimate=str(expected_cost(study=study, source=source, method=asks)),
    )
    return made


def expected_cost(*, study: Study, source: Source, method: Method) -> Decimal:
    """US dollars that a map of these prompts will probably cost: for what was not sent to the method yet."""
    return method.cost(unsent(study, source, method=method.name)) if method.price else Decimal(0)


def draw_map(map_id: int) -> None:
    """Draw it, unless it is drawn. What stands in the way is noted; what may pass is raised too, to be retried."""
    asked = PromptMap.objects.select_related("study", "source").filter(pk=map_id).first()
    if asked is None or asked.drawn_at:  # it may have gone with its source
        return
    material = _material(asked)
    try:
        vectors = _vectors(_method(asked.method), material.texts)
        work.renew()
        places = material.placed(_projection(asked.projection), vectors)
    except Refused as refusal:
        _note(asked, str(refusal))
    except BatchFault as fault:
        _note(asked, str(fault))
        if fault.outcome is Outcome.RETRYABLE:
            raise
    else:
        _keep(asked, material, places)


@dataclass(frozen=True)
class _Material:
    """What a map is drawn from; `texts` are the scenarios', if they have any, then the prompts'. `families`:
    generators by target.
    """

    scenarios: Sequence[MappedScenario]
    prompts: Sequence[MappedPrompt]
    families: Mapping[int, str]
    texts: Sequence[str]

    def placed(self, projection: Projection, vectors: Vectors) -> Vectors:
        """The scenarios' places, then the prompts'. A scenario without a text is in the middle of its prompts."""
        of_scenarios = len(self.texts) - len(self.prompts)
        places = projection.places(vectors, slice(of_scenarios, None))
        if of_scenarios:
            return places
        own = np.array([prompt.scenario for prompt in self.prompts])
        middles = [places[own == scenario.id].mean(axis=0) for scenario in self.scenarios]
        return np.concatenate([middles, places])


def _material(asked: PromptMap) -> _Material:
    shape = SHAPES[asked.source.shape]
    written = (
        Candidate.objects.filter(bundle__study=asked.study, bundle__scenario__source=asked.source)
        .select_related("bundle__target")
        .order_by(
            "bundle__scenario__stratum", "bundle__scenario_id", "bundle__target__family", "bundle_id", "position"
        )
    )
    generators = sorted(
        {candidate.bundle.target for candidate in written}, key=lambda target: (target.family, target.pk)
    )
    scenarios = Scenario.objects.filter(bundles__in={candidate.bundle_id for candidate in written}).distinct()
    return _Material(
        scenarios=[MappedScenario(scenario.pk, scenario.key, scenario.stratum) for scenario in scenarios],
        prompts=[
            MappedPrompt(candidate.pk, candidate.bundle.scenario_id, candidate.bundle.target_id, candidate.position)
            for candidate in written
        ],
        families={target.pk: target.family for target in generators},
        texts=[
            *mapped_texts(shape, scenarios),
            *(candidate.text for candidate in written),
        ],
    )


def _vectors(method: Method, texts: Sequence[str]) -> Vectors:
    """The texts' vectors, each asked for once in all. What has come is kept, whatever happens to the rest."""
    if method.at_a_time is None:
        return method.vectors(texts)
    keys = [sha256_hex(text) for text in texts]
    kept = TextEmbedding.objects.filter(method=method.name, sha256__in=set(keys))
    known = dict(kept.values_list("sha256", "vector"))
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    while part := [missing.popitem() for _ in range(min(method.at_a_time, len(missing)))]:
        vectors = method.vectors([text for _, text in part]).astype(KEPT_AS)
        new = {key: vector.tobytes() for (key, _), vector in zip(part, vectors, strict=True)}
        TextEmbedding.objects.bulk_create(
            (TextEmbedding(method=method.name, sha256=key, vector=vector) for key, vector in new.items()),
            ignore_conflicts=True,
        )
        known |= new
        work.renew()
    return np.stack([np.frombuffer(known[key], KEPT_AS) for key in keys]).astype(np.float64)


@transaction.atomic
def _keep(asked: PromptMap, material: _Material, places: Vectors) -> None:
    drawn = drawing(material.scenarios, material.prompts, material.families, places)
    undrawn = PromptMap.objects.filter(pk=asked.pk, drawn_at=None)
    if undrawn.update(drawing=drawn.kept(), drawn_at=Now(), problem=""):
        audit.record(
            verb=AuditVerb.MAP_DRAWN,
            by=None,
            study=asked.study,
            subject=asked.source.slug,
            scenarios=len(drawn.scenarios),
            prompts=len(drawn.prompts),
        )


def _note(asked: PromptMap, problem: str) -> None:
    PromptMap.objects.filter(pk=asked.pk).update(problem=problem)


def _method(name: str) -> Method:
    return _ready(methods(), name)


def _projection(name: str) -> Projection:
    return _ready(projections(), name)


def _ready(known: Mapping[str, Way], name: str) -> Way:
    found = known.get(name)
    if found is None:
        raise Refused(f"This site knows no way to draw called “{name}”. Choose another.")
    if found.missing:
        raise Refused(f"{found.label}: {found.missing}")
    return found
