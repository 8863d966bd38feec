"""Answers under pressure as tables: what prompts were rewritten into, what models answered, what the panel said."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.db.models import QuerySet

from analysis.blinding.selectors.sealed_tables import family_of
from analysis.data.core.framed import (
    ANSWERED,
    BASELINE,
    CHECKS,
    CONDITIONS,
    FAILED,
    FRAMED_ANSWERS,
    FRAMINGS,
    POOL,
    REASONS,
    REFUSED,
    SCORES_LEADING,
    SCORES_TRAILING,
)
from analysis.data.core.study_tables import table
from analysis.unblinded.selectors.panel_tables import reasons_in, with_reasons_if_any
from annotation.platform.core.model_names import told_apart
from annotation.platform.core.text import count_words, sha256_hex
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.calls.models import Attempt, Call, GenerationRun
from generation.framing.models import FramedAnswer, Framing, FramingCheck, FramingSet
from generation.framing.selectors.framings import conditions_of, current_texts, framed_prompts, texts_sha256
from generation.framing.selectors.questions import questions
from generation.framing.selectors.scores import framed_scores

INSTRUCTED, ALONE = "with_instruction", "alone"
REFUSALS: Final = ("refused", "filtered")  # outcomes of attempts


def framing_tables(study: Study) -> dict[str, Any]:
    """Tables of each set of the study, numbered from 1, by the names that `StudyTables` has for them."""
    sets = list(enumerate(FramingSet.objects.filter(study=study).order_by("pk"), start=1))
    dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
    return {
        "framing_conditions": table((row for each in sets for row in _conditions(*each)), CONDITIONS),
        "framings": table((row for each in sets for row in _framings(*each)), FRAMINGS),
        "framing_checks": table((row for each in sets for row in _checks(*each)), CHECKS),
        "framed_answers": table((row for each in sets for row in _answers(*each)), FRAMED_ANSWERS),
        "framed_scores": with_reasons_if_any(
            table(
                (row for each in sets for row in _scores(*each, dimensions)),
                (*SCORES_LEADING, *dimensions, *SCORES_TRAILING, REASONS),
            )
        ),
    }


def _conditions(number: int, framing_set: FramingSet) -> Iterator[Sequence[Any]]:
    found = conditions_of(framing_set)
    opposes: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in found.opposed:
        opposes[one].append(other)
    for place, each in enumerate(found.conditions, start=1):
        yield (
            *(str(number), place, each.key, each.name, each.task, each.must_hold, ",".join(opposes[each.key])),
            *(framing_set.seed, ",".join(framing_set.needs), framing_set.conditions_sha256),
        )


def _framings(number: int, framing_set: FramingSet) -> Iterator[Sequence[Any]]:
    """Prompts drawn from the pool stand among them, since no other table has their words."""
    stands = {framed.id: framed.standing for framed in framed_prompts(framing_set)}
    versions = Framing.objects.filter(prompt__set=framing_set).select_related("prompt", "prompt__rewriter")
    for prompt in framing_set.prompts.filter(candidate__isnull=False).select_related("candidate", "rewriter"):
        standing = stands[prompt.pk]
        yield (
            *(str(number), prompt.code, BASELINE, 1, 1, POOL, prompt.rewriter.model_id, ""),
            *(standing.state, standing.reason, prompt.sha256, prompt.text),
        )
    newest: dict[tuple[int, str], int] = {}
    rows = list(versions.order_by("prompt", "condition", "version"))
    for each in rows:
        newest[each.prompt_id, each.condition] = each.version
    for each in rows:
        standing = stands[each.prompt_id]
        yield (
            *(str(number), each.prompt.code, each.condition, each.version),
            int(newest[each.prompt_id, each.condition] == each.version),
            *("model" if each.call_id else "person", each.prompt.rewriter.model_id, each.reason),
            *(standing.state, standing.reason, each.sha256, each.text),
        )


def _checks(number: int, framing_set: FramingSet) -> Iterator[Sequence[Any]]:
    """Nobody learns which of the people checked."""
    prompts = framing_set.prompts.values_list("pk", flat=True)
    now = {pk: texts_sha256(texts) for pk, texts in current_texts(prompts, conditions_of(framing_set)).items()}
    counted: defaultdict[int, int] = defaultdict(int)
    checks = FramingCheck.objects.filter(prompt__set=framing_set).select_related("prompt")
    for check in checks.order_by("pk"):
        counted[check.prompt_id] += 1
        for said in check.verdicts:
            yield (
                *(str(number), check.prompt.code, counted[check.prompt_id]),
                *("person" if check.reviewer_id else "model", said["about"], said["question"]),
                *(int(said["holds"]), said["reason"], int(check.texts_sha256 == now.get(check.prompt_id))),
            )


def _answers(number: int, framing_set: FramingSet) -> Iterator[Sequence[Any]]:
    """Answers that are there, and those that never came, with the reason."""
    names = _respondents(framing_set)
    for answer in _given(framing_set):
        of_text = count_words(answer.text), sha256_hex(answer.text), answer.text
        yield (*_named(number, answer, names), ANSWERED, *of_text)
    for call, state in _never_given(framing_set):
        framing: Framing | None = getattr(call.subject, "framing", None)
        prompt = framing.prompt if framing else call.subject.framed_prompt  # type: ignore[union-attr]
        asked = INSTRUCTED if call.run.materials["only"]["instructed"] else ALONE
        condition, version = (framing.condition, framing.version) if framing else (BASELINE, None)
        code, target = prompt.code, call.target
        respondent = names[call.target_id]
        name = _id(number, code, condition, version, respondent, asked, call.replicate)
        yield (
            *(name, str(number), code, condition, version, respondent, target.model_id),
            *(family_of(target), asked, call.replicate, state, None, "", ""),
        )


def _given(framing_set: FramingSet) -> Sequence[FramedAnswer]:
    answers = FramedAnswer.objects.filter(prompt__set=framing_set).select_related("framing", "prompt", "target")
    return list(answers.order_by("pk"))


def _asked(framing_set: FramingSet) -> QuerySet[Call]:
    return Call.objects.filter(
        run__study=framing_set.study,
        run__purpose=GenerationRun.Purpose.FRAMED_ANSWER,
        run__materials__only__set=framing_set.pk,
    )


def _never_given(framing_set: FramingSet) -> Iterator[tuple[Call, str]]:
    """Calls that were given up, and whether the model refused."""
    calls = _asked(framing_set).filter(state="failed").select_related("run", "target", "subject__framing__prompt")
    last = dict(Attempt.objects.filter(call__in=calls).order_by("call", "number").values_list("call", "outcome"))
    for call in calls.order_by("pk"):
        yield call, REFUSED if last.get(call.pk) in REFUSALS else FAILED


def _scores(number: int, framing_set: FramingSet, dimensions: Sequence[str]) -> Iterator[Sequence[Any]]:
    """Scores of answers that count: not to framings that have other words now, or failed, nor to prompts whose
    framings did.
    """
    asked_now, names = {question.subject for question in questions(framing_set)}, _respondents(framing_set)
    answers = {each.pk: each for each in _given(framing_set) if (each.framing_id or each.prompt_id) in asked_now}
    scores = list(framed_scores(framing_set))
    judges = told_apart({score.judge.pk: (score.judge.model_id, score.judge.family) for score in scores})
    for score in scores:
        answer = answers.get(score.answer)
        if answer is None:
            continue
        name, _, code, condition, _, respondent, _, _, asked, replicate = _named(number, answer, names)
        yield (
            *(name, respondent, code, condition, judges[score.judge.pk], score.perspective),
            *(score.values.get(dimension) for dimension in dimensions),
            *(int(score.abstained), str(number), asked, score.shows, replicate, family_of(score.judge)),
            reasons_in(score.reasons),
        )


def _respondents(framing_set: FramingSet) -> dict[int, str]:
    """The names of the set's models by their ids."""
    called = "target", "target__family", "target__model_id"
    answered = FramedAnswer.objects.filter(prompt__set=framing_set).order_by().values_list(*called).distinct()
    asked = _asked(framing_set).order_by().values_list(*called).distinct()
    return told_apart({pk: (family, model) for pk, family, model in (*answered, *asked)})


def _named(number: int, answer: FramedAnswer, names: Mapping[int, str]) -> tuple[Any, ...]:
    """An answer's columns as far as they are of whatever was asked."""
    framing, target = answer.framing, answer.target
    condition, version = (framing.condition, framing.version) if framing else (BASELINE, None)
    code, asked = answer.prompt.code, INSTRUCTED if answer.is_instructed else ALONE
    respondent = names[answer.target_id]
    return (
        *(_id(number, code, condition, version, respondent, asked, answer.replicate), str(number), code, condition),
        *(version, respondent, target.model_id, family_of(target), asked, answer.replicate),
    )


def _id(*parts: object) -> str:
    """An id made of set, prompt, condition, version of its words (a prompt itself has none), respondent, way of
    asking and replicate.
    """
    return "/".join(str(part) for part in parts if part is not None)
