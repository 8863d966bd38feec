"""What a study's trials are made of, while it is designed: scenarios, conditions, and the cases that follow."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Max

from annotation.design.services import protocol
from annotation.judging.services import guessing
from annotation.platform.core.errors import Refused
from annotation.platform.core.lifecycle import STUDY
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.platform.services.clock import database_now
from annotation.study.core.prompt_import import NewPrompt
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import prompts, studies
from generation.catalogue.models import Target
from generation.trials.core.cases import DOMAIN, CaseNeed, allot_cases
from generation.trials.core.conditions import SHIPPED_TOML, TURNS, read_trial_conditions
from generation.trials.core.scenarios import EXAMPLES, MAX_SCENARIOS, NewScenario
from generation.trials.models import TrialCase, TrialDesign, TrialScenario


@transaction.atomic
def add_scenarios(*, study: Study, new: Collection[NewScenario], by: User) -> tuple[int, int]:
    """Add those that the study has not, and forget cases made before; returns how many were added and were known.

    Raises `Refused` where a key stands for another scenario already, and for too many; then none is added.
    """
    _check_designing(study, by)
    there = {scenario.key: _as_new(scenario) for scenario in TrialScenario.objects.filter(study=study)}
    added = [each for each in new if each.key not in there]
    if other := next((each for each in new if there.get(each.key, each) != each), None):
        raise Refused(f"Nothing was added: “{other.key}” stands for another scenario of the study.")
    if len(there) + len(added) > MAX_SCENARIOS:
        raise Refused(f"A study has up to {MAX_SCENARIOS} scenarios.")
    if added:
        _forget_cases(study, by)
        last = TrialScenario.objects.filter(study=study).aggregate(last=Max("position"))["last"] or 0
        TrialScenario.objects.bulk_create(
            TrialScenario(study=study, position=position, **_fields(each))
            for position, each in enumerate(added, start=last + 1)
        )
        audit.record(
            verb=AuditVerb.TRIAL_SCENARIOS_ADDED,
            by=by,
            study=study,
            subject=study.slug,
            keys=[each.key for each in added],
        )
    return len(added), len(new) - len(added)


@transaction.atomic
def remove_scenario(*, scenario: TrialScenario, by: User) -> None:
    """Take a scenario out of the study; cases made before are forgotten, too."""
    study = scenario.study
    _check_designing(study, by)
    _forget_cases(study, by)
    audit.record(verb=AuditVerb.TRIAL_SCENARIO_REMOVED, by=by, study=study, subject=scenario.key)
    scenario.delete()


@transaction.atomic
def change_design(*, study: Study, by: User, conditions: str | None = None, **settings: Any) -> TrialDesign:
    """Have trials of other conditions, the text of a file, or of other settings, fields of `TrialDesign`.

    Idempotent. An item shows an answer of each condition, unless the study shows one answer at a time. Raises
    `Refused` once the design is locked, and for a file that is not a design.
    """
    _check_designing(study, by)
    found = TrialDesign.objects.filter(study=study).first()
    design = found or TrialDesign(study=study, changed_by=by, conditions_toml=SHIPPED_TOML)
    before = _settings(design) if found else None
    design.conditions_toml = conditions if conditions is not None else design.conditions_toml
    read = read_trial_conditions(design.conditions_toml)
    design.conditions_sha256 = read.sha256
    for name, value in settings.items():
        setattr(design, name, value)
    if design.turn not in TURNS:
        raise ValueError("There is no such turn.")
    if _settings(design) == before:
        return design
    if before and any(
        before[name] != _settings(design)[name] for name in ("models_per_new", "models_per_known", "seed")
    ):
        _forget_cases(study, by)
    design.changed_at, design.changed_by = database_now(), by
    design.save()
    if study.is_trial:  # in other studies people may write, and judges guess that
        guessing.set_options(study=study, options={each.key: each.name for each in read.conditions})
    _fit_items(study, len(read.conditions), by)
    audit.record(verb=AuditVerb.TRIAL_DESIGN_CHANGED, by=by, study=study, subject=study.slug, **_settings(design))
    return design


@transaction.atomic
def make_cases(*, study: Study, by: User) -> int:
    """Have the study's models take the scenarios, each case as a prompt; returns how many cases there are.

    Idempotent: while the same would be made, what is there stays. Raises `Refused` where there is no scenario or no
    model that answers.
    """
    _check_designing(study, by)
    design = change_design(study=study, by=by)
    scenarios = {scenario.key: scenario for scenario in TrialScenario.objects.filter(study=study)}
    targets = Target.objects.filter(study=study, role=Target.Role.ANSWERS, retired_at__isnull=True)
    models = {target.family: target for target in targets}
    if not scenarios:
        raise Refused("There are no scenarios yet: add some, or take the examples.")
    if not models:
        raise Refused("No model is there to answer: name some whose answers are evaluated, under Models.")
    needs = allot_cases(
        [(key, scenario.is_new) for key, scenario in scenarios.items()],
        list(models),
        per_new=design.models_per_new,
        per_known=design.models_per_known,
        seed=design.seed,
    )
    if _made(study) == set(needs):
        return len(needs)
    _forget_cases(study, by)
    texts = [NewPrompt(scenarios[need.scenario].text, DOMAIN, need.code) for need in needs]
    made = {prompt.code: prompt for prompt in prompts.add_prompts_alike(study=study, new=texts, by=by)}
    TrialCase.objects.bulk_create(
        TrialCase(prompt=made[need.code], scenario=scenarios[need.scenario], target=models[need.model])
        for need in needs
    )
    audit.record(verb=AuditVerb.TRIAL_CASES_MADE, by=by, study=study, subject=study.slug, cases=len(needs))
    return len(needs)


@transaction.atomic
def prepare_validation(*, study: Study, by: User) -> int:
    """The validation protocol as it comes with the site: its scenarios, its conditions, and the cases made of them;
    returns how many cases there are. Raises `Refused` as `add_scenarios` and `make_cases` do; then nothing is kept.
    """
    add_scenarios(study=study, new=EXAMPLES, by=by)
    return make_cases(study=study, by=by)


def _check_designing(study: Study, by: User) -> None:
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if study.state != STUDY.initial:
        raise Refused("Trials are fixed with the design, which is locked.")


def _made(study: Study) -> set[CaseNeed]:
    rows = TrialCase.objects.filter(prompt__study=study).values_list(
        "scenario__key", "target__family", "prompt__code"
    )
    return {CaseNeed(*row) for row in rows}


def _forget_cases(study: Study, by: User) -> None:
    """Deletes the cases with their prompts; nothing was asked about them before the design is locked."""
    for case in TrialCase.objects.filter(prompt__study=study).select_related("prompt__study"):
        prompts.remove_prompt(prompt=case.prompt, by=by)


def _fit_items(study: Study, conditions: int, by: User) -> None:
    fitting = {"model_targets_expected": conditions}
    if study.model_answers_per_item > 1:
        fitting["model_answers_per_item"] = conditions
    protocol.change_parameters(study=study, changes=fitting, by=by)


def _settings(design: TrialDesign) -> dict[str, Any]:
    names = ("conditions_sha256", "turn", "models_per_new", "models_per_known", "seed", "margin", "smallest_effect")
    return {name: getattr(design, name) for name in names}


def _fields(new: NewScenario) -> dict[str, Any]:
    return {**vars(new), "facts": list(new.facts), "tensions": list(new.tensions)}


def _as_new(scenario: TrialScenario) -> NewScenario:
    names = ("key", "title", "situation", "question", "is_new")
    return NewScenario(
        facts=tuple(scenario.facts),
        tensions=tuple(scenario.tensions),
        **{name: getattr(scenario, name) for name in names},
    )
