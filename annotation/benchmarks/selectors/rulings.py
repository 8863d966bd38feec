"""What the adjudicator sees, what became of each question, and what an analysis reads of both."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Prefetch

from annotation.benchmarks.core.adjudication import FATES, SOUND
from annotation.benchmarks.core.drawing import ALL
from annotation.benchmarks.core.reviews import VERDICTS, FlagGiven
from annotation.benchmarks.core.scheme import Category
from annotation.benchmarks.core.subsets import Item, Written, digest, members, written
from annotation.benchmarks.models.benchmarks import Benchmark, Question, Story
from annotation.benchmarks.models.reviews import Review
from annotation.benchmarks.models.rulings import Correction, Ruling, Subset
from annotation.benchmarks.selectors.own_reviews import given_of
from annotation.benchmarks.selectors.progress import reviewed_questions
from annotation.benchmarks.selectors.schemes import scheme
from annotation.platform.core.csv_cells import csv_line
from annotation.platform.models.users import User
from annotation.study.models.participation import Participation, Role
from annotation.study.models.studies import Study


@dataclass(frozen=True)
class SaidLine:
    """What one annotator said, without who it is."""

    verdict: str
    flaws: tuple[tuple[str, str], ...]  # in words, with the note
    evaluation: tuple[tuple[str, str, str], ...]  # in words, what it concerns, the note


@dataclass(frozen=True)
class RulingPage:
    id: int
    position: int
    of: int
    done: int
    revision: int
    category: str
    fate: str
    reason: str
    is_disputed: bool
    benchmark: str
    study: Study
    question: Question
    story: Story
    said: tuple[SaidLine, ...]
    categories: tuple[Category, ...]
    published: Mapping[str, str]
    changes: Mapping[str, str]
    corrections: tuple[Correction, ...]
    before: int | None
    after: int | None
    fates = FATES

    @property
    def filled_in(self) -> dict[str, str]:
        """What stands in the form; a right answer that is one of the options only where it was corrected."""
        published = {**self.published, "gold": "" if self.question.options else self.published["gold"]}
        return {
            **published,
            **self.changes,
            "category": self.category,
            "fate": self.fate,
            "reason": self.reason,
        }

    @property
    def in_words(self) -> str:
        """The ruling that is kept, if any."""
        if not self.fate:
            return ""
        labels = {SOUND: "Without flaw", **{each.key: f"Flawed: {each.label.lower()}" for each in self.categories}}
        return f"{labels[self.category]}; {FATES[self.fate].lower()}."


@dataclass(frozen=True)
class OwnRulings:
    done: int
    total: int
    next: int | None


def adjudicator_of(study: Study, person: User) -> Participation | None:
    return (
        Participation.objects.filter(study=study, user=person, role=Role.ADJUDICATOR, left_at__isnull=True)
        .select_related("study", "consent", "profile")
        .first()
    )


def ruling_of(person: User, pk: int) -> Ruling | None:
    """The ruling, where this person adjudicates in its study."""
    found = (
        Ruling.objects.filter(pk=pk)
        .select_related("question__story__benchmark__study")
        .prefetch_related("question__findings", "corrections")
        .first()
    )
    if found is None or adjudicator_of(found.question.story.benchmark.study, person) is None:
        return None
    return found


def rulings_of(study: Study) -> OwnRulings:
    rulings = Ruling.objects.filter(question__story__benchmark__study=study)
    waiting = rulings.filter(ruled_at=None).order_by("question__story__benchmark", "position")
    return OwnRulings(
        rulings.filter(ruled_at__isnull=False).count(),
        rulings.count(),
        waiting.values_list("pk", flat=True).first(),
    )


def published_of(question: Question) -> dict[str, str]:
    """What may be corrected, as it was published. Roles only where the files say them."""
    found = {"gold": question.answer, "text": question.text, "story": question.story.text}
    roles = question.raw.get("trace") or question.raw.get("type")
    return {**found, **({"roles": roles} if roles else {})}


def ruling_page(ruling: Ruling) -> RulingPage:
    question = ruling.question
    benchmark = question.story.benchmark
    beside = Ruling.objects.filter(question__story__benchmark=benchmark)
    around = dict(
        beside.filter(position__in=(ruling.position - 1, ruling.position + 1)).values_list("position", "pk")
    )
    corrections = tuple(ruling.corrections.order_by("-number"))
    return RulingPage(
        id=ruling.pk,
        position=ruling.position,
        of=beside.count(),
        done=beside.filter(ruled_at__isnull=False).count(),
        revision=ruling.revision,
        category=ruling.category,
        fate=ruling.fate,
        reason=ruling.reason,
        is_disputed=ruling.is_disputed,
        benchmark=benchmark.name,
        study=benchmark.study,
        question=question,
        story=question.story,
        said=_side_by_side(ruling),
        categories=scheme(benchmark.scheme).for_layout(benchmark.layout),
        published=published_of(question),
        changes=corrections[0].changes if corrections and ruling.fate == "corrected" else {},
        corrections=corrections,
        before=around.get(ruling.position - 1),
        after=around.get(ruling.position + 1),
    )


def _side_by_side(ruling: Ruling) -> tuple[SaidLine, ...]:
    """Both reviews, in an order by which nobody can be followed from question to question."""
    reviews = (
        Review.objects.filter(question=ruling.question)
        .select_related("question__story__benchmark")
        .prefetch_related("flags")
    )
    found = sorted(reviews, key=lambda review: hashlib.sha256(f"{ruling.pk} {review.pk}".encode()).digest())
    return tuple(_said(review) for review in found)


def _said(review: Review) -> SaidLine:
    given = given_of(review)
    terms = scheme(review.question.story.benchmark.scheme)
    evaluation = {term.key: term.label for term in terms.evaluation}
    others: list[FlagGiven] = [flag for flag in given.flags if flag not in given.data_flags]
    return SaidLine(
        VERDICTS[given.verdict],
        tuple((terms.words(flag.category, flag.flaw), flag.note) for flag in given.data_flags),
        tuple((evaluation[flag.category], flag.scope, flag.note) for flag in others),
    )


# -- what became of the questions ------------------------------------------------------------------------------


def items_of(benchmark: Benchmark) -> list[Item]:
    """Every question with what was ruled; where nobody had to rule, with what both annotators say.

    A flaw on which they agree and on which nobody ruled is corrected by nobody: the corrected subset is without it.
    """
    questions = (
        Question.objects.filter(story__benchmark=benchmark)
        .select_related("story", "ruling")
        .prefetch_related(
            "reviews__flags", Prefetch("ruling__corrections", queryset=Correction.objects.order_by("-number"))
        )
        .order_by("number")
    )
    return [_item(question) for question in questions]


def _item(question: Question) -> Item:
    ruling: Ruling | None = getattr(question, "ruling", None)
    if ruling is not None:
        category, is_excluded = ruling.category or SOUND, ruling.fate == "excluded"
        corrections = list(ruling.corrections.all()) if ruling.fate == "corrected" else []
        changes = corrections[0].changes if corrections else {}
    else:
        said = {given_of(review).category for review in question.reviews.all()}
        category = said.pop() if len(said) == 1 else SOUND
        is_excluded, changes = category != SOUND, {}
    return Item(
        question.number, question.story.text, tuple(question.options), question.raw, category, is_excluded, changes
    )


def subset_files(subset: Subset) -> Written:
    """A subset's files as they were when it was frozen. Raises `ValueError` where they are not any more."""
    files = written(subset.benchmark.layout, members(subset.kind, items_of(subset.benchmark)))
    if digest(files) != subset.sha256:
        raise ValueError(f"The {subset.kind} questions of {subset.benchmark} are not those that were frozen.")
    return files


def flags_csv(benchmark: Benchmark) -> str:
    """What annotators said before adjudication, as `analyse_audit` reads it; for nobody before that has begun."""
    return csv_line(("question", "annotator", "category", "verdict", "flaws", "notes", "evaluation")) + "".join(
        map(csv_line, flag_rows(benchmark))
    )


def flag_rows(benchmark: Benchmark) -> list[list[str]]:
    """The question's number, who annotated, the primary category, verdict, flaws, notes, evaluation."""
    reviews = (
        Review.objects.filter(question__story__benchmark=benchmark, done_at__isnull=False)
        .select_related("annotator", "question")
        .prefetch_related("flags")
        .order_by("question__number", "annotator__pseudonym")
    )
    return [_flag_cells(review) for review in reviews]


def _flag_cells(review: Review) -> list[str]:
    given = given_of(review)
    others = [flag for flag in given.flags if flag not in given.data_flags]
    return [
        str(review.question.number),
        review.annotator.pseudonym,
        given.category,
        given.verdict,
        "; ".join(flag.name for flag in given.data_flags),
        "; ".join(flag.note for flag in given.data_flags),
        "; ".join(f"{flag.category} ({flag.scope})" for flag in others),
    ]


def rulings_csv(benchmark: Benchmark) -> str:
    """What became of every question that was reviewed, as `analyse_audit` reads it."""
    header = ("question", "category", "correction", "weight", "fate", "reworded", "how", "reason")
    return csv_line(header) + "".join(
        csv_line(
            [
                str(row.number),
                row.category,
                row.changes.get("gold", ""),
                repr(row.weight),
                row.fate,
                "no" if {"text", "story"}.isdisjoint(row.changes) else "yes",
                row.how,
                row.reason,
            ]
        )
        for row in ruling_rows(benchmark)
        if row.weight
    )


@dataclass(frozen=True)
class RulingRow:
    """What became of a question, and how it was decided. `weight` is 1 over the probability that it came to be
    reviewed, 0 where it did not.
    """

    number: int
    category: str
    fate: str
    how: str
    changes: Mapping[str, str]
    reason: str
    weight: float


def ruling_rows(benchmark: Benchmark) -> list[RulingRow]:
    """Rows for every question, in the file's order."""
    rulings = {
        ruling.question.number: ruling
        for ruling in Ruling.objects.filter(question__story__benchmark=benchmark).select_related("question")
    }
    weights = _weights(benchmark)
    return [
        _ruling_row(item, rulings.get(item.number), weights.get(item.number, 0)) for item in items_of(benchmark)
    ]


def _weights(benchmark: Benchmark) -> dict[int, float]:
    """Weights of the questions that are reviewed, by number."""
    reviewed = reviewed_questions(benchmark)
    if benchmark.reviewed == ALL:
        return dict.fromkeys(reviewed.values_list("number", flat=True), 1.0)
    return dict(reviewed.values_list("number", "drawn__weight"))


def _ruling_row(item: Item, ruling: Ruling | None, weight: float) -> RulingRow:
    if ruling is None:
        fate = "excluded" if item.is_excluded else "stays"
        how = "both agree" if weight else "not reviewed"
        return RulingRow(item.number, item.category, fate, how, item.changes, "", weight)
    how = "disputed" if ruling.is_disputed else "sampled"
    return RulingRow(item.number, item.category, ruling.fate, how, item.changes, ruling.reason, weight)


def subsets_of(benchmark: Benchmark) -> list[Subset]:
    return list(Subset.objects.filter(benchmark=benchmark).order_by("pk"))
