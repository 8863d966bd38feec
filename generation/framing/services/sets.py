"""Drawing prompts to put under pressure, and who rewrites and checks which."""

from collections import defaultdict
from collections.abc import Collection

from django.db import transaction

from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.prompts import PromptVersion
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.selectors.prompts import latest_versions
from annotation.study.services import studies
from generation.calls.models import Subject
from generation.catalogue.models import Target
from generation.framing.core.allotment import allot, checker, choose
from generation.framing.core.conditions import SHIPPED_TOML, read_conditions
from generation.framing.core.standing import CHECKS
from generation.framing.models import FramedPrompt, FramingSet
from generation.prompts.core.sampling import Option, Pool
from generation.prompts.models import SampledPrompt

MAX_PROMPTS = 500


@transaction.atomic
def make_set(
    *,
    study: Study,
    by: User,
    number: int = 30,
    seed: int = 42,
    needs: Collection[str] = tuple(CHECKS),
    conditions: str = SHIPPED_TOML,
) -> FramingSet:
    """Draw `number` of the study's prompts, or all where there are fewer, and allot them to its models that write
    prompts. Idempotent: while the same would be drawn, the set that is there is returned.

    `needs` are keys of `CHECKS`, `conditions` is the text of a file. Raises `Refused` where there is no prompt or
    no such model, and where a model has to check what others wrote and there is no other.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    wanted = [check for check in CHECKS if check in needs]
    if not wanted or not 1 <= number <= MAX_PROMPTS or seed < 0:
        raise ValueError("There is no such rule for a set of framings.")
    conditions_sha256 = read_conditions(conditions).sha256
    versions, categories = _prompts(study)
    models = {target.family: target for target in _models(study)}
    if not models:
        raise Refused("No model is there to rewrite prompts: name one that writes prompts.")
    if "model" in wanted and len(models) < 2:
        raise Refused("A model checks only what another one wrote: name a second one, or do without this check.")
    chosen = choose(_pools(versions, categories), number=number, seed=seed)
    codes = {source: [option.name for option in options] for source, options in chosen.items()}
    rewriters = allot(codes, list(models), seed=seed)
    if not rewriters:
        raise Refused("The study has no prompts yet.")
    rows = {
        code: (versions[code].pk, models[family].pk, _checker(code, family, models, seed))
        for code, family in rewriters.items()
    }
    rule = {"conditions_sha256": conditions_sha256, "seed": seed, "needs": wanted}
    for same in FramingSet.objects.filter(study=study, **rule):
        if set(same.prompts.values_list("prompt_version", "rewriter", "checker")) == set(rows.values()):
            return same
    made = FramingSet.objects.create(study=study, made_by=by, conditions_toml=conditions, **rule)
    _add(made, rows, categories)
    audit.record(verb=AuditVerb.FRAMINGS_DRAWN, by=by, study=study, subject=made.pk, prompts=len(rows), **rule)
    return made


def _add(made: FramingSet, rows: dict[str, tuple[int, int, int | None]], categories: dict[str, str]) -> None:
    subjects = Subject.objects.bulk_create(Subject(kind="framed prompt") for _ in rows)
    FramedPrompt.objects.bulk_create(
        FramedPrompt(
            subject=subject,
            set=made,
            prompt_version_id=version,
            category=categories.get(code, ""),
            rewriter_id=rewriter,
            checker_id=checks,
        )
        for subject, (code, (version, rewriter, checks)) in zip(subjects, sorted(rows.items()), strict=True)
    )


def _models(study: Study) -> list[Target]:
    return list(Target.objects.filter(study=study, role=Target.Role.PROMPTS, retired_at__isnull=True))


def _checker(code: str, rewriter: str, models: dict[str, Target], seed: int) -> int | None:
    found = checker(code, rewriter, models, seed=seed)
    return models[found].pk if found else None


def _prompts(study: Study) -> tuple[dict[str, PromptVersion], dict[str, str]]:
    """The study's prompts as they are worded now, and their categories where a sample tells, by code."""
    versions = {version.prompt.code: version for version in latest_versions(study).select_related("prompt")}
    sampled = SampledPrompt.objects.filter(prompt__study=study).order_by("pk")
    return versions, dict(sampled.values_list("prompt__code", "candidate__bundle__scenario__stratum"))


def _pools(versions: dict[str, PromptVersion], categories: dict[str, str]) -> list[Pool]:
    options: defaultdict[str, list[Option]] = defaultdict(list)
    for code, version in versions.items():
        options[version.prompt.domain].append(Option(categories.get(code, ""), code, "", code))
    return [
        Pool(source, frozenset(option.stratum for option in each), frozenset(), tuple(each))
        for source, each in options.items()
    ]
