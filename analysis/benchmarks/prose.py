"""Audits of benchmarks in sentences: first whose the errors are."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from analysis.benchmarks.core.audit import CLEANED, ORIGINAL, WEIGHTED, ErrorSplit
from analysis.benchmarks.core.audit_files import HISTORY, SINGLY
from analysis.benchmarks.core.audit_report import AuditReport, BenchmarkReport
from analysis.data.core.number_format import percentage
from analysis.data.core.results import Estimate
from analysis.sections.prose.passage import Passage, enumerated, paragraph, said

HEADING: Final = "Benchmark audits"
# Ways to ask about the benchmark as published; a headline is of the first of which there is any.
ASKED: Final = {SINGLY: "asked singly", HISTORY: "asked with history"}
# Where of some errors nobody said whether they are of granularity.
REVIEWED: Final = ", as far as it was reviewed and marked"
METHODS: Final = Passage(
    HEADING,
    (
        "Two annotators looked alone at every question that was reviewed, and a third person ruled on those on "
        "which they differ and on a sample of the others. Models’ answers are scored on the questions as "
        "published, without flawed ones, and as corrected, without excluded ones. The sample consists of "
        "clusters of questions: stories, contexts, or pairs of variants. These are drawn with replacement, and "
        "both figures of a difference are computed anew from the same ones: of the same questions for "
        "corrections, history and rephrasings, of some questions and of all for cleaned less original. Each "
        "error is counted once, by the first that holds: as one of a wrong label where the answer is right "
        "under the correction, of granularity where people hold it to be right in other detail than expected, "
        "as right by people where they hold it to be right though the key or the scoring has it wrong, of "
        "another flaw where the question has one, and as the model’s where the question was reviewed. An error "
        "on a flawed question, or on one that nobody reviewed, is an upper bound for an error by a flaw.",
    ),
)


def audit_passages(found: AuditReport) -> Iterator[Passage]:
    yield Passage(HEADING, tuple(text for each in found.benchmarks for text in _of_one(each)))


def audit_headlines(found: AuditReport) -> Iterator[str]:
    for each in found.benchmarks:
        if each.flawed.share.value is not None:
            yield f"{said(each.flawed.share, 1, is_share=True)} of the questions of “{each.name}” are flawed."
        if splits := _of_one_way(each.errors):
            least = _between((split.model, split.least) for split in splits)
            most = _between((split.model, split.most) for split in splits)
            if len(splits) == 1:
                whose, bounds = splits[0].model, f"at least {least} and at most {most}"
            else:
                whose = f"{len(splits)} models"
                bounds = f"a share whose lower bound is {least}, and whose upper bound is {most}"
            yield (
                f"Of the errors of {whose}, {ASKED[splits[0].mode]}, “{each.name}” is answerable for "
                f"{bounds}{REVIEWED * any(split.unmarked != 0 for split in splits)}."
            )


def _of_one_way(errors: Sequence[ErrorSplit]) -> list[ErrorSplit]:
    """Figures of models that erred, of the first way to ask of which there are any: figures of several ways make no
    range, since the ways are not asked of the same questions.
    """
    erred = [split for split in errors if split.least.value is not None]
    ways = ([split for split in erred if split.mode == mode] for mode in ASKED)
    return next((splits for splits in ways if splits), [])


def _between(shares: Iterable[tuple[str, Estimate]]) -> str:
    """The lowest and the highest, with their models where these differ."""
    values = sorted((share.value, model) for model, share in shares if share.value is not None)
    (least, of_least), (most, of_most) = values[0], values[-1]
    low, high = percentage(least), percentage(most)
    return low if low == high else f"{low} ({of_least}) to {high} ({of_most})"


def _of_one(each: BenchmarkReport) -> Iterator[str]:
    yield from paragraph(_flaws(each), _agreement(each))
    yield from paragraph(_scores(each), _errors(each))
    yield from paragraph(_rephrased(each))


def _flaws(each: BenchmarkReport) -> str:
    parts = [f"{flaw.category} {flaw.questions} ({said(flaw.share, 1, is_share=True)})" for flaw in each.flaws]
    weighted = "; shares are weighted by how likely a question came to be reviewed" * each.was_sampled
    return (
        f"Of the {each.questions} questions of “{each.name}”, {each.flawed.questions} were found flawed "
        f"({said(each.flawed.share, 1, is_share=True)}): {enumerated(parts)}{weighted}."
    )


def _agreement(each: BenchmarkReport) -> str:
    return f"Before adjudication the annotators agreed with κ {said(each.agreement[0].value)}."


def _scores(each: BenchmarkReport) -> str:
    # Where only missed questions and a sample were reviewed, the cleaned score rises by that alone.
    cleaned, weighted = (WEIGHTED, "weighted ") if each.was_sampled else (CLEANED, "")
    parts = [
        f"{score.model}, {score.mode}: {said(score.estimate, 1)}"
        for score in each.differences
        if score.subset == f"{cleaned} − {ORIGINAL}"
    ]
    if not parts:
        return ""
    return f"Without flawed questions, {weighted}scores change by, in percentage points: {enumerated(parts)}."


def _errors(each: BenchmarkReport) -> str:
    erred = [split for split in each.errors if sum(split.counts)]
    if not erred:
        return ""
    whole = enumerated([_bounds(split, split.least, split.most) for split in erred])
    weighted = enumerated([_bounds(split, *split.weighted) for split in erred if split.weighted])
    ending = f"; weighted, of reviewed questions alone: {weighted}" if weighted else ""
    return f"The benchmark is answerable for these shares of the errors: {whole}{ending}."


def _bounds(split: ErrorSplit, least: Estimate, most: Estimate) -> str:
    ends = (f"{end} {said(share, 1, is_share=True)}" for end, share in (("at least", least), ("at most", most)))
    return f"{split.model}, {split.mode}: {', '.join(ends)}"


def _rephrased(each: BenchmarkReport) -> str:
    parts = [f"{one.model}: {said(one.flips, 1, is_share=True)}" for one in each.rephrased]
    return (
        f"Questions answered rightly in some wordings and wrongly in others: {enumerated(parts)}." if parts else ""
    )
