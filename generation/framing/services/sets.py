"""Drawing prompts to put under pressure, and who rewrites and checks which."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.core.prompt_import import NextCodes
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.selectors.prompts import latest_versions
from annotation.study.services import studies
from generation.calls.models import Subject
from generation.catalogue.models import Target
from generation.framing.core.conditions import SHIPPED_TOML, read_conditions
from generation.framing.core.rewriter_draw import checker, choose, draw_rewriters
from generation.framing.core.standing import CHECKS
from generation.framing.models import FramedPrompt, FramingSet
from generation.prompts.core.quality import MIN_PASSES
from generation.prompts.core.sampling import Option, Pool
from generation.prompts.models import Candidate, SampledPrompt
from generation.prompts.selectors.sampling import eligible

MAX_PROMPTS = 500
Origin = FramingSet.Origin
NOTHING: Final[Mapping[str, str]] = {
    Origin.STUDY: "The study has no prompts yet.",
    Origin.POOL: "No prompt of the study’s pool passes the quality filter without being one of the study’s.",
}


@dataclass(frozen=True)
class _Choice:
    """Prompts of one origin that may be drawn: those of the study by their codes as they are worded now, or
    candidates by their codes once they are drawn.
    """

    pools: list[Pool]
    versions: Mapping[str, PromptVersion]
    candidates: Mapping[Option, int]


@transaction.atomic
def make_set(
    *,
    study: Study,
    by: User,
    number: int = 30,
    seed: int = 42,
    needs: Collection[str] = tuple(CHECKS),
    conditions: str = SHIPPED_TOML,
    origin: str = Origin.STUDY,
) -> FramingSet:
    """Draw `number` of the study's prompts, or of those of its pool that pass and are not the study's, or all where
    there are fewer, and for each one of its models that write prompts. Idempotent: while the same would be drawn,
    the set that is there is returned.

    `needs` are keys of `CHECKS`, `conditions` is the text of a file, `origin` one of `FramingSet.Origin`. Raises
    `Refused` where there is no prompt or no such model, and where a model has to check what others wrote and there
    is no other.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    wanted = [check for check in CHECKS if check in needs]
    if not wanted or not 1 <= number <= MAX_PROMPTS or seed < 0:
        raise ValueError("There is no such rule for a set of framings.")
    conditions_sha256 = read_conditions(conditions).sha256
    choice = _of_pool(study) if origin == Origin.POOL else _of_study(study)
    models = {target.family: target for target in _models(study)}
    if not models:
        raise Refused("No model is there to rewrite prompts: name one that writes prompts.")
    if "model" in wanted and len(models) < 2:
        raise Refused("A model checks only what another one wrote: name a second one, or do without this check.")
    chosen = choose(choice.pools, number=number, seed=seed)
    named = _named(chosen, choice)
    codes = {source: [code for code, option in of_source.items()] for source, of_source in named.items()}
    rewriters = draw_rewriters(codes, list(models), seed=seed)
    if not rewriters:
        raise Refused(NOTHING[origin])
    options = {code: option for of_source in named.values() for code, option in of_source.items()}
    rows = [
        FramedPrompt(
            prompt_version=choice.versions.get(code),
            candidate_id=choice.candidates.get(options[code]),
            code=code,
            category=options[code].stratum,
            rewriter=models[family],
            checker_id=_checker(code, family, models, seed),
        )
        for code, family in sorted(rewriters.items())
    ]
    rule = {"conditions_sha256": conditions_sha256, "seed": seed, "needs": wanted, "origin": origin}
    drawn = {(row.prompt_version_id, row.candidate_id, row.rewriter_id, row.checker_id) for row in rows}
    for same in FramingSet.objects.filter(study=study, **rule):
        if set(same.prompts.values_list("prompt_version", "candidate", "rewriter", "checker")) == drawn:
            return same
    made = FramingSet.objects.create(study=study, made_by=by, conditions_toml=conditions, **rule)
    _add(made, rows)
    audit.record(verb=AuditVerb.FRAMINGS_DRAWN, by=by, study=study, subject=made.pk, prompts=len(rows), **rule)
    return made


def _add(made: FramingSet, rows: list[FramedPrompt]) -> None:
    subjects = Subject.objects.bulk_create(Subject(kind="framed prompt") for _ in rows)
    for subject, row in zip(subjects, rows, strict=True):
        row.subject, row.set = subject, made
    FramedPrompt.objects.bulk_create(rows)


def _named(chosen: Mapping[str, tuple[Option, ...]], choice: _Choice) -> dict[str, dict[str, Option]]:
    """What was chosen by source and code: the prompt's own, or of a candidate the next that its source has left."""
    if not choice.candidates:
        return {source: {option.name: option for option in options} for source, options in chosen.items()}
    codes = NextCodes(choice.versions)
    return {
        source: {codes.next(source): option for option in sorted(options)}
        for source, options in sorted(chosen.items())
    }


def _models(study: Study) -> list[Target]:
    return list(Target.objects.filter(study=study, role=Target.Role.PROMPTS, retired_at__isnull=True))


def _checker(code: str, rewriter: str, models: dict[str, Target], seed: int) -> int | None:
    found = checker(code, rewriter, models, seed=seed)
    return models[found].pk if found else None


def _of_study(study: Study) -> _Choice:
    """Categories are known where a sample tells."""
    sampled = SampledPrompt.objects.filter(prompt__study=study).order_by("pk")
    categories = dict(sampled.values_list("prompt__code", "candidate__bundle__scenario__stratum"))
    versions = _versions(study)
    options: defaultdict[str, list[Option]] = defaultdict(list)
    for code, version in versions.items():
        options[version.prompt.domain].append(Option(categories.get(code, ""), code, "", code))
    pools = [
        Pool(source, frozenset(option.stratum for option in each), frozenset(), tuple(each))
        for source, each in options.items()
    ]
    return _Choice(pools, versions, {})


def _of_pool(study: Study) -> _Choice:
    """What passes the usual rule, without the wordings that the study has."""
    found = eligible(study, scheme="all", least_passes=MIN_PASSES)
    versions = _versions(study)
    has = {version.sha256 for version in versions.values()}
    theirs = Candidate.objects.filter(pk__in=found.candidates.values(), sha256__in=has).values_list("pk", flat=True)
    left = {option: pk for option, pk in found.candidates.items() if pk not in set(theirs)}
    pools = [
        Pool(found.sources[pool.source].code, pool.strata, pool.generators, tuple(filter(left.get, pool.options)))
        for pool in found.pools
    ]
    return _Choice(pools, versions, left)


def _versions(study: Study) -> dict[str, PromptVersion]:
    """The study's prompts as they are worded now, by code."""
    return {version.prompt.code: version for version in latest_versions(study).select_related("prompt")}
