"""How models fared beside people, once it is known who wrote what."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from analysis.data.core.number_format import estimate_text
from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate
from analysis.outcomes.core.outcomes_by_scope import Outcomes, Precision
from analysis.outcomes.core.paired_comparison import Strengths
from analysis.sections.core.report import ScaleEnds
from analysis.sections.prose.passage import (
    Passage,
    by_domain,
    enumerated,
    in_order,
    listed,
    paragraph,
    said,
    writer_of,
)
from annotation.platform.core.phrases import counted

HEADING: Final = "Models and people"
METHODS: Final = (
    "Where people and models answered, every model’s answer is compared by rank with every person’s of the same "
    "judgment; a tie counts as half a win. A first place that models and people share counts wholly in one "
    "reading, and by the models’ share in the other. Strengths are logarithms of odds: how much likelier an answer "
    "of one source is to be put before one of another."
)


def outcomes(by_scope: Mapping[str, Outcomes]) -> Passage:
    whole = by_scope[WHOLE]
    return Passage(
        HEADING if whole.has_both else "Outcomes",
        (
            *_sources(whole),
            *_against_people(whole),
            *paragraph(
                _strengths("Davidson’s log-strengths, from pairs of answers, with sum 0,", whole.strengths),
                _strengths("Plackett and Luce’s, from whole rankings,", whole.plackett_luce),
            ),
            *_domains(by_scope),
        ),
    )


def headlines(whole: Outcomes, scale: ScaleEnds, *, are_comparisons: bool = False) -> Iterator[str]:
    """Whom judges preferred, and who came first in the mean, by scores on this scale where nobody is ranked; of
    comparisons of two, who was strongest: there a rank depends on whom one was compared with.
    """
    points = f"on a scale {'not given and taken to be' if scale.is_inferred else 'from'} {scale.span}"
    if whole.pairs.preference.value is not None:
        yield (
            f"A model’s answer was preferred to a person’s in {said(whole.pairs.preference, is_share=True)} of "
            f"{counted(whole.pairs.preference.n, 'pair')}, ties counting as half."
        )
    if whole.lead.value is not None:
        yield (
            f"Models’ answers scored {said(whole.lead)} points above people’s to the same prompt, {points}, in the "
            f"mean over {counted(whole.lead.n, 'judgment')}."
        )
    if are_comparisons:
        yield from _strongest(whole.strengths)
        return
    ranked = in_order(whole.sources, lambda each: each.competition_rank.mean)
    if len(ranked) > 1:
        best, *_, last = ranked
        yield (
            f"The best mean rank, 1 being the first place, was that of {writer_of(best.source)}, "
            f"{_over_ratings(best.competition_rank.mean)}; the worst, that of {writer_of(last.source)}, "
            f"{_over_ratings(last.competition_rank.mean)}."
        )
        return
    scored = in_order(whole.sources, lambda each: each.score.mean)
    if len(scored) > 1:
        lowest, *_, highest = scored
        yield (
            f"The highest mean score, {points}, was that of {writer_of(highest.source)}, "
            f"{_over_ratings(highest.score.mean)}; the lowest, that of {writer_of(lowest.source)}, "
            f"{_over_ratings(lowest.score.mean)}."
        )


def _over_ratings(mean: Estimate) -> str:
    return f"{said(mean)} over {counted(mean.n, 'rating')}"


def _strongest(strengths: Strengths) -> Iterator[str]:
    known = in_order(strengths.items, lambda item: item.log_strength)
    if len(known) > 1:
        last, *_, best = known
        yield (
            f"The strongest was {writer_of(best.item)}, with a log-strength of {said(best.log_strength)}; the "
            f"weakest, {writer_of(last.item)}, with {said(last.log_strength)}."
        )


def more_judges(precision: Iterable[Precision]) -> Passage:
    """What more of them would bring."""
    return Passage(HEADING, _more_judges(precision))


def _sources(whole: Outcomes) -> tuple[str, ...]:
    ranks = enumerated(
        f"{writer_of(each.source)} {said(each.competition_rank.mean)}"
        for each in in_order(whole.sources, lambda each: each.competition_rank.mean)
    )
    scores = enumerated(
        f"{writer_of(each.source)} {said(each.score.mean)}"
        for each in reversed(in_order(whole.sources, lambda each: each.score.mean))
    )
    return paragraph(
        ranks and f"Mean ranks, ties sharing the best place, the best first: {ranks}.",
        scores and f"Mean scores, the highest first: {scores}.",
    )


def _against_people(whole: Outcomes) -> tuple[str, ...]:
    pairs, first = whole.pairs, whole.first
    if not whole.has_both:
        return ()
    if pairs.preference.value is None:
        return paragraph(f"Whether models are preferred to people is undefined: {pairs.preference.reason}.")
    return paragraph(
        f"Of {counted(pairs.preference.n, 'pair')} of a model’s and a person’s answer in one judgment, models won "
        f"{pairs.wins:,}, tied {pairs.ties:,} and lost {pairs.losses:,}: the model’s answer was preferred in "
        f"{said(pairs.preference, is_share=True)}, ties counting as half.",
        f"A model stood first in {said(first.any_first, is_share=True)} of "
        f"{counted(first.any_first.n, 'judgment')}; by shares of first places, in "
        f"{said(first.fractional, is_share=True)}.",
        *_in_points(whole),
    )


def _in_points(whole: Outcomes) -> Iterator[str]:
    """How far models led in scores, and on how many prompts; why that is undefined stands there once."""
    if whole.lead.value is None:
        yield f"By how many points models’ answers were scored above people’s is undefined: {whole.lead.reason}."
    else:
        yield f"Models’ answers were scored above people’s by {said(whole.lead)} points."
    if whole.led_by_models.value is not None:
        yield f"On {said(whole.led_by_models, is_share=True)} of prompts models’ mean score was the higher one."


def _strengths(what: str, strengths: Strengths) -> str:
    known = reversed(in_order(strengths.items, lambda item: item.log_strength))
    named = enumerated(f"{writer_of(item.item)} {said(item.log_strength)}" for item in known)
    if not named:
        reasons = sorted({item.log_strength.reason for item in strengths.items if item.log_strength.reason})
        return f"{what} are undefined: {listed(reasons)}." if reasons else ""
    ties = f" (ν for ties {said(strengths.ties)})" if strengths.ties else ""
    return f"{what} are: {named}{ties}."


def _domains(by_scope: Mapping[str, Outcomes]) -> tuple[str, ...]:
    preferred = by_domain(by_scope, lambda part: part.pairs.preference, is_share=True)
    first = by_domain(by_scope, lambda part: part.first.any_first, is_share=True)
    return paragraph(
        preferred and f"By domain, the model’s answer was preferred in: {preferred}.",
        first and f"A model stood first in: {first}.",
    )


def _more_judges(precision: Iterable[Precision]) -> tuple[str, ...]:
    known = [each for each in precision if each.reach.value is not None]
    reaches = enumerated(
        f"±{estimate_text(each.reach)} points with {counted(each.more, 'judge')} more"
        if each.more
        else f"±{estimate_text(each.reach)} points as it is"
        for each in known
    )
    return paragraph(
        reaches
        and f"On the same prompts, judges working as much as now, the models’ lead would be known to {reaches}."
    )
