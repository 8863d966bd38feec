"""What masked judgments tell: how far judges agree, how the rubric's dimensions hang together, single judges."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from analysis.agreement.core.agreement import AgreementSummary
from analysis.agreement.core.agreement_by_scope import Agreement
from analysis.agreement.core.categories import VERDICT, DimensionCategories
from analysis.agreement.core.dimensions import Component, Correlation
from analysis.agreement.core.evaluators import TARGET, EvaluatorAgreement
from analysis.agreement.core.overall_intraclass import OverallIntraclass
from analysis.agreement.core.rubric import Consensus, Evaluators, Rubric
from analysis.agreement.core.single_judges import JudgeLine, Judges
from analysis.data.core.number_format import numeral, percentage, permutation_p
from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate, Summary
from analysis.sections.prose.passage import (
    Passage,
    by_domain,
    enumerated,
    extremes,
    listed,
    paragraph,
    readable,
    said,
)
from annotation.platform.core.phrases import counted

DIMENSIONS: Final = "The rubric’s dimensions"
METHODS: Final = (
    "Kendall’s W says how far the judges of a prompt rank its answers alike, from 0 to 1; plain W of "
    "ranks given of which several answers have one, as 1, 2, 2, 4, can be somewhat more. It rests on the judges "
    "who ranked every answer that any of them ranked; where sets of answers rotate, W over the answers that all of "
    "them ranked, ranked anew among themselves, takes its place. W is given plain and corrected for ties. Its "
    "p-value is the share of permutations, within every judge and prompt, that bring a mean W at least as large. "
    "The shares of prompts on which all judges agree take prompts as a sample, with these judges. Kendall’s τ-b "
    "compares judges two by two on the answers that both ranked. Krippendorff’s α takes every answer as a unit and "
    "allows for missing ratings: ordinal for ranks, interval for scores."
)


def agreement(by_scope: Mapping[str, Agreement]) -> Passage:
    whole = by_scope[WHOLE]
    return Passage(
        "Agreement between judges",
        (*_published(whole), *_concordance(whole), *_by_pairs(whole), *_domains(by_scope)),
    )


def headlines(whole: Agreement) -> tuple[str, ...]:
    """How far judges agree, by the figure that ties and rotating sets of answers leave defined."""
    summary, published = whole.summary, whole.published
    named = (
        {"Kendall’s W as published": published.w.mean}
        if published
        else {
            "Kendall’s W, corrected for ties,": summary.w_tie_corrected.mean,
            "Kendall’s W over the answers that all judges of a prompt ranked": summary.w_common.mean,
        }
    )
    for name, figure in named.items():
        if figure.value is not None:
            return (f"{name} was {said(figure)} in the mean over {counted(figure.n, 'prompt')}.",)
    return ()


def headlines_on_scores(summary: AgreementSummary, overall: OverallIntraclass) -> Iterator[str]:
    """How far judges agree in scores, whatever prompt an answer is to."""
    one, together = overall.icc["random"], overall.icc["random_mean"]
    if one.value is not None and together.value is not None:
        yield (
            f"Over all answers, scores agreed by an intraclass correlation, 0 being chance, of {said(one)} for a "
            f"single judge, ICC(2,1), and of {said(together)} for an answer’s judges together, ICC(2,k), over "
            f"{counted(one.n, 'pair')} of judges."
        )
    alpha = summary.alpha_interval
    if alpha.value is not None:
        yield (
            f"Krippendorff’s interval α of scores, 0 being chance, was {said(alpha)} over "
            f"{counted(alpha.n, 'answer')}."
        )


def headlines_on_first_places(whole: Agreement) -> Iterator[str]:
    """How often all judges put the same answer first."""
    first = (whole.published or whole.summary).top_1
    if first.value is not None:
        how = " as published, ties broken by the answers’ ids," if whole.published else ""
        yield (
            f"All judges of a prompt put the same answer first{how} on {said(first, is_share=True)} of "
            f"{counted(first.n, 'prompt')}."
        )


def headlines_on_dimensions(found: Rubric) -> Iterator[str]:
    """How far the rubric's dimensions hang together."""
    number = len(found.components)
    if number > 1 and found.components[0].share.value is not None:
        share = found.components[0].share
        yield (
            f"Of the variance of the {number} dimensions’ scores, the first principal component of their "
            f"correlations held {said(share, is_share=True)}, over {counted(share.n, 'rating')}; of dimensions "
            f"that have nothing in common it would hold {percentage(1 / number, 0)}."
        )


def headlines_on_judges(found: Evaluators) -> Iterator[str]:
    """How alike two judges score, in the mean of the dimensions."""
    if found.evaluators and (overall := found.evaluators[0]).r.value is not None:
        within = f"; within prompts, {said(overall.r_within)}" if overall.r_within.value is not None else ""
        yield (
            f"Pearson’s r of two judges’ mean scores of the same answers was {said(overall.r)} on average, over "
            f"{counted(overall.r.n, 'pair')} of judges{within}."
        )


def intraclass(by_scope: Mapping[str, OverallIntraclass]) -> Passage:
    whole = by_scope[WHOLE].icc
    kinds = {"ICC(2,1)": "random", "ICC(2,k)": "random_mean"}
    found = [f"{name} is {said(whole[kind])}" for name, kind in kinds.items() if whole[kind].value is not None]
    return Passage(
        "Agreement between judges",
        paragraph(
            f"Over all answers, whatever prompt they are to, {listed(found)}: there, differences between prompts "
            "count as differences between answers."
            if found
            else ""
        ),
    )


def on_categories(found: Sequence[DimensionCategories]) -> Passage:
    return Passage(
        "Agreement between judges",
        paragraph(
            *(
                f"On {'which of two answers is better' if each.dimension == VERDICT else readable(each.dimension)} "
                f"({each.categories:,} categories), judges agree in "
                f"{said(each.share, is_share=True)}: Fleiss’ κ {said(each.fleiss)}, nominal α "
                f"{said(each.alpha_nominal)}, AC1 {said(each.ac1)}."
                for each in found
                if each.fleiss.value is not None
            )
        ),
    )


def headlines_on_comparisons(found: Sequence[DimensionCategories]) -> tuple[str, ...]:
    """How far judges agree on which of two answers is better, where that is what they judged."""
    return tuple(
        f"Of which of two answers is better, judges said the same in {said(each.share, is_share=True)}: Fleiss’ κ "
        f"{said(each.fleiss)}."
        for each in found
        if each.dimension == VERDICT and each.fleiss.value is not None
    )


def rubric(found: Rubric) -> Passage:
    return Passage(DIMENSIONS, _dimensions("ratings", found.correlations, found.components))


def consensus(found: Consensus) -> Passage:
    return Passage(
        DIMENSIONS,
        _dimensions(
            "consensus scores, answers’ means over their raters,",
            found.consensus_correlations,
            found.consensus_components,
        ),
    )


def _dimensions(over: str, correlations: Sequence[Correlation], found: Sequence[Component]) -> tuple[str, ...]:
    ends = [
        f"{said(pair.r)} ({readable(pair.one)} with {readable(pair.other)})"
        for pair in extremes(correlations, lambda pair: pair.r)
    ]
    shares = enumerated(said(component.share, is_share=True) for component in found)
    return paragraph(
        f"Of two dimensions, Pearson’s r over {over} is lowest and highest at {listed(ends)}." if ends else "",
        shares
        and f"The principal components of their correlations hold these shares of the variance: {shares}. "
        "A first one with nearly all of it would say that the dimensions measure one thing.",
    )


def evaluators(found: Evaluators) -> Passage:
    return Passage(DIMENSIONS, _evaluators(found.evaluators))


def judges(found: Judges) -> Passage:
    lines = found.judges
    ends = [line.severity for line in extremes(lines, lambda line: line.severity.lead.mean)]
    beside = listed(f"{each.judge}, {said(each.lead.mean)}" for each in ends) if ends else ""
    return Passage(
        "Single judges",
        paragraph(
            beside
            and f"In points above the others’ scores of the same answers, the strictest and the mildest: {beside}.",
            _left_out(lines),
        ),
    )


def _published(whole: Agreement) -> tuple[str, ...]:
    found = whole.published
    if found is None:
        return ()
    return paragraph(
        _over_prompts("As published, W", found.w, ()),
        f"As published, τ-b is {said(found.tau_b)} in the mean over {counted(found.tau_b.n, 'pair')} of judges.",
        f"As published, all judges put the same answer first on {said(found.top_1, is_share=True)} of prompts, and "
        f"gave the same ranking on {said(found.full, is_share=True)}; ties are broken by the answers’ ids, which "
        f"decides between first places on {counted(found.broken, 'prompt')} and tells nothing of the answers."
        if found.top_1.value is not None
        else "",
    )


def _concordance(whole: Agreement) -> tuple[str, ...]:
    summary, prompts, p = whole.summary, whole.prompts, whole.permutation_p
    return paragraph(
        _over_prompts("Kendall’s W, plain,", summary.w, (prompt.w for prompt in prompts)),
        _over_prompts(
            "Corrected for ties, W", summary.w_tie_corrected, (prompt.w_tie_corrected for prompt in prompts)
        ),
        _over_prompts(
            "Over the answers that all judges of a prompt ranked, W",
            summary.w_common,
            (prompt.w_common for prompt in prompts),
        ),
        ""
        if p.value is None
        else f"If judges had ordered these at random, so large a mean would have {permutation_p(p.value, p.n)}.",
    )


def _by_pairs(whole: Agreement) -> tuple[str, ...]:
    summary, pooled = whole.summary, whole.summary.tau_b_pooled
    scored = {
        "ICC(2,1) of a single judge": "random",
        "ICC(2,k) of a prompt’s judges together": "random_mean",
    }
    icc = [f"{name} is {said(whole.icc[kind])}" for name, kind in scored.items() if kind in whole.icc]
    return paragraph(
        _over_prompts("Kendall’s τ-b of two judges", summary.tau_b, (prompt.tau_b for prompt in whole.prompts)),
        f"Pooled over {counted(pooled.n, 'pair')} of judgments of one prompt it is {said(pooled)}.",
        f"Krippendorff’s α is {said(summary.alpha_ordinal)} of ranks (ordinal) and {said(summary.alpha_interval)} "
        "of scores (interval).",
        _identical(summary),
        f"Of the answers that all judges of a prompt scored, within prompts, {listed(icc)}." if icc else "",
    )


def _identical(summary: AgreementSummary) -> str:
    if summary.top_1.value is None:
        return f"How often all judges put the same answer first is undefined: {summary.top_1.reason}."
    return (
        f"All judges put the same answer first on {said(summary.top_1, is_share=True)} of prompts, and gave the "
        f"same ranking on {said(summary.full, is_share=True)}."
    )


def _domains(by_scope: Mapping[str, Agreement]) -> tuple[str, ...]:
    if by_scope[WHOLE].published:
        w = by_domain(by_scope, lambda part: part.published.w.mean if part.published else part.summary.w.mean)
        tau = by_domain(
            by_scope, lambda part: part.published.tau_b if part.published else part.summary.tau_b_pooled
        )
        return paragraph(w and f"By domain, W as published: {w}.", tau and f"τ-b as published: {tau}.")
    w = by_domain(by_scope, lambda part: part.summary.w_common.mean)
    tau = by_domain(by_scope, lambda part: part.summary.tau_b_pooled)
    return paragraph(w and f"By domain, W over the answers that all ranked: {w}.", tau and f"Pooled τ-b: {tau}.")


def _evaluators(found: Sequence[EvaluatorAgreement]) -> tuple[str, ...]:
    if not found:
        return ()
    overall, *others = found
    bands = (
        ""
        if overall.same_band.value is None
        else f"Two judges put the same answer into the same band in {said(overall.same_band, is_share=True)}; "
        f"Krippendorff’s α of bands is {said(overall.band_alpha)}."
    )
    return paragraph(
        f"Between two judges of the same answers, Pearson’s r of mean scores is {said(overall.r)} on average; "
        f"{numeral(TARGET)} stands beside it as a target, not as a test.",
        enumerated(f"{readable(each.dimension)} {said(each.r)}" for each in others).join(("By dimension: ", "."))
        if len(others) > 1
        else "",
        bands,
    )


def _over_prompts(what: str, summary: Summary, of_prompts: Iterable[Estimate]) -> str:
    """The mean over prompts with its spread, and why it is undefined on some or all of them."""
    mean = summary.mean
    found = sorted({figure.reason for figure in of_prompts if figure.reason})
    reasons = listed(found) if found else ""
    if mean.value is None:
        return f"{what} is undefined on every prompt ({reasons or mean.reason})."
    spread = ", ".join(
        f"{name} {numeral(figure.value)}"
        for name, figure in (("median", summary.median), ("SD", summary.sd))
        if figure.value is not None
    )
    why = f" ({reasons})" if reasons else ""
    undefined = f"; on {counted(mean.left_out, 'prompt')} it is undefined{why}" if mean.left_out else ""
    return f"{what} is {said(mean)} in the mean over {counted(mean.n, 'prompt')} ({spread}){undefined}."


def _left_out(lines: Sequence[JudgeLine]) -> str:
    figures: dict[str, Callable[[JudgeLine], Estimate]] = {
        "W over the answers that all the others ranked": lambda line: line.w_without,
        "pooled τ-b": lambda line: line.tau_b_without,
        "ordinal α": lambda line: line.alpha_without,
        "the mean correlation of scores": lambda line: line.r_without,
    }
    known = {
        name: [value for line in lines if (value := figure(line).value) is not None]
        for name, figure in figures.items()
    }
    ranges = enumerated(
        f"{name} {numeral(min(values))} to {numeral(max(values))}" for name, values in known.items() if values
    )
    return ranges and f"With any one judge left out, these lie in these ranges: {ranges}."
