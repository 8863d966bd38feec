"""Constitutional trials in sentences: first the answer to the question."""

from collections.abc import Iterator, Sequence
from typing import Final

from analysis.data.core.trials import PEOPLE
from analysis.sections.prose.passage import Passage, enumerated, paragraph, said
from analysis.trials.core.conditions import Contrast
from analysis.trials.core.people import ALL
from analysis.trials.core.rubric_diagnostics import CONSENSUS
from analysis.trials.core.score_table import MEAN
from analysis.trials.core.trial_report import Replies, TrialReport
from analysis.trials.core.verdict import approach_in_words, by_words
from annotation.platform.core.phrases import counted

HEADING: Final = "Constitutional trials"
METHODS: Final = Passage(
    HEADING,
    (
        "Agreement of evaluators, positive controls left out, is told by Pearson’s r on points and "
        "Spearman’s r, means over all pairs, by Krippendorff’s ordinal α of all ratings, and by ICC(2,1) and "
        "ICC(3,1) over the answers that all evaluators scored, with intervals of the jackknife over scenarios. "
        "An approach in which any pair is undefined is not assessable, and no mean of the others is "
        "given. Conditions are compared with the baseline by paired t on scenario means; equality is "
        "two one-sided tests against a margin that was set beforehand. Where an evaluator failed, means "
        "of the others are adjusted for severity by least squares, among evaluators with at least ten "
        "answers in common. Conclusions are compared by χ² summed over scenarios, conditions permuted "
        "within cases; shares of pairs have intervals of the jackknife over scenarios.",
    ),
)


def rests_on(found: TrialReport) -> Iterator[str]:
    """How many scores of what, and by whom."""
    asked: dict[str, list[Replies]] = {}
    for each in found.replies:
        asked.setdefault(each.approach, []).append(each)
    parts = [
        f"{counted(sum(each.failed.n for each in some), 'score')} asked for of "
        f"{counted(len(some), 'evaluator')} in {approach_in_words(approach)}"
        for approach, some in asked.items()
        if approach != PEOPLE
    ]
    if people := asked.get(PEOPLE):
        given, number = sum(each.failed.n for each in people), len(people)
        parts.append(f"{counted(given, 'score')} by {'one person' if number == 1 else f'{number:,} people'}")
    yield (
        f"The constitutional trials rest on {counted(found.answers, 'answer')} to "
        f"{counted(found.scenarios, 'scenario')}, beside any positive controls: {enumerated(parts)}."
    )
    yield "A score is what one evaluator gave one answer on one dimension."


def trial_passages(found: TrialReport) -> Iterator[Passage]:
    yield Passage(
        HEADING,
        (
            *paragraph(found.verdict.sentence),
            *paragraph(_best(found), *found.verdict.steps),
            *paragraph(_approaches(found)),
            *paragraph(_people(found)),
            *paragraph(_rubric(found)),
            *paragraph(_contrasts(found, found.contrasts, "Points beyond the baseline"), _passed_over(found)),
            *paragraph(_contrasts(found, found.by_people, "Points beyond the baseline as people scored them")),
            *paragraph(_conclusions(found)),
            *paragraph(_halo(found)),
            *paragraph(_recognised(found)),
        ),
    )


def _best(found: TrialReport) -> str:
    best = found.verdict
    if not best.best:
        return ""
    said_r = f"{best.kind}’s r on the overall score {said(best.r)}"
    if best.validated:
        whole = f"The rubric is validated; {approach_in_words(best.best)} is recommended ({said_r})."
    else:
        whole = (
            f"Of approaches that can be assessed, evaluators agree most in {approach_in_words(best.best)} "
            f"({said_r})."
        )
    return " ".join(filter(None, [whole, _next(found)]))


def _next(found: TrialReport) -> str:
    """How far the second lies behind: the best was chosen by the figure that is shown for it."""
    known = [each for each in found.yardsticks if not each.bands and each.spearman.value is not None]
    if len(known) < 2:
        return ""
    second = known[1]
    behind = f"{approach_in_words(second.approach)} comes next by Spearman’s r"
    if found.yardsticks[0] is known[0] and second.behind_best.value is not None:
        behind = f"{behind}, {said(second.behind_best)} behind"
    return f"Of several, the best looks better than it would in a new sample: {behind}."


def _approaches(found: TrialReport) -> str:
    parts = by_words(
        (each.approach, f"Spearman {said(each.spearman)}, ordinal α {said(each.alpha_ordinal)}")
        for each in found.agreement
        if each.measure == MEAN
    )
    return f"On the overall score: {enumerated(f'{name} {words}' for name, words in parts)}." if parts else ""


def _people(found: TrialReport) -> str:
    parts = [
        f"{each.approach} {said(each.spearman)}"
        for each in found.people
        if each.measure == MEAN and each.evaluator == ALL
    ]
    return f"Models’ mean with that of people, Spearman’s r by approach: {enumerated(parts)}." if parts else ""


def _contrasts(found: TrialReport, contrasts: Sequence[Contrast], what: str) -> str:
    parts = [
        f"{found.called(each.condition)}, {_lower(found, each.dimension)}: {said(each.difference, 1)}"
        for each in contrasts
    ]
    return f"{what}: {enumerated(parts)}." if parts else ""


def _passed_over(found: TrialReport) -> str:
    parts = [
        f"{each.evaluator} on {_lower(found, each.dimension)} ({each.left_out:,} of {counted(each.given, 'score')})"
        for each in found.passed_over
    ]
    why = "who gave too few scores to be compared with others that scored the same answers"
    return f"Left out of these means are {why}: {enumerated(parts)}." if parts else ""


def _lower(found: TrialReport, key: str) -> str:
    """A dimension within a sentence."""
    name = found.called(key)
    return name[:1].lower() + name[1:]


def _conclusions(found: TrialReport) -> str:
    each = found.conclusions
    if each.differ.value is None:
        return ""
    beside = (
        f", {said(each.repeats, is_share=True)} of repeats of one condition"
        if each.repeats.value is not None
        else f"; how many of repeats of one condition would is not known, since {each.repeats.reason}"
    )
    return f"Of pairs of conditions in a case {said(each.differ, is_share=True)} conclude differently{beside}."


def _recognised(found: TrialReport) -> str:
    if not found.recognised:
        return ""
    every = found.recognised[0]
    return (
        f"Judges named the framework behind an answer correctly in {said(every.right)} of guesses; the index, 0 by "
        f"chance and 1 where all are right, is {said(every.index)}."
    )


def _rubric(found: TrialReport) -> str:
    parts = by_words(
        (each.approach, f"{_lower(found, each.one)} with {_lower(found, each.other)} {said(each.r)}")
        for each in found.links
        if each.over == CONSENSUS
    )
    named = enumerated(f"{name} {words}" for name, words in parts)
    return f"Dimensions together over consensus scores, by Pearson’s r: {named}." if parts else ""


def _halo(found: TrialReport) -> str:
    parts = [f"{each.first} less {each.second} {said(each.difference)}" for each in found.halo_differences]
    return (
        f"Halo, correlation of dimensions within evaluators beyond that between them: {enumerated(parts)}."
        if parts
        else ""
    )
