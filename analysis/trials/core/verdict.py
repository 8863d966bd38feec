"""What trials allow to say, in one sentence, and what to do next where they allow too little."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from analysis.data.core.number_format import estimate_text, p_value, percentage
from analysis.data.core.results import Estimate
from analysis.data.core.trials import ONLY
from analysis.trials.core.approach_agreement import MeasureAgreement
from analysis.trials.core.conclusions import Conclusions
from analysis.trials.core.conditions import DIFFERENT, EQUAL, Contrast, Control
from analysis.trials.core.score_table import MEAN
from annotation.platform.core.phrases import listed

TARGET: Final = 0.70  # the protocol's, for r between evaluators on the overall score
CONSISTENT: Final = 0.667  # ordinal α, the least for tentative conclusions (Krippendorff 2013, ch. 12)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`sentence` answers the question itself. `best` is the approach with the highest `r` on the overall score
    among those that can be assessed, "" where none can: Pearson’s on points, Spearman’s on categories (`kind`).
    `validated` says whether all criteria of the protocol hold; `steps` what to change where one does not.
    """

    sentence: str
    best: str
    kind: str
    r: Estimate
    validated: bool
    steps: tuple[str, ...]


def verdict(
    agreement: Sequence[tuple[MeasureAgreement, bool]],
    contrasts: Sequence[Contrast],
    controls: Sequence[Control],
    found: Conclusions,
    *,
    compared: MeasureAgreement | None,
    integrity: str,
    level: float,
    names: Mapping[str, str] = MappingProxyType({}),
) -> Verdict:
    """`agreement` has every measure of every approach, and whether that is scored in points; `compared` is that on
    the overall score of the approach whose points are contrasted, None where there are no points. `names` has what
    people call conditions and dimensions, by their keys.
    """
    contrasts = [replace(each, condition=_called(each.condition, names)) for each in contrasts]
    controls = [replace(each, condition=_called(each.condition, names)) for each in controls]
    overall = [(each, *_overall(each, points)) for each, points in agreement if each.measure == MEAN]
    known = [(each, kind, r) for each, kind, r in overall if r.value is not None]
    best = max(known, key=lambda each: each[2].value or 0.0, default=None)
    doubts = list(_doubts(best[2] if best else None, compared, controls, overall))
    steps = tuple(_steps(best, contrasts, controls, overall, integrity))
    known_as = "integrity" if "integrity" in integrity.casefold() else f"integrity ({_called(integrity, names)})"
    tested = [each for each in contrasts if each.dimension == integrity]
    lacking = (
        "no dimension is known to be integrity"
        if contrasts
        else "no condition is known to be the baseline, or nothing was scored in points"
    )
    scored = _integrity(tested, known_as) if tested else (lacking, None)
    sentence = _sentence(doubts, scored, found, level)
    if best is None:
        nothing = Estimate("r", None, 0, reason="no approach can be assessed")
        return Verdict(sentence, "", "", nothing, False, steps)
    return Verdict(sentence, best[0].approach, best[1], best[2], not steps, steps)


def _overall(each: MeasureAgreement, points: bool) -> tuple[str, Estimate]:
    return ("Pearson", each.pearson) if points else ("Spearman", each.spearman)


def approach_in_words(name: str) -> str:
    """Within a sentence."""
    return "the one approach asked" if name == ONLY else f"approach {name}"


def in_words(key: str) -> str:
    return key.replace("_", " ").strip()


def _called(key: str, names: Mapping[str, str]) -> str:
    return names.get(key) or in_words(key)


def _doubts(
    r: Estimate | None,
    compared: MeasureAgreement | None,
    controls: Sequence[Control],
    overall: Sequence[tuple[MeasureAgreement, str, Estimate]],
) -> Iterator[str]:
    """Why equal scores would prove nothing. However well evaluators agree in the best approach, what is compared
    may be the points of another one.
    """
    if r is None:
        reason = next((each.reason for _, _, each in overall if each.reason), "nobody scored anything twice")
        yield f"evaluators told nothing apart in any approach ({reason})"
    elif r.value is not None and r.value < TARGET:
        yield f"in the best approach evaluators agree by no more than r = {r.value:.2f}, below {TARGET:.2f}"
    elif compared is not None:
        points = f"in {approach_in_words(compared.approach)}, whose points are compared,"
        if compared.pearson.value is None:
            yield f"{points} agreement is undefined ({compared.pearson.reason})"
        elif compared.pearson.value < TARGET:
            said = f"r = {compared.pearson.value:.2f}, below {TARGET:.2f}"
            yield f"{points} evaluators agree by no more than {said}"
    if not controls:
        yield "there are no positive controls, so that equal scores may be those of an insensitive instrument"
    elif failed := _failed(controls):
        yield f"positive controls did not score lower ({', '.join(failed)})"


def _failed(controls: Sequence[Control]) -> list[str]:
    """Controls that score lower on no dimension."""
    return sorted({each.condition for each in controls} - {each.condition for each in controls if each.holds})


def _sentence(doubts: Sequence[str], integrity: tuple[str, bool | None], found: Conclusions, level: float) -> str:
    """`integrity` is in words, and whether it is equal; None where that cannot be said."""
    conclusions, differ = _conclusions(found, level)
    if doubts:
        return f"Whether different conclusions come with equal integrity cannot be said: {'; '.join(doubts)}."
    scored, equal = integrity
    if differ and equal:
        return f"Different conclusions, equal integrity: {conclusions}, and {scored}."
    if differ is None or equal is None:
        lacking = "conclusions" if differ is None else "integrity"
        both = " and integrity" if differ is None and equal is None else ""
        half = f"Of “different conclusions, equal integrity” the half on {lacking}{both} cannot be said"
        return f"{half}: {conclusions}; {scored}."
    if differ:
        return f"Different conclusions, but not equal integrity: {conclusions}, and {scored}."
    return f"No different conclusions were found: {conclusions}; {scored}."


def _conclusions(found: Conclusions, level: float) -> tuple[str, bool | None]:
    """In words, and whether they differ; None where that cannot be said."""
    if found.differ.value is None:
        return f"{found.differ.reason}", None
    if not found.differ.value:
        return _none_differed(found.differ), False
    share = f"{estimate_text(found.differ, is_share=True)} of pairs of conditions in a case conclude differently"
    if found.repeats.value is not None:
        share += f", {estimate_text(found.repeats, is_share=True)} of repeats of one condition"
    if found.p.value is None:
        return f"{share}, but {found.p.reason}", None
    is_more = found.differ.value > (found.repeats.value or 0.0)
    said = f"{share} ({p_value(found.p.value)}, permuted within cases)"
    return said, True if is_more and found.p.value < 1 - level else None


def _none_differed(differ: Estimate) -> str:
    """Where none was found there may be some: up to what the interval reaches."""
    n, ends = differ.n, differ.interval
    pairs = f"none of {n:,} pairs of conditions in a case" if n > 1 else "the one pair of conditions in a case"
    said = f"{pairs} {'concluded differently' if n > 1 else 'concluded alike'}"
    if ends is None or ends.high is None:
        why = f" ({ends.reason})" if ends is not None and ends.reason else ""
        return f"{said}, but how many would in other scenarios cannot be said{why}"
    return f"{said}, and up to {percentage(ends.high)} is compatible with that"


def _integrity(contrasts: Sequence[Contrast], known_as: str) -> tuple[str, bool | None]:
    """The same two, of at least one contrast."""
    margin = contrasts[0].margin
    others = [each for each in contrasts if each.verdict == DIFFERENT]
    if others:
        named = listed([f"{each.condition} ({_points(each.difference)})" for each in others])
        beyond = f"is not shown to lie within ±{margin:g} points of it"
        return f"{known_as} differs from the baseline’s under {named} and {beyond}", False
    if all(each.verdict == EQUAL for each in contrasts):
        most = max((abs(each.difference.value or 0.0) for each in contrasts), default=0.0)
        return (
            f"{known_as} lies within ±{margin:g} points of the baseline’s in every condition (at most {most:.1f} "
            "from it)",
            True,
        )
    open_ones = [each.condition for each in contrasts if each.verdict != EQUAL]
    unsure = "any condition" if len(open_ones) == len(contrasts) > 1 else listed(open_ones)
    within = f"within ±{margin:g} points of the baseline’s"
    return f"{known_as} is shown neither to lie {within} nor to differ from it (under {unsure})", None


def _points(difference: Estimate) -> str:
    return f"{difference.value or 0.0:+.1f} points".replace("-", "−")


def _steps(
    best: tuple[MeasureAgreement, str, Estimate] | None,
    contrasts: Sequence[Contrast],
    controls: Sequence[Control],
    overall: Sequence[tuple[MeasureAgreement, str, Estimate]],
    integrity: str,
) -> Iterator[str]:
    failed = [f"{approach_in_words(each.approach)} ({r.reason})" for each, _, r in overall if r.value is None]
    if best is None:
        yield f"Simplify the guidelines, since no approach can be assessed: {'; '.join(failed)}."
    else:
        agreement, kind, r = best
        if (r.value or 0.0) < TARGET:
            yield _on_agreement(agreement, kind, r)
        elif (agreement.alpha_ordinal.value or 0.0) < CONSISTENT:
            yield (
                f"Add examples to the bands: order is shared (r = {r.value:.2f}), levels are not "
                f"(ordinal α {agreement.alpha_ordinal.value or 0.0:.2f}, below {CONSISTENT})."
            )
    others = [each for each in contrasts if each.dimension != integrity]
    # Where evaluators tell nothing apart, conditions are not to blame.
    if best is not None and contrasts and not others:
        yield (
            "Score another dimension beside integrity, such as transparency: without one, nothing shows that "
            "evaluators see any difference between the conditions."
        )
    elif best is not None and contrasts and not any(each.verdict == DIFFERENT for each in others):
        than = " other than integrity" if len(others) < len(contrasts) else ""
        yield (
            f"Word the conditions more strongly: on no dimension{than} are they shown to differ from the baseline."
        )
    if not contrasts:
        yield (
            "Score in points, with a condition that has no framework: without both, the baseline cannot be "
            "compared."
        )
    if not_lower := _failed(controls):
        yield f"Add examples of answers that fail: {' and '.join(not_lower)} did not score lower."


def _on_agreement(agreement: MeasureAgreement, kind: str, r: Estimate) -> str:
    """Whom to look at first."""
    best = f"{approach_in_words(agreement.approach)} ({kind} r = {r.value:.2f})"
    said = f"no approach reaches {TARGET:.2f}; the best is {best}"
    without = [
        (figure.value, each.evaluator)
        for each in agreement.without
        if (figure := each.pearson if kind == "Pearson" else each.spearman).value is not None
    ]
    if without and max(without)[0] >= TARGET:
        value, evaluator = max(without)
        return f"Clarify the wording where {evaluator} reads it differently: {said}, {value:.2f} without it."
    return f"Iterate on wording and examples: {said}, and leaving out any one evaluator does not mend it."
