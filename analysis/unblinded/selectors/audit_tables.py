"""A study's audits of benchmarks as tables: what was flagged, ruled and corrected, and what models answered."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from analysis.data.core.audits import COLUMNS, MODEL, PERSON
from analysis.data.core.study_tables import table
from annotation.benchmarks.core.marks import ANSWER
from annotation.benchmarks.models.benchmarks import Benchmark, Question
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.rulings import Subset
from annotation.benchmarks.selectors.rulings import flag_rows, ruling_rows
from annotation.platform.core.model_names import told_apart
from annotation.study.models.participation import Participation
from annotation.study.models.studies import Study
from generation.benchmarks.models import ModelMark, Wording
from generation.benchmarks.selectors.predictions import Predicted, predicted
from generation.benchmarks.selectors.wordings import rephrasings_of

Row = Sequence[Any]


def audit_tables(study: Study) -> dict[str, Any]:
    """Tables of audits by the names that `StudyTables` has for them; without rows where the study audits nothing.
    What those said who have withdrawn their consent is in none; what was ruled upon it stands.
    """
    rows: dict[str, list[Row]] = {name: [] for name in COLUMNS}
    left = Participation.objects.filter(study=study, consent__withdrawn_at__isnull=False)
    gone = frozenset(left.values_list("pseudonym", flat=True))
    for benchmark in Benchmark.objects.filter(study=study, study__preset=Study.Preset.AUDIT).order_by("pk"):
        name = benchmark.name
        found = predicted(benchmark)
        names = told_apart({each.target.pk: (each.target.family, each.target.model_id) for each in found})
        rows["audit_questions"] += _questions(benchmark)
        if benchmark.adjudication_opened_at:
            rows["audit_flags"] += ((name, *row) for row in flag_rows(benchmark) if row[1] not in gone)
            rows["audit_rulings"] += _rulings(benchmark)
        rows["audit_subsets"] += (
            (name, subset.kind, number, subset.sha256)
            for subset in Subset.objects.filter(benchmark=benchmark)
            for number in subset.members
        )
        rows["audit_predictions"] += (
            (*_asked(each, names), each.state, each.prediction.words if each.prediction else "") for each in found
        )
        rephrasings = rephrasings_of(benchmark, "original")
        rows["audit_rephrasings"] += _rephrasings(name, rephrasings)
        rows["audit_marks"] += (row for row in _marks(benchmark, found, names, rephrasings) if row[-2] not in gone)
    return {name: table(rows[name], COLUMNS[name]) for name in COLUMNS}


def _questions(benchmark: Benchmark) -> Iterator[Row]:
    for each in Question.objects.filter(story__benchmark=benchmark).select_related("story").order_by("number"):
        story = each.story
        yield (
            *(benchmark.name, benchmark.layout, each.number, story.key, story.cluster, story.source),
            *(story.kind, each.kind),
            *(story.text, each.text, json.dumps(each.options, ensure_ascii=False), each.gold, each.gold_option),
        )


def _rulings(benchmark: Benchmark) -> Iterator[Row]:
    for each in ruling_rows(benchmark):
        changes = json.dumps(dict(each.changes), ensure_ascii=False, sort_keys=True) if each.changes else ""
        correction = each.changes.get("gold", "")
        yield (
            *(benchmark.name, each.number, each.category, each.fate, each.how, correction, changes),
            *(each.reason, each.weight),
        )


def _asked(each: Predicted, names: dict[int, str]) -> Row:
    question = each.wording.question
    return (
        *(question.story.benchmark.name, question.number, names[each.target.pk]),
        *(each.target.model_id, each.mode, each.wording.kind, each.wording.number),
    )


def _rephrasings(name: str, rephrasings: Sequence[Wording]) -> Iterator[Row]:
    for each in rephrasings:
        by = each.call.target.model_id if each.call else ""
        options = json.dumps(each.options, ensure_ascii=False)
        yield name, each.question.number, each.number, by, each.story, each.text, options


def _marks(
    benchmark: Benchmark, found: Sequence[Predicted], names: dict[int, str], rephrasings: Sequence[Wording]
) -> Iterator[Row]:
    """What people and judge models said of answers that stand, and people of rephrasings that do."""
    name = benchmark.name
    about = {
        each.prediction.pk: (name, *_identifiers(each, names)) for each in found if each.prediction is not None
    }
    rephrased = {each.pk: (name, each.question.number, "", "", each.kind, each.number) for each in rephrasings}
    given = AnswerMark.objects.filter(question__story__benchmark=benchmark).exclude(verdict="")
    for mark in given.select_related("marker").order_by("marker__pseudonym", "position"):
        place = (about if mark.kind == ANSWER else rephrased).get(mark.about)
        if place:
            yield (*place, PERSON, mark.marker.pseudonym, mark.verdict)
    by_models = ModelMark.objects.filter(prediction__in=about, call__state="accepted").select_related(
        "call__target"
    )
    marks = list(by_models.order_by("pk"))
    judges = told_apart(
        {each.call.target_id: (each.call.target.family, each.call.target.model_id) for each in marks}
    )
    last = {(each.prediction_id, each.call.target_id): each for each in marks}
    for (prediction, judge), model_mark in last.items():
        yield (*about[prediction], MODEL, judges[judge], "right" if model_mark.is_right else "wrong")


def _identifiers(each: Predicted, names: dict[int, str]) -> Row:
    wording = each.wording
    return wording.question.number, names[each.target.pk], each.mode, wording.kind, wording.number
