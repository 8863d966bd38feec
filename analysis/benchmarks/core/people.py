"""What people say of models' answers, beside the scoring of the same answers.

An answer in other detail than expected, the room for the box, is true and not what the benchmark asks for. No rule
can say whether it counts, so that every figure stands with and without.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from analysis.benchmarks.core.audit_files import GRANULARITY, RIGHT
from analysis.benchmarks.core.cluster_shares import Resamples
from analysis.benchmarks.core.items import Answers, Items
from analysis.data.core.results import Estimate
from annotation.platform.core.category_agreement import Concordance, cohen

STRICTLY: Final = frozenset((RIGHT,))
WITH_DETAIL: Final = frozenset((RIGHT, GRANULARITY))


@dataclass(frozen=True, slots=True)
class PeopleScore:
    """Scores of the answers of one model in one mode that people marked: shares that are right by the scoring and
    by people, without and with those in other detail.
    """

    model: str
    mode: str
    marked: int
    scored: Estimate
    right: Estimate
    with_detail: Estimate


def people_scores(items: Items, answers: Sequence[Answers], resamples: Resamples) -> Iterator[PeopleScore]:
    """Scores of every model and mode of which people marked any answer."""
    for each in answers:
        marked = np.array([verdict != "" for verdict in each.verdicts], dtype=float)
        if not marked.any():
            continue
        scored, strictly, with_detail = (
            resamples.estimate("share", resamples.share(right, marked, items.clusters))
            for right in (each.right, *(_in(each.verdicts, counted) for counted in (STRICTLY, WITH_DETAIL)))
        )
        yield PeopleScore(each.model, each.mode, int(marked.sum()), scored, strictly, with_detail)


def agreement_with_people(answers: Sequence[Answers], counted: frozenset[str] = STRICTLY) -> Concordance:
    """Cohen's κ between the scoring and people, over all answers that they marked; `counted` verdicts are right."""
    return kappa_with_people(
        (
            (bool(right), verdict)
            for each in answers
            for right, verdict in zip(each.right, each.verdicts, strict=True)
            if verdict
        ),
        counted,
    )


def kappa_with_people(pairs: Iterable[tuple[bool, str]], counted: frozenset[str]) -> Concordance:
    """Cohen's κ of whether each answer is right in some way to score, and people's verdict on it."""
    return cohen((is_right, verdict in counted) for is_right, verdict in pairs)


def _in(verdicts: Sequence[str], counted: frozenset[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([verdict in counted for verdict in verdicts], dtype=float)
