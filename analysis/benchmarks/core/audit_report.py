"""All that a study's audits tell: what was flawed, what models scored, whose the errors are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from analysis.benchmarks.core import audit
from analysis.benchmarks.core.audit import ErrorSplit, FlawShare, Score
from analysis.benchmarks.core.audit_files import GRANULARITY
from analysis.benchmarks.core.cluster_shares import Resamples
from analysis.benchmarks.core.flag_agreement import FlagAgreement, flag_agreement
from analysis.benchmarks.core.items import Items, answers_of, baselines
from analysis.benchmarks.core.people import (
    STRICTLY,
    WITH_DETAIL,
    PeopleScore,
    kappa_with_people,
    people_scores,
)
from analysis.benchmarks.core.published import PUBLISHED, PublishedFigure
from analysis.benchmarks.core.rephrasings import RephrasedModel, failures, rephrased_models
from analysis.benchmarks.core.study_audits import EvaluationFlag, StudyAudit
from analysis.data.core.parameters import Parameters
from analysis.data.core.results import Estimate, Interval
from annotation.benchmarks.core.scoring import THRESHOLD, Method, is_right
from annotation.platform.core.category_agreement import LEVEL, Concordance

SCOPE_NAMES: Final[Mapping[str, str]] = {"item": "the question", "story": "its story", "benchmark": "the benchmark"}
METHOD_NAMES: Final[Mapping[str, str]] = {
    "exact": "exact match",
    "levenshtein": f"edit distance, similarity from {THRESHOLD}",
    "option": "option by letter, number or words",
}


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of two annotators before adjudication, over all categories (“any”) or on one: Cohen's κ, and the
    positive and negative agreement; of all categories Krippendorff's α stands in a line of its own.
    """

    of: str
    coefficient: str
    value: Estimate
    positive: float | None = None
    negative: float | None = None


@dataclass(frozen=True, slots=True)
class Pairs:
    """How often one annotator named the one category and the other the other."""

    one: str
    other: str
    questions: int


@dataclass(frozen=True, slots=True)
class EvaluationCount:
    """How many annotators said something of how the benchmark evaluates, at how many questions; `scope` is what
    they said it of.
    """

    category: str
    scope: str
    annotators: int
    questions: int


@dataclass(frozen=True, slots=True)
class MethodAgreement:
    """A way to score, against people's marks: κ, over all answers that people marked; `with_detail` where one in
    other detail than expected counts as right.
    """

    method: str
    kappa: Estimate
    with_detail: Estimate


@dataclass(frozen=True, slots=True)
class NoReply:
    """Questions that a model was asked without a reply, and those that were not asked after one of them."""

    model: str
    mode: str
    failed: int
    not_asked: int


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """The report on one benchmark. `flawed` is of flaws of any category; `baselines` are scores of models that do
    not read. `differences` are in percentage points, as those of rephrasings are.
    """

    name: str
    questions: int
    stories: int
    clusters: int
    scoring: str
    was_sampled: bool
    flaws: tuple[FlawShare, ...]
    flawed: FlawShare
    agreement: tuple[Agreement, ...]
    confusion: tuple[Pairs, ...]
    evaluation: tuple[EvaluationCount, ...]
    scores: tuple[Score, ...]
    baselines: tuple[Score, ...]
    differences: tuple[Score, ...]
    errors: tuple[ErrorSplit, ...]
    methods: tuple[MethodAgreement, ...]
    granularity: tuple[int, int]
    people: tuple[PeopleScore, ...]
    rephrased: tuple[RephrasedModel, ...]
    rephrasings_failed: Estimate
    no_reply: tuple[NoReply, ...]
    published: tuple[PublishedFigure, ...]


@dataclass(frozen=True, slots=True)
class AuditReport:
    benchmarks: tuple[BenchmarkReport, ...]


def audit_report(audits: Sequence[StudyAudit], parameters: Parameters) -> AuditReport:
    return AuditReport(tuple(_report(each, parameters) for each in audits))


def _report(each: StudyAudit, parameters: Parameters) -> BenchmarkReport:
    items = Items.of(each.stories, each.rulings)
    method: Method = "option" if any(question.options for question in items.questions) else "exact"
    resamples = Resamples.drawn(
        int(items.clusters.max()) + 1, draws=parameters.draws, seed=parameters.seed, level=parameters.level
    )
    *by_category, flawed = audit.flaw_shares(items, resamples)
    answers = answers_of(items, each.predictions, method)
    no_readers = answers_of(items, baselines(items), method)
    flags = flag_agreement(each.flags, dict(enumerate(map(int, items.clusters), start=1)))
    marked = [mark.person for mark in each.marks.values() if mark.person]
    return BenchmarkReport(
        name=each.name,
        questions=len(items.questions),
        stories=len(each.stories),
        clusters=int(items.clusters.max()) + 1,
        scoring=METHOD_NAMES[method],
        was_sampled=items.was_sampled,
        flaws=tuple(by_category),
        flawed=flawed,
        agreement=tuple(_agreement(flags)),
        confusion=tuple(Pairs(*pair, number) for pair, number in sorted(flags.confusion.items())),
        evaluation=tuple(_evaluation(each.evaluation)),
        scores=tuple(audit.scores(items, answers, resamples)),
        baselines=tuple(
            score
            for score in audit.scores(items, no_readers, resamples)
            if not score.part and score.of == "questions" and score.subset in (audit.ORIGINAL, audit.CLEANED)
        ),
        differences=tuple(audit.differences(items, answers, resamples)),
        errors=tuple(audit.error_splits(items, answers, resamples)),
        methods=tuple(_methods(each, items)),
        granularity=(marked.count(GRANULARITY), len(marked)),
        people=tuple(people_scores(items, answers, resamples)),
        rephrased=tuple(rephrased_models(items, answers, each.rephrased, method, resamples)),
        rephrasings_failed=failures(items, each.checks, resamples),
        no_reply=tuple(
            NoReply(model, mode, *counts) for (model, mode), counts in sorted(each.failed.items()) if any(counts)
        ),
        published=PUBLISHED.get(each.layout, ()),
    )


def _agreement(found: FlagAgreement) -> Iterator[Agreement]:
    yield Agreement("all categories", "κ", _kappa(found.overall))
    alpha = found.alpha
    interval = alpha.interval()
    yield Agreement(
        "all categories",
        "α",
        Estimate("alpha", None, found.overall.n, reason=alpha.reason)
        if alpha.value is None
        else Estimate("alpha", alpha.value, found.overall.n, interval=_interval(interval, least=None)),
    )
    for category in found.by_category:
        yield Agreement(category.category, "κ", _kappa(category.kappa), category.positive, category.negative)


def _evaluation(flags: Sequence[EvaluationFlag]) -> Iterator[EvaluationCount]:
    for category, scope in sorted({(flag.category, flag.scope) for flag in flags}):
        found = [flag for flag in flags if (flag.category, flag.scope) == (category, scope)]
        yield EvaluationCount(
            category.replace("_", " "),
            SCOPE_NAMES.get(scope, scope),
            len({flag.annotator for flag in found}),
            len({flag.question for flag in found}),
        )


def _methods(each: StudyAudit, items: Items) -> Iterator[MethodAgreement]:
    """Every way to score with people, of answers that they marked."""
    said = {(one.model, one.mode, one.question): one.words for one in each.predictions}
    marked = {place: mark for place, mark in each.marks.items() if mark.person and place in said}
    if not marked:
        return
    has_options = any(question.options for question in items.questions)
    methods: tuple[Method, ...] = ("exact", "levenshtein", "option") if has_options else ("exact", "levenshtein")
    for method in methods:
        score = partial(_is_right, items, method)
        pairs = [(score(place[2], said[place]), mark.person) for place, mark in marked.items()]
        yield _method(METHOD_NAMES[method], pairs)
    for judge in sorted({name for mark in marked.values() for name, _ in mark.models}):
        pairs = [
            (is_right, mark.person) for mark in marked.values() for name, is_right in mark.models if name == judge
        ]
        yield _method(f"judge model {judge}", pairs)


def _method(name: str, pairs: Sequence[tuple[bool, str]]) -> MethodAgreement:
    strictly, with_detail = (_kappa(kappa_with_people(pairs, counted)) for counted in (STRICTLY, WITH_DETAIL))
    return MethodAgreement(name, strictly, with_detail)


def _is_right(items: Items, method: Method, question: int, words: str) -> bool:
    asked = items.questions[question - 1]
    return is_right(method, words, gold=asked.gold, options=asked.options, gold_option=asked.gold_option)


def _interval(ends: tuple[float, float] | None, *, least: float | None = -1.0) -> Interval | None:
    if ends is None:
        return None
    return Interval(*ends, LEVEL, "of the coefficient’s standard error", least=least, most=1.0)


def _kappa(found: Concordance) -> Estimate:
    if found.kappa is None:
        return Estimate("kappa", None, found.n, reason=found.reason or "nothing was said of by both")
    return Estimate("kappa", found.kappa, found.n, interval=_interval(found.interval))
