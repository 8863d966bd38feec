"""What the panel of judge models said: one passage for each way in which it was asked."""

from collections.abc import Iterator, Sequence

from analysis.data.core.number_format import p_value
from analysis.data.core.parameters import WHOLE, Parameters
from analysis.data.core.results import Estimate
from analysis.panel.core.panel_raters import KINDS, PanelAgreement, PanelRater, PanelRaters
from analysis.panel.core.panel_report import PanelJudge, PanelReport, PanelSource, Validity, asked_for
from analysis.sections.prose.passage import (
    Passage,
    by_domain,
    enumerated,
    in_order,
    paragraph,
    readable,
    said,
    writer_of,
)
from annotation.platform.core.phrases import counted


def panel(report: PanelReport, people: Estimate, parameters: Parameters) -> Passage:
    """`people` is how far two judges of one prompt agree, τ-b, which is what validity is compared with."""
    whole = report.outcomes[WHOLE]
    return Passage(
        f"The panel. {asked_for(report)}",
        (
            *paragraph(_scores(whole.sources), *_replies(whole.sources, parameters)),
            *(() if report.is_alone else paragraph(*_validity(whole.validity, people), _domains(report))),
            *paragraph(*map(_judge, report.judges)),
            *_frontier(report),
            *_mentions(report),
        ),
    )


def raters(found: PanelRaters) -> Passage:
    return Passage(
        f"The panel’s judge models. {asked_for(found)}",
        paragraph(*_agreement(found.agreement), *_strictness(found.raters)),
    )


def headlines(reports: Sequence[PanelReport]) -> Iterator[str]:
    """How well the panel's scores agree with people's ranks, for each way in which it was asked."""
    for report in reports:
        within = report.outcomes[WHOLE].validity.within.mean
        if within.value is not None:
            yield (
                f"The panel’s scores ({asked_for(report)}) go with the order that people gave by Kendall’s τ-b "
                f"{said(within)}, in the mean over {counted(within.n, 'prompt')}."
            )


def _scores(sources: tuple[PanelSource, ...]) -> str:
    found = enumerated(
        f"{writer_of(each.source)}{' at maximum capability' * each.is_maximum} {said(each.score.mean)}"
        for each in reversed(in_order(sources, lambda each: each.score.mean))
    )
    return found and f"Mean scores, the highest first: {found}."


def _replies(sources: tuple[PanelSource, ...], parameters: Parameters) -> Iterator[str]:
    """How many count of those wanted. Which of the others failed, and which nobody asked for, no report knows."""
    given, expected, abstained = (
        sum(getattr(each, count) for each in sources) for count in ("given", "expected", "abstentions")
    )
    where, known = ("among", given) if parameters.counts_abstentions else ("beside", given + abstained)
    yield (
        f"Of {expected:,} replies wanted, {given:,} count; {where} them, {abstained:,} found that the answer does "
        "not take up the question."
    )
    if others := max(expected - known, 0):
        yield f"The other {others:,} failed, gave no score or were not asked for; nothing takes their place."


def _validity(validity: Validity, people: Estimate) -> Iterator[str]:
    p = validity.pooled_p.value
    chance = "" if p is None else f" ({p_value(p)}, answers taken as independent)"
    yield (
        f"Kendall’s τ-b of its scores with the order that people gave: {said(validity.pooled)} over all "
        f"answers{chance}; {said(validity.within.mean)} in the mean within prompts."
    )
    yield f"Two people who judged the same prompt agree by {said(people)}."


def _domains(report: PanelReport) -> str:
    found = by_domain(report.outcomes, lambda part: part.validity.pooled)
    return found and f"By domain: {found}."


def _agreement(found: Sequence[PanelAgreement]) -> Iterator[str]:
    """Agreement of the whole panel."""
    for each in found[:1]:
        if each.alpha.value is not None:
            yield (
                f"Judge models agree on the same answers by Krippendorff’s α {said(each.alpha)}, in the mean over "
                f"pairs of them by Pearson’s r {said(each.r)} and, within prompts, by Kendall’s τ-b "
                f"{said(each.tau_b)}."
            )


def _strictness(raters: Sequence[PanelRater]) -> Iterator[str]:
    """Who scores lowest and who highest, of each kind."""
    for kind in KINDS:
        leads = sorted(
            (each for each in raters if each.kind == kind and each.lead.mean.value is not None),
            key=lambda each: each.lead.mean.value or 0,
        )
        if len(leads) > 1:
            low, high = leads[0], leads[-1]
            yield (
                f"Beside the other {kind}s’ scores of the same answers, the strictest {kind} is {low.name} "
                f"({said(low.lead.mean)} points) and the most lenient {high.name} ({said(high.lead.mean)})."
            )


def _judge(judge: PanelJudge) -> str:
    """States only what is known: a judge model without a family among the writers favours nobody."""
    parts = []
    if judge.self_family and judge.self_family.mean.value is not None:
        parts.append(f"{said(judge.self_family.mean)} points for answers of its own family")
    if judge.length.slope.value is not None:
        parts.append(f"{said(judge.length.slope)} points for 100 more words")
    return f"{judge.judge or 'The panel as a whole'}: {' and '.join(parts)}." if parts else ""


def _frontier(report: PanelReport) -> tuple[str, ...]:
    gains = enumerated(f"{each.source} {said(each.gain.mean)}" for each in report.frontier)
    return paragraph(gains and f"Points that maximum capability adds to ordinary answers: {gains}.")


def _mentions(report: PanelReport) -> tuple[str, ...]:
    if not report.mentions:
        return ()
    by_source: dict[str, list[str]] = {}
    for each in report.mentions:
        by_source.setdefault(each.source, []).append(
            f"{readable(each.dimension)} {said(each.share, is_share=True)}"
        )
    found = enumerated(f"of {writer_of(source)}, {', '.join(shares)}" for source, shares in by_source.items())
    return paragraph(f"How often judges’ words about an answer speak of a dimension: {found}.")
