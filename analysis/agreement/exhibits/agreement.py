"""How far judges agreed: over prompts, by domain, and prompt by prompt."""

from collections.abc import Iterator, Mapping
from typing import Final

from matplotlib.figure import Figure

from analysis.agreement.core.agreement import PromptAgreement
from analysis.agreement.core.agreement_by_scope import Agreement
from analysis.agreement.core.published import PublishedAgreement, published_w
from analysis.data.core.number_format import numeral
from analysis.data.core.parameters import WHOLE
from analysis.data.core.results import Estimate
from analysis.sections.exhibits.composing import compose, summary_cells, summary_columns
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Cell, Column, Exhibit
from analysis.sections.exhibits.wording import scope_name
from annotation.platform.core.phrases import counted

ICC_KINDS: Final = {
    "one_way": "ICC(1)",
    "random": "ICC(2,1)",
    "fixed": "ICC(3,1)",
    "one_way_mean": "ICC(1,k)",
    "random_mean": "ICC(2,k)",
    "fixed_mean": "ICC(3,k)",
}
ICC_NAMES: Final = {name: f"{kind} within prompts" for name, kind in ICC_KINDS.items()}
ICC_DRAWN: Final = ("random", "random_mean")
RANKED_THE_SAME: Final = "over those of a prompt’s judges who ranked every answer that anybody ranked"


def agreement_exhibits(by_scope: Mapping[str, Agreement], scope: str) -> Iterator[Exhibit]:
    """Exhibits of all prompts, or of one domain's."""
    agreement = by_scope[scope]
    summary = agreement.summary
    yield compose(
        "agreement",
        "Agreement",
        "Agreement between judges",
        scope=scope,
        describes=f"How far judges agreed: {counted(summary.n_judges, 'judge')}, "
        f"{counted(summary.n_answers, 'answer')} to {counted(summary.n_prompts, 'prompt')}. "
        "1 is full agreement. Of shares 0 is no prompt, of τ-b, α and intraclass correlations chance; W corrected "
        "for ties is 1/m in the mean where judges rank at random, m being the judges of a prompt, and plain W "
        f"another value where answers are tied.{_unequal(agreement)}",
        method=f"Kendall’s W of each prompt, plain and with mid-ranks corrected for ties, {RANKED_THE_SAME}; over "
        "the answers they all ranked, ranked afresh; mean τ-b over pairs of judges; Krippendorff’s α with every "
        "answer as a unit; intraclass correlations of scores, of the answers that all judges of a prompt "
        "scored (Shrout & Fleiss 1979). Their components of variance are pooled within prompts, k being "
        "the judges that a prompt has on average: what differs between prompts does not count. Means, medians and "
        "SD are over prompts; SE are of the resamples that the intervals are of; p is of the mean W, by "
        f"permutation of ranks within judges{_how_often(agreement.permutation_p)}.{_how_published(agreement)}",
        columns=[Column("Measure"), *summary_columns("Value or mean", 3)],
        rows=_measures(agreement),
        draw=lambda: _draw_measures(agreement),
    )
    if scope == WHOLE and len(by_scope) > 1:
        yield _by_domain(by_scope)
    yield _by_prompt(agreement, scope)
    yield _tests(agreement, scope)


def _measures(agreement: Agreement) -> Iterator[tuple[Cell, ...]]:
    summary = agreement.summary
    if agreement.published:
        yield from _published(agreement.published)
    yield "Kendall’s W, answers all judges ranked", *summary_cells(summary.w_common)
    yield "Kendall’s W, plain", *summary_cells(summary.w)
    yield "Kendall’s W, tie-corrected", *summary_cells(summary.w_tie_corrected)
    yield "τ-b between judges, within prompts", *summary_cells(summary.tau_b)
    for label, estimate in (
        ("τ-b between judges, all pairs pooled", summary.tau_b_pooled),
        ("Krippendorff’s α of ranks, ordinal", summary.alpha_ordinal),
        ("Krippendorff’s α of scores, interval", summary.alpha_interval),
        *((ICC_NAMES[name], icc) for name, icc in agreement.icc.items()),
        ("Prompts where all put the same answer first", summary.top_1),
        ("Prompts where all gave the same ranking", summary.full),
        ("Permutation p of the mean W", agreement.permutation_p),
    ):
        yield label, estimate, None, None, None


def intraclass_exhibit(within: Mapping[str, Estimate], overall: Mapping[str, Estimate], scope: str) -> Exhibit:
    """Both ways of taking prompts, side by side."""
    lanes = tuple(Lane(ICC_KINDS[name], (within.get(name), figure)) for name, figure in overall.items())
    return compose(
        "intraclass",
        "Agreement",
        "Intraclass correlations within prompts and over all answers",
        scope=scope,
        describes="How much of what scores differ by is the answers’, and not the judges’: among answers to one "
        "prompt, and among all answers, of which those to different prompts may differ more. 0 is chance, 1 no "
        "difference between judges.",
        method="Shrout & Fleiss (1979). Within prompts, components of variance are pooled over prompts. Over all "
        "answers it is the usual coefficient of all of them as one table; where not everybody judged everything, "
        "of pairs of judges, each weighing as the answers it has in common less one. k is the number of judges "
        "that a prompt, or an answer, has on average.",
        columns=[Column("Coefficient"), Column("Within prompts", 3), Column("Over all answers", 3)],
        rows=[(lane.label, *lane.estimates) for lane in lanes],
        draw=lambda: dot_plot(
            [Group("", lanes)], [Scale(f"ICC {where}", reaches=(0, 1)) for where in ("within prompts", "over all")]
        ),
    )


def _unequal(agreement: Agreement) -> str:
    judges = agreement.judges_of_prompts
    if judges is None or judges[0] == judges[1]:
        return ""
    return (
        f" Prompts have from {judges[0]} to {judges[1]} judges: their W, whose chance differs, are not to be "
        "compared one by one, and coefficients of a mean are of as many as there are on average."
    )


def _published(published: PublishedAgreement) -> Iterator[tuple[Cell, ...]]:
    yield "As published: W", *summary_cells(published.w)
    for label, estimate in (
        ("As published: τ-b of pairs of judges", published.tau_b),
        ("As published: same answer first", published.top_1),
        ("As published: same ranking", published.full),
    ):
        yield label, estimate, None, None, None


def _how_often(p: Estimate) -> str:
    return (
        ""
        if p.value is None
        else f" ({counted(p.n, 'permutation')}, so that it is {numeral(1 / (p.n + 1), 4)} at the least)"
    )


def _how_published(agreement: Agreement) -> str:
    published = agreement.published
    if published is None:
        return ""
    return (
        " As published: plain W of the ranks given, 0 where all judges tie everything; one τ-b of each pair of "
        "judges over all prompts’ answers together, then the mean; α of ranks as it is; ties in the order of "
        "answers broken by their ids as strings, which tells nothing of the answers and decides between first "
        f"places on {counted(published.broken, 'prompt')}."
    )


def _draw_measures(agreement: Agreement) -> Figure:
    summary = agreement.summary
    lanes = [
        Lane("W, answers all judges ranked", (summary.w_common.mean,), chance=agreement.chance_of_w),
        Lane("W, plain", (summary.w.mean,)),
        Lane("W, tie-corrected", (summary.w_tie_corrected.mean,), chance=agreement.chance_of_w_tie_corrected),
        Lane("τ-b, within prompts", (summary.tau_b.mean,)),
        Lane("τ-b, pooled", (summary.tau_b_pooled,)),
    ]
    reliability = {
        "α of ranks, ordinal": summary.alpha_ordinal,
        "α of scores, interval": summary.alpha_interval,
        **{ICC_NAMES[name]: agreement.icc[name] for name in ICC_DRAWN if name in agreement.icc},
    }
    shares = {"Same answer first": summary.top_1, "Same ranking": summary.full}
    if published := agreement.published:
        first = {"W, as published": published.w.mean, "τ-b, as published": published.tau_b}
        lanes = [*(Lane(label, (estimate,)) for label, estimate in first.items()), *lanes]
        shares = {"Same answer first": published.top_1, "Same ranking": published.full}
    return dot_plot(
        [
            Group("Rankings", tuple(lanes)),
            _group("Reliability of ranks and scores", reliability),
            _group("Share of prompts, as published" if agreement.published else "Share of prompts", shares),
        ],
        [Scale("1 = full agreement", reaches=(0, 1))],
    )


def _group(heading: str, estimates: dict[str, Estimate]) -> Group:
    return Group(heading, tuple(Lane(label, (estimate,)) for label, estimate in estimates.items()))


def _w_common(prompt: PromptAgreement) -> Estimate:
    return prompt.w_common


def _by_domain(by_scope: Mapping[str, Agreement]) -> Exhibit:
    published = by_scope[WHOLE].published is not None
    names = (*(("W as published", "τ-b as published") if published else ("Mean W", "Pooled τ-b")), "α of ranks")
    scopes = {scope_name(scope): agreement for scope, agreement in by_scope.items()}
    lanes = tuple(
        Lane(name, _of_domain(agreement), chance=None if published else agreement.chance_of_w)
        for name, agreement in scopes.items()
    )
    return compose(
        "agreement-by-domain",
        "Agreement",
        "Agreement by domain",
        describes="Whether judges agree in one domain more than in another.",
        method="The same figures as of all prompts, over each domain’s prompts alone.",
        columns=[Column("Domain"), Column("Prompts"), *(Column(name, 3) for name in names)],
        rows=[(lane.label, scopes[lane.label].summary.n_prompts, *lane.estimates) for lane in lanes],
        draw=lambda: dot_plot(
            [Group("", lanes)],
            [Scale(name, reaches=(0, 1)) for name in names],
        ),
    )


def _of_domain(agreement: Agreement) -> tuple[Estimate, Estimate, Estimate]:
    summary, published = agreement.summary, agreement.published
    first = (published.w.mean, published.tau_b) if published else (summary.w_common.mean, summary.tau_b_pooled)
    return *first, summary.alpha_ordinal


def _by_prompt(agreement: Agreement, scope: str) -> Exhibit:
    is_published = agreement.published is not None
    of_prompt, axis = (published_w, "as published") if is_published else (_w_common, "answers all judges ranked")
    chance = "Judges who rank at random have 1/m in the mean, m being their number."
    what = (
        "plain W of the ranks given, as published, 0 where all judges tie everything and at most somewhat more "
        "than 1 where several answers have one rank"
        if is_published
        else "W over the answers that all of its judges ranked"
    )
    lanes = tuple(
        Lane(prompt.prompt_id, (w,), chance=None if is_published or w.n < 2 else 1 / w.n)
        for prompt in sorted(
            agreement.prompts, key=lambda prompt: _from_the_most(prompt.prompt_id, of_prompt(prompt))
        )
        for w in (of_prompt(prompt),)
    )
    return compose(
        "agreement-by-prompt",
        "Agreement",
        "Agreement by prompt",
        scope=scope,
        describes=f"How far judges agreed on each prompt: {what}, from the prompts with most agreement down."
        f"{'' if is_published else ' ' + chance}",
        method=f"Kendall’s W; plain and tie-corrected {RANKED_THE_SAME}. Mean τ-b over pairs of judges. 1 under "
        "“same first” or “same ranking” says that all judges agreed in that, 0 that they did not.",
        columns=[
            *(Column(heading) for heading in ("Prompt", "Judges", "Answers", "Ranked by all")),
            *([Column("W, as published", 3)] if is_published else []),
            *(Column(heading, 3) for heading in ("W, ranked by all", "W, plain", "W, tie-corrected", "τ-b")),
            Column("Same first", 0),
            Column("Same ranking", 0),
        ],
        rows=[
            (
                *(prompt.prompt_id, prompt.n_judges, prompt.n_objects, prompt.n_common),
                *([published_w(prompt)] if is_published else []),
                *(prompt.w_common, prompt.w, prompt.w_tie_corrected, prompt.tau_b),
                *(prompt.top_1, prompt.full),
            )
            for prompt in agreement.prompts
        ],
        draw=lambda: dot_plot([Group("", lanes)], [Scale(f"Kendall’s W, {axis}", reaches=(0, 1))]),
    )


def _from_the_most(prompt_id: str, w: Estimate) -> tuple[bool, float, str]:
    return w.value is None, -(w.value or 0), prompt_id


def _tests(agreement: Agreement, scope: str) -> Exhibit:
    return compose(
        "concordance-tests",
        "Agreement",
        "Tests of concordance by prompt",
        scope=scope,
        describes="Whether judges agree on a prompt more than by chance, also where they ranked different answers.",
        method=f"Friedman’s χ² with one degree of freedom less than answers, {RANKED_THE_SAME}: its p is rough for "
        "few answers. By permutation, p of W over the answers that all ranked, which is exact but for its draws. "
        "Skillings–Mack’s statistic (1981) for incomplete rankings. Between parts nobody compared anything: more "
        "than one part leaves the order of answers open.",
        columns=[
            *(Column(heading) for heading in ("Prompt", "Judges", "Answers")),
            *(Column(name, 3) for name in ("χ²", "p", "p by permutation", "Skillings–Mack", "p of Skillings–Mack")),
            Column("Parts"),
        ],
        rows=[
            (
                *(prompt.prompt_id, prompt.n_judges, prompt.n_objects, prompt.chi_squared, prompt.p),
                prompt.permutation_p,
                *(prompt.skillings_mack, prompt.skillings_mack_p, prompt.n_parts),
            )
            for prompt in agreement.prompts
        ],
    )
