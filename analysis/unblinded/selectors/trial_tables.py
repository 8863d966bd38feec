"""A study's constitutional trials as tables: what was asked, what models answered, what evaluators gave."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Sum

from analysis.blinding.selectors.sealed_tables import family_of
from analysis.data.core.study_tables import table
from analysis.data.core.study_trials import ANSWERED, BASELINE, COLUMNS, CONTROL, FAILED, FRAMEWORK, REASON
from analysis.unblinded.selectors.panel_tables import with_reasons_if_any
from annotation.platform.core.model_names import told_apart
from annotation.platform.core.text import count_words, sha256_hex
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.calls.models import Attempt, Call, GenerationRun
from generation.panel.models import PanelScore
from generation.trials.models import CaseAnswer, TrialDesign, TrialScenario
from generation.trials.selectors.answers import answers_asked_for, shown_text
from generation.trials.selectors.coding import conclusion_rows
from generation.trials.selectors.designs import approaches_of, conditions_of


def trial_tables(study: Study) -> dict[str, Any]:
    """Tables of trials by the names that `StudyTables` has for them; without rows where the study has no trials."""
    design = TrialDesign.objects.filter(study=study).first()
    answers = answers_asked_for(study) if design else []
    cases = [each.case for each in answers]
    names = told_apart({each.target_id: (each.target.family, each.target.model_id) for each in cases})
    rows = {
        "trial_conditions": _conditions(study, design) if design else (),
        "trial_scenarios": _scenarios(study) if design else (),
        "trial_answers": [_answer(answer, names) for answer in answers],
        "trial_scores": _scores(study, {answer.pk: _id(answer) for answer in answers}),
        "trial_conclusions": _conclusions(study, {answer.pk: _id(answer) for answer in answers}),
    }
    found = {name: table(rows[name], COLUMNS[name]) for name in COLUMNS if name != "trial_scores"}
    scores = table(rows["trial_scores"], (*COLUMNS["trial_scores"], REASON))
    return {**found, "trial_scores": with_reasons_if_any(scores, REASON)}


def _conditions(study: Study, design: TrialDesign) -> Iterator[Sequence[Any]]:
    found = conditions_of(design)
    dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
    integrity = next((key for key in dimensions if "integrity" in key), dimensions[0])
    for number, each in enumerate((*found.conditions, *found.controls), start=1):
        kind = CONTROL if each in found.controls else FRAMEWORK if each.text else BASELINE
        yield (
            *(each.key, number, kind, each.name, each.text, design.turn, integrity),
            *(design.margin, design.smallest_effect, design.seed, design.conditions_sha256),
        )


def _scenarios(study: Study) -> Iterator[Sequence[Any]]:
    for number, each in enumerate(TrialScenario.objects.filter(study=study), start=1):
        facts, tensions = "\n".join(each.facts), "\n".join(each.tensions)
        yield each.key, number, each.title, each.situation, facts, each.question, tensions, int(each.is_new)


def _answer(answer: CaseAnswer, names: Mapping[int, str]) -> Sequence[Any]:
    target = answer.case.target
    text = shown_text(answer)
    is_there = answer.call_id is not None
    return (
        *(_id(answer), answer.case.prompt.code, answer.case.scenario.key, answer.condition, answer.replicate),
        *(names[target.pk], target.model_id, family_of(target), ANSWERED if is_there else FAILED),
        *(str(answer.response_id or ""), answer.parts.get("recommendation", "")),
        *(count_words(text) if is_there else None, sha256_hex(text) if is_there else "", text),
    )


def _conclusions(study: Study, ids: Mapping[int, str]) -> Iterator[Sequence[Any]]:
    yield from ((ids[answer], coder, category) for answer, coder, category in conclusion_rows(study))


def _id(answer: CaseAnswer) -> str:
    """An id made of case, condition, replicate and take."""
    return f"{answer.case.prompt.code}/{answer.condition}/{answer.replicate}/{answer.take}"


def _scores(study: Study, ids: dict[int, str]) -> Iterator[Sequence[Any]]:
    """A row for each call and each dimension it was asked about; without a value where it failed for good."""
    rubric = rubric_by_hash(study.rubric_id)
    dimensions = [dimension.key for dimension in rubric.dimensions]
    letters = {key: letter for letter, key, _, _ in approaches_of(rubric)}
    runs = GenerationRun.objects.filter(study=study, purpose=GenerationRun.Purpose.TRIAL_SCORE)
    variants = dict(runs.values_list("pk", "materials__approach"))
    # The newest first: of a text that was changed, what was said of the last one.
    asked = Call.objects.filter(run__in=variants, state__in=("accepted", "failed")).order_by("-pk")
    calls = list(asked.select_related("target"))
    names = told_apart({call.target_id: (call.target.family, call.target.model_id) for call in calls})
    costs = dict(Attempt.objects.filter(call__run__in=variants).values_list("call").annotate(Sum("cost")))
    scores = PanelScore.objects.filter(call__run__in=variants).values_list("call", "scores", "reasons")
    given = {call: (values, reasons) for call, values, reasons in scores}
    told = set()
    for call in calls:
        name, variant = ids.get(call.subject_id or 0), variants[call.run_id]
        together = [call.dimension] if call.dimension else dimensions
        for dimension in together:
            place = (name, variant, call.target_id, call.replicate, dimension)
            if name is None or place in told:
                continue
            told.add(place)
            values, reasons = given.get(call.pk, ({}, {}))
            value = values.get(dimension)
            yield (
                *(name, letters[variant], variant, names[call.target_id], family_of(call.target), call.replicate),
                *(dimension, value, "" if value is not None else FAILED),
                *(len(together), float(costs.get(call.pk) or 0) / len(together), reasons.get(dimension, "")),
            )
