"""What single judges contribute, and how alike they are."""

from collections.abc import Iterator, Sequence

from analysis.agreement.core.agreement import AgreementSummary
from analysis.agreement.core.evaluators import OVERALL, TARGET, EvaluatorAgreement
from analysis.agreement.core.single_judges import JudgeLine
from analysis.sections.exhibits.composing import compose, summary_cells, summary_columns
from analysis.sections.exhibits.dots import Group, Lane, dot_plot
from analysis.sections.exhibits.drawing import Scale
from analysis.sections.exhibits.exhibit import Column, Exhibit
from analysis.sections.exhibits.wording import dimension_name


def judge_exhibits(
    judges: Sequence[JudgeLine], agreement: AgreementSummary, evaluators: Sequence[EvaluatorAgreement]
) -> Iterator[Exhibit]:
    """Severity, and the figures of agreement without each judge beside those of all."""
    yield _severity(judges)
    yield _without_each(judges, agreement, evaluators)


def _severity(judges: Sequence[JudgeLine]) -> Exhibit:
    ordered = sorted(judges, key=lambda line: line.severity.lead.mean.value or 0)
    return compose(
        "severity",
        "Judges",
        "Severity of judges",
        describes="By how many points each judge scores above (to the right) or below the others, the strictest "
        "first.",
        method="A judge’s mean score of an answer less the mean of the other judges’ scores of the same answer, "
        "over the answers that others scored too.",
        columns=[Column("Judge"), *summary_columns("Mean lead")],
        rows=[(line.severity.judge, *summary_cells(line.severity.lead)) for line in judges],
        draw=lambda: dot_plot(
            [Group("", tuple(Lane(line.severity.judge, (line.severity.lead.mean,)) for line in ordered))],
            [Scale("Points above or below the others", reference=0)],
        ),
    )


def _without_each(
    judges: Sequence[JudgeLine], summary: AgreementSummary, evaluators: Sequence[EvaluatorAgreement]
) -> Exhibit:
    overall = next((each.r for each in evaluators if each.dimension == OVERALL), None)
    everyone = (summary.w_common.mean, summary.tau_b_pooled, summary.alpha_ordinal, overall)
    names = ("Mean W", "τ-b, pooled", "α of ranks", "Mean r")
    by_chance = tuple(line.chance_without for line in judges if line.chance_without is not None)
    lanes = tuple(
        Lane(
            line.severity.judge,
            (line.w_without, line.tau_b_without, line.alpha_without, line.r_without),
            chance=line.chance_without,
        )
        for line in judges
    )
    return compose(
        "leave-one-out",
        "Judges",
        "Agreement without each judge",
        describes="What agreement would be without one of the judges; the broken line is agreement with all of "
        "them. A judge without whom it rises agrees less with the others than these do with each other; but W of "
        "fewer judges is by itself somewhat higher: judges who rank at random have 1/m in the mean, m being how "
        "many are left of a prompt’s.",
        method="The figures of all prompts, computed afresh without one judge: mean W over the answers that "
        "all the others ranked, pooled τ-b, ordinal α of ranks, and mean correlation of scores between judges.",
        columns=[Column("Without"), *(Column(name, 3) for name in names)],
        rows=[("nobody", *everyone), *((lane.label, *lane.estimates) for lane in lanes)],
        draw=lambda: dot_plot(
            [Group("", lanes)],
            [
                Scale(name, chances, reference=figure.value if figure else None, reference_name="All judges")
                for name, figure, chances in zip(names, everyone, (by_chance, (), (), ()), strict=True)
            ],
        ),
    )


def evaluator_exhibit(evaluators: Sequence[EvaluatorAgreement]) -> Exhibit:
    """Correlations and bands between judges."""
    lanes = tuple(
        Lane(_dimension(each.dimension), (each.r, each.r_within, each.same_band, each.band_alpha))
        for each in evaluators
    )
    return compose(
        "evaluators",
        "Judges",
        "Correlations and bands between judges",
        describes="How alike two judges score the same answers: their correlation (the broken line is a target "
        f"of {TARGET:.2f}, to compare with and no test), and whether their scores lie in the same band of the "
        "scale.",
        method="Mean of Pearson’s r over pairs of judges, over all answers that both scored, and of scores less "
        "the judge’s mean of the same prompt’s answers, which leaves out what differs between prompts; share of "
        "pairs of ratings of an answer in the same band; Krippendorff’s ordinal α of the bands.",
        columns=[
            Column("Dimension"),
            Column("Mean r"),
            Column("Mean r within prompts"),
            Column("Same band", is_share=True),
            Column("α of bands"),
        ],
        rows=[(lane.label, *lane.estimates) for lane in lanes],
        draw=lambda: dot_plot(
            [Group("", lanes)],
            [
                Scale("Mean r", reaches=(0, 1), reference=TARGET, reference_name=f"Target {TARGET:.2f}"),
                Scale("r within", reaches=(0, 1)),
                Scale("Same band", reaches=(0, 1), is_share=True),
                Scale("α of bands", reaches=(0, 1)),
            ],
        ),
    )


def _dimension(key: str) -> str:
    return "Mean of the dimensions" if key == OVERALL else dimension_name(key)
