"""What answers recommend, coded by people who know neither condition nor model."""

from collections.abc import Sequence

from django.db import transaction

from annotation.platform.core.coding import NO_CATEGORY, coders_differ
from annotation.platform.core.errors import Refused
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.trials.core.coding import MAX_CATEGORIES, MAX_CATEGORY, known_category
from generation.trials.models import CaseAnswer, ConclusionCode, ModelConclusion, TrialScenario
from generation.trials.selectors.coding import codes_of, coding_is_open


@transaction.atomic
def set_categories(*, scenario: TrialScenario, names: Sequence[str], by: User) -> None:
    """Give a scenario the categories that its answers are coded by. None that was used can go."""
    study = scenario.study
    _check_coding(study, by)
    scenario = TrialScenario.objects.select_for_update().get(pk=scenario.pk)
    wanted: list[str] = []
    for name in names:
        if (category := known_category(name, wanted)) and category not in wanted:
            wanted.append(category)
    of_scenario = {"answer__case__scenario": scenario}
    used = set(ConclusionCode.objects.filter(**of_scenario).values_list("category", flat=True))
    used |= set(ModelConclusion.objects.filter(**of_scenario).values_list("category", flat=True)) - {NO_CATEGORY}
    if gone := sorted(used - set(wanted)):
        raise Refused(f"Answers were coded as “{gone[0]}”: that category has to stay.", field="categories")
    _keep(scenario, wanted)
    audit.record(verb=AuditVerb.TRIAL_CATEGORIES_SET, by=by, study=study, subject=scenario.key, categories=wanted)


@transaction.atomic
def code(*, answer: CaseAnswer, category: str, by: User) -> ConclusionCode:
    """Take an answer to recommend this; a category that nobody gave is found by that. Coding again replaces it."""
    return _coded(answer, category, by, is_settled=False)


@transaction.atomic
def decide(*, answer: CaseAnswer, category: str, by: User) -> ConclusionCode:
    """Decide between coders who differ. Raises `Refused` where they do not."""
    return _coded(answer, category, by, is_settled=True)


def _coded(answer: CaseAnswer, category: str, by: User, *, is_settled: bool) -> ConclusionCode:
    study = answer.case.prompt.study
    _check_coding(study, by)
    if answer.call_id is None or answer.is_control:
        raise Refused("This answer is not one whose conclusion is coded.")
    scenario = TrialScenario.objects.select_for_update().get(pk=answer.case.scenario_id)
    if is_settled and not coders_differ(codes_of(answer)):  # asked while no other coder can change it
        raise Refused("Coders do not differ about this answer: there is nothing to settle.")
    name = known_category(category, scenario.categories)
    if not name:
        raise Refused("Say what the answer recommends.", field="category")
    if name not in scenario.categories:
        _keep(scenario, [*scenario.categories, name])
    if is_settled:
        found, _ = ConclusionCode.objects.update_or_create(
            answer=answer, is_settled=True, defaults={"category": name, "coder": by}
        )
    else:
        found, _ = ConclusionCode.objects.update_or_create(
            answer=answer, is_settled=False, coder=by, defaults={"category": name}
        )
    verb = AuditVerb.TRIAL_CONCLUSION_SETTLED if is_settled else AuditVerb.TRIAL_CONCLUSION_CODED
    audit.record(verb=verb, by=by, study=study, subject=str(answer.pk), category=name)
    return found


def _keep(scenario: TrialScenario, categories: list[str]) -> None:
    if len(categories) > MAX_CATEGORIES:
        raise Refused(f"A scenario has up to {MAX_CATEGORIES} categories.", field="category")
    if any(len(each) > MAX_CATEGORY for each in categories):
        raise Refused(f"A category has up to {MAX_CATEGORY} characters.", field="category")
    scenario.categories = categories
    scenario.save(update_fields=["categories"])


def _check_coding(study: Study, by: User) -> None:
    check_coordinator(by, study)
    studies.lock_shared(study)
    if not coding_is_open(study):
        raise Refused("Conclusions are coded from when answers are there until the study is unblinded.")
