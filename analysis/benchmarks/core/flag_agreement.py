"""How far annotators of a benchmark agree before anybody adjudicates: over all categories, and on each of them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from analysis.benchmarks.core.audit_files import CATEGORIES, SOUND, Flag
from annotation.platform.core.category_agreement import Coefficient, Concordance, category_agreement, cohen


@dataclass(frozen=True)
class OnCategory:
    """Two annotators on one category against the rest. `positive` is 2a / (2a + b + c) and `negative`
    2d / (2d + b + c), of a questions that both put into it, d that neither did, b and c that one did (Cicchetti &
    Feinstein 1990, Journal of Clinical Epidemiology 43: 551–558); None where nobody, or everybody, put any into it.
    """

    category: str
    kappa: Concordance
    positive: float | None
    negative: float | None


@dataclass(frozen=True)
class FlagAgreement:
    """Agreement on the questions that exactly two annotators flagged. `confusion` counts their pairs of categories,
    the annotator first by name before the other; `alpha` is Krippendorff's, nominal, with the error of a jackknife
    over clusters.
    """

    overall: Concordance
    alpha: Coefficient
    by_category: tuple[OnCategory, ...]
    confusion: Mapping[tuple[str, str], int]


def flag_agreement(flags: Iterable[Flag], clusters: Mapping[int, int]) -> FlagAgreement:
    """`clusters` is question → cluster."""
    by_question: dict[int, list[Flag]] = {}
    for flag in sorted(flags, key=lambda flag: flag.annotator):
        by_question.setdefault(flag.question, []).append(flag)
    twice = {question: found for question, found in by_question.items() if len(found) == 2}
    pairs = [(one.category, other.category) for one, other in twice.values()]
    codes = {category: code for code, category in enumerate((*CATEGORIES, SOUND))}
    rated = [flag for found in twice.values() for flag in found]
    alpha = category_agreement(
        [codes[flag.category] for flag in rated],
        [flag.question for flag in rated],
        [flag.annotator for flag in rated],
        [clusters[flag.question] for flag in rated],
    ).alpha_nominal
    by_category = tuple(_on(category, pairs) for category in (*CATEGORIES, SOUND))
    return FlagAgreement(cohen(pairs), alpha, by_category, Counter(pairs))


def _on(category: str, pairs: Iterable[tuple[str, str]]) -> OnCategory:
    verdicts = [(one == category, other == category) for one, other in pairs]
    counts = Counter(verdicts)
    both, neither = counts[True, True], counts[False, False]
    apart = counts[True, False] + counts[False, True]
    return OnCategory(category, cohen(verdicts), _share(both, apart), _share(neither, apart))


def _share(same: int, apart: int) -> float | None:
    return 2 * same / (2 * same + apart) if same or apart else None
