"""People of the demonstration's audit: two annotate every question, a third adjudicates, and all three mark."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.benchmarks.models.benchmarks import Benchmark
from annotation.benchmarks.models.marks import AnswerMark
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.models.rulings import Ruling
from annotation.benchmarks.services import adjudicating
from annotation.benchmarks.services.marks import mark as keep_mark
from annotation.benchmarks.services.reviews import save_review
from annotation.study.models.participation import Role
from annotation.study.models.studies import Study
from generation.demo.core.deterministic_rng import chance
from scrub_site.demo import audited, cast
from scrub_site.demo.audited import Planted

ANNOTATORS = ("Leyla Aydin", "Marek Vala")
ADJUDICATOR = "Johanna Reuter"
FOUND = 0.9  # of the planted flaws, by each annotator
SEEN_IN_VAIN = 0.03
DOUBTED = 0.1  # of the questions of a benchmark whose answers are words
DOUBT = {"evaluation": ["granularity_mismatch"], "scope:granularity_mismatch": ["benchmark"]}
SEEN = Planted("pragmatic", "unnatural", "The question reads as nobody would ask it.")


def take_part(study: Study) -> None:
    for name, pseudonym in zip(ANNOTATORS, ("A-LEYL", "A-MARE"), strict=True):
        cast.member(study, name, Role.ANNOTATOR, pseudonym=pseudonym)
    cast.member(study, ADJUDICATOR, Role.ADJUDICATOR, pseudonym="D-JOHA")


def annotate(benchmark: Benchmark, flaws: Mapping[int, Planted]) -> None:
    """Both annotators go through the questions; the adjudicator rules as the flaws were planted, and the subsets
    are frozen.
    """
    by = benchmark.study.created_by
    reviews = Review.objects.filter(question__story__benchmark=benchmark).select_related(
        "annotator__user", "question__story"
    )
    for review in reviews.order_by("annotator", "position"):
        user, question = review.annotator.user, review.question
        luck = chance(user.name, benchmark.name, str(question.number))
        planted = flaws.get(question.number)
        seen = (planted if luck < FOUND else None) if planted else (SEEN if luck < SEEN_IN_VAIN else None)
        is_doubtful = benchmark.layout == "tomi" and luck < DOUBTED
        save_review(pk=review.pk, posted={**_form(seen), **(DOUBT if is_doubtful else {})}, over=0, by=user)
    adjudicating.open_adjudication(benchmark=benchmark, by=by)
    for ruling in Ruling.objects.filter(question__story__benchmark=benchmark).select_related("question"):
        planted = flaws.get(ruling.question.number)
        adjudicating.rule(pk=ruling.pk, over=0, by=cast.person(ADJUDICATOR), **_ruling(planted))
    adjudicating.freeze_subsets(benchmark=benchmark, by=by)


def _form(seen: Planted | None) -> Mapping[str, Sequence[str]]:
    if seen is None:
        return {"verdict": ["sound"]}
    name = f"{seen.category}.{seen.flaw}"
    return {"verdict": ["flawed"], "flaw": [name], f"note:{name}": [seen.note]}


def _ruling(planted: Planted | None) -> dict[str, Any]:
    if planted is None:
        return {"category": "none", "fate": "stays", "reason": "", "changes": {}}
    changes = {"gold": planted.gold} if planted.gold else {}
    fate = "corrected" if changes else "excluded"
    return {"category": planted.category, "fate": fate, "reason": planted.note, "changes": changes}


def mark(study: Study) -> None:
    """Whoever was given something to mark marks it."""
    given = AnswerMark.objects.filter(marker__study=study).select_related("marker__user", "question")
    for each in given.order_by("marker", "position"):
        keep_mark(pk=each.pk, verdict=_verdict(each), by=each.marker.user)


def _verdict(given: AnswerMark) -> str:
    if given.kind == "rephrasing":
        return "changed" if chance(given.marker.user.name, str(given.shown)) < 0.08 else "same"
    words, question = given.shown["words"].casefold(), given.question
    if any(room in words for room in audited.ROOMS):
        return "granularity"
    right = {question.answer.casefold(), str(question.gold_option or question.gold).casefold()}
    says_so = not question.options and question.gold in words.rstrip(".").split()
    return "right" if words in right or says_so else "wrong"
