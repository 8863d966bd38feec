"""An audit's figures as tables of text, a file each: CSV in UTF-8, figures at full precision."""

from collections.abc import Iterable, Iterator, Sequence

from analysis.benchmarks.core import audit
from analysis.benchmarks.core.audit import ERRORS, Score
from analysis.benchmarks.core.audit_files import Flag
from analysis.benchmarks.core.cluster_shares import Resamples
from analysis.benchmarks.core.flag_agreement import flag_agreement
from analysis.benchmarks.core.items import Answers, Items
from analysis.benchmarks.core.people import WITH_DETAIL, agreement_with_people, people_scores
from analysis.benchmarks.core.published import PUBLISHED
from analysis.data.core.results import Estimate
from annotation.platform.core.category_agreement import Concordance
from annotation.platform.core.csv_cells import Number, csv_line

ESTIMATE = ("value", "low", "high", "n", "reason")
OF_A_SCORE = ("model", "mode", "of", "subset", "part", *ESTIMATE)
POINTS = tuple(f"{name}, percentage points" if name in ("value", "low", "high") else name for name in ESTIMATE)
OF_A_DIFFERENCE = ("model", "mode", "of", "subset", "part", *POINTS)


def audit_tables(
    items: Items, answers: Sequence[Answers], flags: Iterable[Flag], layout: str, resamples: Resamples
) -> Iterator[tuple[str, bytes]]:
    """Names of files and what is in them."""
    yield "scores.csv", _table(OF_A_SCORE, map(_score, audit.scores(items, answers, resamples)))
    yield "differences.csv", _table(OF_A_DIFFERENCE, map(_score, audit.differences(items, answers, resamples)))
    splits = (
        (
            *(split.model, split.mode, *split.counts, split.unmarked),
            *(cell for end in (split.least, split.most, *(split.weighted or ())) for cell in _estimate(end)),
        )
        for split in audit.error_splits(items, answers, resamples)
    )
    bounds = ("at least", "at most", *("weighted, at least", "weighted, at most") * items.was_sampled)
    ends = (f"{end} {name}" for end in bounds for name in ESTIMATE)
    yield "errors.csv", _table(("model", "mode", *ERRORS, "not marked", *ends), splits)
    flaws = (
        (flaw.category, flaw.questions, flaw.stories, *_estimate(flaw.share), *_estimate(flaw.story_share))
        for flaw in audit.flaw_shares(items, resamples)
    )
    of_stories = (f"of stories {name}" for name in ESTIMATE)
    yield "flaws.csv", _table(("category", "questions", "stories", *ESTIMATE, *of_stories), flaws)
    marked = (
        (
            each.model,
            each.mode,
            each.marked,
            *_estimate(each.scored),
            *_estimate(each.right),
            *_estimate(each.with_detail),
        )
        for each in people_scores(items, answers, resamples)
    )
    by = ("by the scoring", "by people", "by people, other detail is right")
    yield (
        "people.csv",
        _table(("model", "mode", "marked", *(f"{how} {name}" for how in by for name in ESTIMATE)), marked),
    )
    yield from _agreement(items, answers, flags)
    published = ((each.figure, each.value, each.note) for each in PUBLISHED.get(layout, ()))
    yield "published.csv", _table(("figure", "as published", "note"), published)


def _agreement(items: Items, answers: Sequence[Answers], flags: Iterable[Flag]) -> Iterator[tuple[str, bytes]]:
    clusters = dict(enumerate(map(int, items.clusters), start=1))
    found = flag_agreement(flags, clusters)
    alpha = found.alpha
    low, high = alpha.interval() or (None, None)
    rows: list[Sequence[object]] = [
        ("all categories", "κ", *_concordance(found.overall)),
        ("all categories", "α", alpha.value, low, high, found.overall.n, alpha.reason or alpha.why_no_error),
        ("scoring with people", "κ", *_concordance(agreement_with_people(answers))),
        (
            "scoring with people, other detail is right",
            "κ",
            *_concordance(agreement_with_people(answers, WITH_DETAIL)),
        ),
    ]
    for each in found.by_category:
        n = each.kappa.n
        rows += [
            (each.category, "κ", *_concordance(each.kappa)),
            (each.category, "positive agreement", each.positive, None, None, n, ""),
            (each.category, "negative agreement", each.negative, None, None, n, ""),
        ]
    yield "agreement.csv", _table(("of", "coefficient", *ESTIMATE), rows)
    pairs = ((*pair, number) for pair, number in sorted(found.confusion.items()))
    yield "confusion.csv", _table(("one annotator", "the other", "questions"), pairs)


def _score(score: Score) -> Sequence[object]:
    return (score.model, score.mode, score.of, score.subset, score.part, *_estimate(score.estimate))


def _estimate(found: Estimate) -> Sequence[object]:
    interval = found.interval
    low, high = (interval.low, interval.high) if interval else (None, None)
    return (found.value, low, high, found.n, found.reason or (interval.reason if interval else "") or "")


def _concordance(found: Concordance) -> Sequence[object]:
    return (found.kappa, *(found.interval or (None, None)), found.n, found.reason)


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    return "".join(csv_line(map(_cell, row)) for row in (header, *rows)).encode()


def _cell(value: object) -> str:
    return value if isinstance(value, str) else Number("" if value is None else value)
