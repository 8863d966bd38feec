"""Audits of benchmarks in tables and pictures."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from matplotlib.figure import Figure

from analysis.benchmarks.core.audit import CLEANED, CORRECTED, EARLIER, ERRORS, ORIGINAL, ErrorSplit, Score
from analysis.benchmarks.core.audit_files import OF_A_SUBSET
from analysis.benchmarks.core.audit_report import AuditReport, BenchmarkReport
from analysis.data.core.results import Estimate
from analysis.sections.exhibits.composing import compose
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.shares import Part, shares_plot
from analysis.sections.exhibits.theme import RAMP

SECTION: Final = "Benchmark audits"
NOT_COMPUTED: Final = "not computed by this version"
COLOURS: Final = (RAMP[4], RAMP[3], RAMP[2], RAMP[1], RAMP[0], RAMP[0])  # of kinds of errors
HATCHES: Final = ("", "", "....", "////", "", "xxxx")
CLUSTERS: Final = (
    "Clusters are drawn with replacement; figures that are compared are computed anew from the same ones."
)
OTHER_DETAIL: Final = (
    "An answer in other detail than expected is not right, unless it is said that it is; scores on the subsets "
    "know nothing of people’s marks."
)
MISSED_ALONE: Final = (
    " Only questions that a model missed were reviewed, and a sample of the others: dropping flawed ones by itself "
    "raises every score, and the weighted figure undoes that."
)
WEIGHTED_ERRORS: Final = (
    "Weighted shares are of errors on reviewed questions alone, each for as many as it stands for. "
)


def audit_exhibits(found: AuditReport) -> Iterator[Exhibit]:
    for number, each in enumerate(found.benchmarks, start=1):
        yield from _of_one(each, f"-{number}" if len(found.benchmarks) > 1 else "", len(found.benchmarks) > 1)


def _of_one(each: BenchmarkReport, suffix: str, is_among_several: bool) -> Iterator[Exhibit]:
    title = f" in {each.name}" if is_among_several else ""
    yield _flaws(each, suffix, title)
    yield _agreement(each, suffix, title)
    yield _confusion(each, suffix, title)
    if each.evaluation:
        yield _evaluation(each, suffix, title)
    yield _scores(each, suffix, title)
    yield _differences(each, suffix, title)
    yield _parts(each, suffix, title)
    yield _errors(each, suffix, title)
    if each.methods:
        yield _methods(each, suffix, title)
        yield _people(each, suffix, title)
    if each.rephrased:
        yield _rephrased(each, suffix, title)
        yield _flips(each, suffix, title)
    if each.no_reply:
        yield _no_reply(each, suffix, title)
    if each.published:
        yield _published(each, suffix, title)


def _flaws(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return compose(
        f"audit-flaws{suffix}",
        SECTION,
        f"Flawed questions{title}",
        describes=f"By primary category, of {each.questions} questions in {each.stories} stories.",
        method=f"Shares of questions{', weighted by how likely they came to be reviewed' * each.was_sampled}, and "
        f"of stories with any such question. {CLUSTERS}",
        columns=[
            *(Column(heading) for heading in ("Category", "Questions", "Stories")),
            *(Column(heading, is_share=True) for heading in ("Of questions", "Of stories")),
        ],
        rows=[
            (flaw.category, flaw.questions, flaw.stories, flaw.share, flaw.story_share)
            for flaw in (*each.flaws, each.flawed)
        ],
    )


def _agreement(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return compose(
        f"audit-agreement{suffix}",
        SECTION,
        f"Agreement of annotators{title}",
        describes="How far two annotators name the same primary category, before anybody adjudicated.",
        method="Cohen’s κ and Krippendorff’s nominal α over all categories; on each against the rest κ with "
        "positive and negative agreement, which tell a rare category from one on which they differ."
        + " Of reviewed questions as they are, not weighted: those that a model missed count for more than in the "
        "benchmark." * each.was_sampled,
        columns=[
            *(Column(heading) for heading in ("On", "Coefficient", "Value")),
            *(Column(heading) for heading in ("Positive agreement", "Negative agreement")),
        ],
        rows=[(one.of, one.coefficient, one.value, one.positive, one.negative) for one in each.agreement],
    )


def _confusion(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return compose(
        f"audit-confusion{suffix}",
        SECTION,
        f"What two annotators said{title}",
        describes="Questions by the categories that the one and the other named.",
        method="The annotator first by pseudonym stands first.",
        columns=[Column("One"), Column("The other"), Column("Questions")],
        rows=[(pair.one, pair.other, pair.questions) for pair in each.confusion],
    )


def _evaluation(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return compose(
        f"audit-evaluation{suffix}",
        SECTION,
        f"How answers are evaluated{title}",
        describes="What annotators said of how the benchmark asks and scores, apart from flaws of its questions.",
        method="How many said so, and at how many questions, before anybody adjudicated; nobody ruled on it.",
        columns=[Column(heading) for heading in ("Doubt", "Of", "Annotators", "Questions")],
        rows=[(one.category, one.scope, one.annotators, one.questions) for one in each.evaluation],
    )


def _estimate(score: Score) -> Estimate:
    """An estimate; of conversations about a subset only their score on it is computed; an earlier version computed
    more.
    """
    is_computed = score.mode not in OF_A_SUBSET or (score.subset == OF_A_SUBSET[score.mode] and not score.part)
    return score.estimate if is_computed else Estimate(score.estimate.name, None, 0, reason=NOT_COMPUTED)


def _scored(
    name: str,
    heading: str,
    scores: Sequence[Score],
    cells: Callable[[Score], tuple[str, ...]],
    columns: Sequence[Column],
    *,
    describes: str,
    method: str,
    draw: Callable[[], Figure] | None = None,
) -> Exhibit:
    """A row for each score: model, how it was asked, what `cells` say, and how many were right."""
    return compose(
        name,
        SECTION,
        heading,
        describes=describes,
        method=method,
        columns=[Column("Model"), Column("Asked"), *columns],
        rows=[(score.model, score.mode, *cells(score), _estimate(score)) for score in scores],
        draw=draw,
    )


def _scores(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    shown = [score for score in each.scores if not score.part]
    questions = [score for score in shown if score.of == "questions" and _estimate(score) == score.estimate]
    subsets = [name for name in (ORIGINAL, CLEANED, CORRECTED) if any(score.subset == name for score in questions)]
    return _scored(
        f"audit-scores{suffix}",
        f"Scores by subset{title}",
        (*shown, *each.baselines),
        lambda score: (score.of, score.subset),
        [Column("Of"), Column("Subset"), Column("Right", is_share=True)],
        describes="Right answers on the benchmark as published, without flawed questions, and as corrected, "
        "without excluded ones; of questions, and of stories all of whose questions are right, where each was "
        "answered. Conversations about a subset have the score on it alone.",
        method=f"Scored by {each.scoring}. Models that do not read stand below the others: one for each "
        "answer that "
        f"is always given, one that gives each kind of question its most frequent answer. {CLUSTERS}",
        draw=(
            lambda: dot_plot(
                [
                    Group(
                        f"{model}, {mode}",
                        tuple(
                            Lane(subset, (score.estimate,))
                            for subset in subsets
                            for score in questions
                            if (score.model, score.mode, score.subset) == (model, mode, subset)
                        ),
                    )
                    for model, mode in dict.fromkeys((score.model, score.mode) for score in questions)
                ],
                [Scale("Right answers", reaches=(0, 1), is_share=True)],
            )
        )
        if questions
        else None,
    )


def _differences(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return _scored(
        f"audit-differences{suffix}",
        f"What cleaning, correcting and history change{title}",
        each.differences,
        lambda score: (score.subset,),
        [Column("Difference of"), Column("Percentage points", digits=1)],
        describes="Cleaned less original: of some questions and of all; corrected less original: of those that "
        "were not excluded; history less singly: of those that were asked in both ways.",
        method=CLUSTERS + MISSED_ALONE * each.was_sampled,
    )


def _parts(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return _scored(
        f"audit-parts{suffix}",
        f"Scores by part{title}",
        [score for score in each.scores if score.part],
        lambda score: (score.of, score.part),
        [Column("Of"), Column("Part"), Column("Right", is_share=True)],
        describes="Right answers, as published, by source and kind, of questions and of stories all of whose "
        "questions are right; and on sound and flawed questions.",
        method="Sound and flawed questions are weighted by how likely they came to be reviewed. " * each.was_sampled
        + CLUSTERS,
    )


def _errors(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    errors = [split for split in each.errors if split.mode not in OF_A_SUBSET]
    is_weighted = any(split.weighted for split in errors)
    return compose(
        f"audit-errors{suffix}",
        SECTION,
        f"Whose the errors are{title}",
        describes="Each error once, by the first that holds: wrong label, granularity, right by people, another "
        "flaw, and else the model’s, or of a question that nobody reviewed.",
        method="A wrong label is one by whose correction the answer is right; granularity, or right although the "
        "key or the scoring has it wrong, is people’s verdict, and of an error that nobody marked it is not known. "
        "The benchmark is answerable for at least these three, and at most for every error on a question that is "
        f"flawed or was not reviewed: an error on one may be the model’s all the same. "
        f"{WEIGHTED_ERRORS * is_weighted}{CLUSTERS}",
        columns=[
            *(Column(heading) for heading in ("Model", "Asked")),
            *(Column(kind[0].upper() + kind[1:]) for kind in ERRORS),
            Column("Not marked"),
            *(Column(heading, is_share=True) for heading in ("At least", "At most")),
            *(
                Column(heading, is_share=True)
                for heading in ("At least, weighted", "At most, weighted")
                if is_weighted
            ),
        ],
        rows=[
            (
                *(split.model, split.mode, *_counts(split), split.unmarked),
                *(split.least, split.most, *(split.weighted or (None, None)) * is_weighted),
            )
            for split in errors
        ],
        draw=(
            lambda: shares_plot(
                [
                    (f"{split.model}, {split.mode}", tuple(count or 0 for count in _counts(split)))
                    for split in errors
                ],
                [Part(*each) for each in zip(ERRORS, COLOURS, HATCHES, strict=True)],
                what="Errors",
            )
        )
        if any(sum(split.counts) for split in errors)
        else None,
    )


def _counts(split: ErrorSplit) -> tuple[int | None, ...]:
    """Counts in the order of `ERRORS`; None for kinds that an earlier version did not tell apart."""
    if len(split.counts) == len(ERRORS):
        return split.counts
    earlier = dict(zip(EARLIER, split.counts, strict=False))
    return tuple(earlier.get(kind) for kind in ERRORS)


def _methods(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    granularity, marked = each.granularity
    return compose(
        f"audit-scoring{suffix}",
        SECTION,
        f"Ways to score, against people{title}",
        describes=f"Cohen’s κ of each with people’s marks of {marked} answers, {granularity} of which are right in "
        "other detail than expected.",
        method=f"{OTHER_DETAIL} Where several people marked an answer, the first by pseudonym counts.",
        columns=[Column("Way to score"), Column("κ"), Column("κ, other detail is right")],
        rows=[(one.method, one.kappa, one.with_detail) for one in each.methods],
    )


def _people(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return compose(
        f"audit-people{suffix}",
        SECTION,
        f"Scores by people{title}",
        describes="Of the answers that people marked, how many are right by the scoring, by people, and by people "
        "if one in other detail than expected is right.",
        method=f"Way to score: {each.scoring}. {OTHER_DETAIL} {CLUSTERS}",
        columns=[
            *(Column(heading) for heading in ("Model", "Asked", "Marked")),
            *(
                Column(heading, is_share=True)
                for heading in ("By the scoring", "By people", "Other detail is right")
            ),
        ],
        rows=[(one.model, one.mode, one.marked, one.scored, one.right, one.with_detail) for one in each.people],
    )


def _rephrased(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return compose(
        f"audit-rephrasings{suffix}",
        SECTION,
        f"Scores by wording{title}",
        describes="The same questions as published and in other words.",
        method=f"Over the questions that a model answered in every wording. {CLUSTERS}",
        columns=[*(Column(heading) for heading in ("Model", "Wording")), Column("Right", is_share=True)],
        rows=[
            (one.model, "as published" if score.wording == 0 else f"rephrasing {score.wording}", score.score)
            for one in each.rephrased
            for score in one.scores
        ],
        draw=lambda: dot_plot(
            [
                Group(
                    one.model,
                    tuple(
                        Lane("published" if score.wording == 0 else str(score.wording), (score.score,))
                        for score in one.scores
                    ),
                )
                for one in each.rephrased
            ],
            [Scale("Right answers", reaches=(0, 1), is_share=True)],
        ),
    )


def _flips(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return compose(
        f"audit-flips{suffix}",
        SECTION,
        f"How much the words matter{title}",
        describes="The range of scores, and questions answered rightly in some wordings and wrongly in others.",
        method="Rephrasings less published is on the same questions. Scores over all rephrasings stand with and "
        f"without those that people found to fail. {CLUSTERS}",
        columns=[
            Column("Model"),
            Column("Questions"),
            Column("Range, percentage points", digits=1),
            Column("Rephrasings less published, percentage points", digits=1),
            *(Column(heading, is_share=True) for heading in ("Flip", "All rephrasings", "Without failed ones")),
            Column("Rephrasings that fail", is_share=True),
        ],
        rows=[
            (
                *(one.model, one.questions, one.width),
                *(one.difference, one.flips, one.all_rephrasings, one.kept, each.rephrasings_failed),
            )
            for one in each.rephrased
        ],
    )


def _no_reply(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    return compose(
        f"audit-no-reply{suffix}",
        SECTION,
        f"Questions without a reply{title}",
        describes="They enter no score: a failed reply is no wrong answer.",
        method="A failed reply ends its conversation; what would have come after was not asked.",
        columns=[Column("Model"), Column("Asked"), Column("Failed"), Column("Not asked")],
        rows=[(one.model, one.mode, one.failed, one.not_asked) for one in each.no_reply],
    )


def _published(each: BenchmarkReport, suffix: str, title: str) -> Exhibit:
    own = {
        "questions": str(each.questions),
        "stories": str(each.stories),
        **{flaw.category: str(flaw.questions) for flaw in each.flaws},
        "any flaw": str(each.flawed.questions),
        "questions left": str(each.questions - each.flawed.questions),
    }
    return compose(
        f"audit-published{suffix}",
        SECTION,
        f"The published audit beside this one{title}",
        describes="Figures of the published audit as they were printed; its flags and its models’ answers never "
        "were, so that none of them can be computed again.",
        method="Mousavi, Cecchinato, Horníková & Riccardi, “Garbage In, Reasoning Out?”. Shares are of questions; "
        "two with a bar between are of questions and stories.",
        columns=[*(Column(heading) for heading in ("Figure", "As published", "Here", "Note"))],
        rows=[(one.figure, one.value, own.get(one.figure, ""), one.note) for one in each.published],
    )
