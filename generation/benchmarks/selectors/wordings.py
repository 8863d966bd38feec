"""The words in which a benchmark's questions are asked, story by story, and how they are asked."""

from collections.abc import Iterable

from django.db.models import QuerySet

from annotation.benchmarks.core.subsets import CORRECTED as CORRECTED_SUBSET
from annotation.benchmarks.core.subsets import ORIGINAL
from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.rulings import Subset
from generation.benchmarks.core.asking import CORRECTED, PUBLISHED, REPHRASED
from generation.benchmarks.models import AskingRules, Wording

# Changes that a model reads; others concern what counts as right.
READ = ("text", "story")


def rules_of(benchmark: Benchmark) -> AskingRules:
    """The benchmark's, or what it would have as it is; that is not kept. ToMi's answers are single words, which its
    questions do not say.
    """
    found = AskingRules.objects.filter(benchmark=benchmark).first()
    return found or AskingRules(benchmark=benchmark, says_one_word=benchmark.layout == "tomi")


def members_of(benchmark: Benchmark, subset: str) -> set[int] | None:
    """The numbers of a subset's questions; None for all. Raises `Subset.DoesNotExist` before they are frozen."""
    return None if subset == ORIGINAL else set(Subset.objects.get(benchmark=benchmark, kind=subset).members)


def changes_of(benchmark: Benchmark, subset: str) -> dict[int, dict[str, str]]:
    """What models read otherwise than it was published, by the question's number."""
    if subset != CORRECTED_SUBSET:
        return {}
    corrections = Subset.objects.get(benchmark=benchmark, kind=subset).corrections
    read = {
        int(number): {name: words for name, words in changes.items() if name in READ}
        for number, changes in corrections.items()
    }
    return {number: changes for number, changes in read.items() if changes}


def asked_stories(benchmark: Benchmark, subset: str) -> list[list[Wording]]:
    """The subset's questions, those of each story together, both in the file's order."""
    members = members_of(benchmark, subset)
    kinds = [PUBLISHED, *([CORRECTED] if subset == CORRECTED_SUBSET else [])]
    found: dict[int, Wording] = {}
    for wording in _of(benchmark).filter(kind__in=kinds).order_by("question__number", "-kind", "number"):
        if members is None or wording.question.number in members:
            found[wording.question_id] = wording  # a corrected one stands instead of the published one
    return by_story(found.values())


def rephrasings_of(benchmark: Benchmark, subset: str) -> list[Wording]:
    """Rephrasings that stand, of the subset's questions: what was asked for once more counts no more."""
    members = members_of(benchmark, subset)
    found = _of(benchmark).filter(kind=REPHRASED, call__state="accepted")
    every = found.order_by("question__number", "number", "pk")
    return [wording for wording in every if members is None or wording.question.number in members]


def by_story(wordings: Iterable[Wording]) -> list[list[Wording]]:
    found: dict[int, list[Wording]] = {}
    for wording in wordings:
        found.setdefault(wording.question.story_id, []).append(wording)
    return list(found.values())


def _of(benchmark: Benchmark) -> QuerySet[Wording]:
    return Wording.objects.filter(question__story__benchmark=benchmark).select_related("question", "call__target")
