"""What masked judgments tell, as sections of a report: agreement, the rubric's dimensions, and the judges."""

from collections.abc import Iterator, Mapping
from typing import Final

from analysis.agreement.core.agreement_by_scope import STAGE, Agreement, agreement_by_scope, without_prompts
from analysis.agreement.core.categories import VERDICT, DimensionCategories, categories, why_none
from analysis.agreement.core.overall_intraclass import OverallIntraclass, overall_by_scope
from analysis.agreement.core.rubric import Consensus, Evaluators, Rubric, evaluators, of_answers, rubric
from analysis.agreement.core.single_judges import Judges, single_judges
from analysis.agreement.exhibits import agreement as agreement_exhibits
from analysis.agreement.exhibits import judges as judge_exhibits
from analysis.agreement.exhibits.categories import NAMES as CATEGORY_NAMES
from analysis.agreement.exhibits.categories import category_exhibit
from analysis.agreement.exhibits.rubric import consensus_exhibits, rubric_exhibits
from analysis.agreement.prose import agreement as prose
from analysis.data.core.parameters import WHOLE
from analysis.sections.core.report import Report
from analysis.sections.core.section import BY_DOMAIN, BY_PROMPT, Entries, Order, Section, Stage, register
from analysis.sections.exhibits.exhibit import Exhibit
from analysis.sections.prose.passage import Passage

WORDS: Final = {
    **dict.fromkeys(("summary", "icc"), ""),
    **agreement_exhibits.ICC_NAMES,
    "alpha_interval": "α of scores, interval",
    "alpha_ordinal": "α of ranks, ordinal",
    "chi_squared": "χ²",
    "broken": "prompts with a shared first place",
    "full": "same ranking",
    "permutation_p": "p by permutation",
    "published": "as published",
    "skillings_mack": "Skillings–Mack",
    "skillings_mack_p": "p of Skillings–Mack",
    "tau_b": "τ-b, within prompts",
    "tau_b_pooled": "τ-b, all pairs pooled",
    "top_1": "same answer first",
    "w": "W, plain",
    "w_common": "W, answers all judges ranked",
    "w_tie_corrected": "W, tie-corrected",
}
WORDS_OF_JUDGES: Final = {
    "severity": "",
    "lead": "points above the others",
    "alpha_without": "α of ranks without this judge",
    "r_without": "mean r without this judge",
    "tau_b_without": "τ-b without this judge",
    "w_without": "W without this judge",
}

AGREEMENT: Final[Section[Mapping[str, Agreement]]] = register(
    Section(
        name="agreement",
        title="Agreement",
        kind=Mapping[str, Agreement],
        from_masked=agreement_by_scope,
        order=Order(file=10, page=20, text=20, differences=20, headlines=20),
        stage=Stage(STAGE, "agreement between judges", 15),
        scopes=lambda found: found,
        exhibits=lambda found, _report, scope: agreement_exhibits.agreement_exhibits(found, scope),
        passages=lambda found, _report: [prose.agreement(found)],
        headlines=lambda found, report: () if are_comparisons(report) else prose.headlines(found[WHOLE]),
        methods=Passage("Agreement", (prose.METHODS,)),
        entries=(
            Entries("Agreement", r"agreement\.all\.(?!prompts\.)"),
            Entries(BY_DOMAIN, r"agreement\.(?!all\.)"),
            Entries(BY_PROMPT, r"agreement\.all\.prompts\."),
        ),
        words=WORDS,
        # A prompt's own figures are the same in every scope.
        said_elsewhere=r"""agreement\.(?!all\.)("[^"]*"|[^.]*)\.prompts\.""",
        without_prompts=without_prompts,
    )
)


def _rubric(found: Rubric, report: Report, _scope: str) -> Iterator[Exhibit]:
    return rubric_exhibits(found, report.data.dimensions)


def _intraclass(found: Mapping[str, OverallIntraclass], report: Report, scope: str) -> Iterator[Exhibit]:
    if within := report[AGREEMENT].get(scope):
        yield agreement_exhibits.intraclass_exhibit(within.icc, found[scope].icc, scope)


OVERALL_INTRACLASS: Final[Section[Mapping[str, OverallIntraclass]]] = register(
    Section(
        name="overall_intraclass",
        title="Agreement",
        kind=Mapping[str, OverallIntraclass],
        from_masked=overall_by_scope,
        # Behind all others: where these leave room, as in files of scores alone and of masked judgments.
        order=Order(file=11, page=22, text=29, differences=22, headlines=60),
        needs=(AGREEMENT,),
        scopes=lambda found: found,
        exhibits=_intraclass,
        passages=lambda found, _report: [prose.intraclass(found)],
        headlines=lambda found, report: (
            ()
            if are_comparisons(report)
            else (
                *prose.headlines_on_scores(report[AGREEMENT][WHOLE].summary, found[WHOLE]),
                *prose.headlines_on_first_places(report[AGREEMENT][WHOLE]),
            )
        ),
        entries=(
            Entries("Agreement", r"overall_intraclass\.all\."),
            Entries(BY_DOMAIN, r"overall_intraclass\.(?!all\.)"),
        ),
        words={"icc": "over all answers", **agreement_exhibits.ICC_KINDS},
        without_prompts=lambda found: {WHOLE: found[WHOLE]},
    )
)


CATEGORIES: Final[Section[tuple[DimensionCategories, ...]]] = register(
    Section(
        name="categories",
        title="Agreement",
        kind=tuple[DimensionCategories, ...],
        from_masked=categories,
        not_applicable=why_none,
        order=Order(file=12, page=23, text=29, differences=23, headlines=20),
        exhibits=lambda found, report, _scope: [
            category_exhibit(found, is_scale_known=not report.data.is_scale_inferred)
        ],
        headlines=lambda found, _report: prose.headlines_on_comparisons(found),
        passages=lambda found, _report: [prose.on_categories(found)],
        entries=(Entries("Agreement", r"categories\."),),
        words={name: words.lower() if name == "share" else words for name, words in CATEGORY_NAMES.items()},
    )
)


def are_comparisons(report: Report) -> bool:
    """Whether all that was judged is which of two answers is better: no dimension was scored."""
    return not report.data.dimensions and any(each.dimension == VERDICT for each in report.get(CATEGORIES) or ())


RUBRIC: Final[Section[Rubric]] = register(
    Section(
        name="rubric",
        beside="diagnostics",
        title="Rubric",
        kind=Rubric,
        from_masked=rubric,
        order=Order(file=20, page=40, text=70, differences=30, headlines=61),
        exhibits=_rubric,
        headlines=lambda found, report: () if are_comparisons(report) else prose.headlines_on_dimensions(found),
        passages=lambda found, _report: [prose.rubric(found)],
    )
)


def _consensus(found: Consensus, report: Report, _scope: str) -> Iterator[Exhibit]:
    return consensus_exhibits(found, report.data.dimensions)


CONSENSUS: Final[Section[Consensus]] = register(
    Section(
        name="consensus",
        beside="diagnostics",
        title="Rubric",
        kind=Consensus,
        from_masked=of_answers,
        order=Order(file=23, page=41, text=70, differences=30),
        exhibits=_consensus,
        passages=lambda found, _report: [prose.consensus(found)],
    )
)


EVALUATORS: Final[Section[Evaluators]] = register(
    Section(
        name="evaluators",
        beside="diagnostics",
        title="Judges",
        kind=Evaluators,
        from_masked=evaluators,
        order=Order(file=21, page=51, text=71, differences=31, headlines=62),
        exhibits=lambda found, _report, _scope: [judge_exhibits.evaluator_exhibit(found.evaluators)],
        headlines=lambda found, report: () if are_comparisons(report) else prose.headlines_on_judges(found),
        passages=lambda found, _report: [prose.evaluators(found)],
        entries=(Entries("Rubric", r"diagnostics\.(?=evaluators\.)"),),
    )
)


def _judges(found: Judges, report: Report, _scope: str) -> Iterator[Exhibit]:
    evaluators = report.get(EVALUATORS)
    return judge_exhibits.judge_exhibits(
        found.judges, report[AGREEMENT][WHOLE].summary, evaluators.evaluators if evaluators else ()
    )


JUDGES: Final[Section[Judges]] = register(
    Section(
        name="judges",
        beside="diagnostics",
        title="Judges",
        kind=Judges,
        from_masked=single_judges,
        order=Order(file=22, page=50, text=80, differences=40),
        needs=(AGREEMENT,),
        exhibits=_judges,
        passages=lambda found, _report: [prose.judges(found)],
        entries=(Entries("Judges", r"diagnostics\.judges\."),),
        words=WORDS_OF_JUDGES,
    )
)
