"""Samples of answers and rephrasings for people to mark, drawn from the study's seed."""

from collections.abc import Iterable

from django.db import transaction

from annotation.benchmarks.core.marks import ANSWER, REPHRASING, stratified_sample
from annotation.benchmarks.core.subsets import ORIGINAL
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.services.marks import ToMark, give_to_mark
from annotation.platform.core.errors import Refused
from annotation.platform.models.users import User
from annotation.texts.models.seeds import StudySeed
from generation.benchmarks.core.asking import SINGLY
from generation.benchmarks.models import Prediction, Wording
from generation.benchmarks.selectors.wordings import rephrasings_of
from generation.benchmarks.services.model_marks import answers_of

CHECKED = 15  # per cent of the rephrasings


@transaction.atomic
def give_answers_to_mark(
    *,
    benchmark: Benchmark,
    by: User,
    share: int = 100,
    people: int = 1,
    subset: str = ORIGINAL,
    mode: str = SINGLY,
) -> int:
    """Have people mark `share` per cent of the answers that stand, of each model and kind of question alike;
    returns how many marks are asked for. Raises `Refused` where there are no answers, or nobody may mark yet.
    """
    answers = {_id(each): each for each in answers_of(benchmark, subset, mode)}
    strata: dict[str, list[str]] = {}
    for name, each in answers.items():
        strata.setdefault(f"{each.target_id} {each.wording.question.kind}", []).append(name)
    return _given(
        benchmark,
        ANSWER,
        (
            ToMark(answers[name].pk, answers[name].wording.question_id, {"words": answers[name].words})
            for name in _sample(benchmark, strata, share, f"{ANSWER} {mode} {subset}")
        ),
        people=people,
        by=by,
    )


@transaction.atomic
def give_rephrasings_to_check(*, benchmark: Benchmark, by: User, share: int = CHECKED, people: int = 1) -> int:
    """Have people check `share` per cent of the rephrasings, of each kind of question alike."""
    found = {
        f"{each.question.number} {each.number} {each.call_id}": each for each in rephrasings_of(benchmark, ORIGINAL)
    }
    strata: dict[str, list[str]] = {}
    for name, each in found.items():
        strata.setdefault(each.question.kind, []).append(name)
    return _given(
        benchmark,
        REPHRASING,
        (
            ToMark(found[name].pk, found[name].question_id, _shown(found[name]))
            for name in _sample(benchmark, strata, share, REPHRASING)
        ),
        people=people,
        by=by,
    )


def _given(benchmark: Benchmark, kind: str, items: Iterable[ToMark], *, people: int, by: User) -> int:
    wanted = list(items)
    if not wanted:
        raise Refused("There is nothing to mark yet.")
    return give_to_mark(benchmark=benchmark, kind=kind, items=wanted, people=people, by=by)


def _sample(benchmark: Benchmark, strata: dict[str, list[str]], share: int, context: str) -> list[str]:
    if not 1 <= share <= 100:
        raise Refused("A share is between 1 and 100 per cent.")
    seed = bytes(StudySeed.objects.get(study=benchmark.study).seed)
    return stratified_sample(strata, share, seed=seed, context=f"{benchmark.name} {context}")


def _id(answer: Prediction) -> str:
    return f"{answer.target_id} {answer.wording.question.number} {answer.call_id}"


def _shown(wording: Wording) -> dict[str, object]:
    return {"story": wording.story, "text": wording.text, "options": wording.options}
