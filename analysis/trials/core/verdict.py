"""What trials allow to say, in one sentence, and what to do next where they allow too little."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from analysis.data.core.number_format import estimate_text, p_value, percentage, permutation_p
from analysis.data.core.results import Estimate
from analysis.data.core.trials import ONLY, PEOPLE, TrialDesign
from analysis.trials.core.approach_agreement import MeasureAgreement, Without
from analysis.trials.core.conclusions import Conclusions
from analysis.trials.core.conditions import DIFFERENT, EQUAL, Contrast, Control
from analysis.trials.core.evaluator_pairs import GAVE_NONE, NEITHER, NOT_ASSESSABLE, TOO_FEW, TOO_FEW_EVALUATORS
from analysis.trials.core.score_table import MEAN
from annotation.platform.core.phrases import listed

TARGET: Final = 0.70  # the protocol's, for r between evaluators on the overall score
CONSISTENT: Final = 0.667  # ordinal α, the least for tentative conclusions (Krippendorff 2013, ch. 12)


@dataclass(frozen=True, slots=True)
class Verdict:
    """`sentence` answers the question itself. `best` is the approach with the highest Spearman’s r on the overall
    score among those that can be assessed, "" where none can: that is what all approaches have. Its `r` is
    Pearson’s on points, Spearman’s on categories (`kind`).
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
    design: TrialDesign,
    level: float,
    names: Mapping[str, str] = MappingProxyType({}),
) -> Verdict:
    """`agreement` has every measure of every approach, and whether that is scored in points; `compared` is that on
    the overall score of the approach whose points are contrasted, None where there are no points. `names` has what
    people call conditions and dimensions, by their keys.
    """
    integrity, has_points = design.integrity, compared is not None
    contrasts = [replace(each, condition=_called(each.condition, names)) for each in contrasts]
    controls = [replace(each, condition=_called(each.condition, names)) for each in controls]
    overall = [(each, *_overall(each, points)) for each, points in agreement if each.measure == MEAN]
    known = [(each, kind, r) for each, kind, r in overall if r.value is not None]
    best = max(known, key=lambda each: each[0].spearman.value or 0.0, default=None)
    known_as = "integrity" if "integrity" in integrity.casefold() else f"integrity ({_called(integrity, names)})"
    doubts = list(
        _doubts(best[2] if best else None, compared, controls, overall, asks_controls=bool(design.controls))
    )
    steps = tuple(_steps(best, contrasts, controls, overall, integrity, has_points=has_points))
    if unseen := _unseen(controls, integrity, known_as):
        doubts.append(f"no positive control scored lower on {unseen}")
        steps = (*steps, f"Add examples of answers that fail on {unseen}: no positive control scored lower on it.")
    tested = [each for each in contrasts if each.dimension == integrity]
    lacking = (
        "no dimension is known to be integrity"
        if contrasts
        else "no condition is known to be the baseline"
        if has_points
        else "nothing was scored in points"
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
    """The approach, as named within a sentence."""
    return {ONLY: "the one approach asked", PEOPLE: PEOPLE}.get(name, f"approach {name}")


def in_words(key: str) -> str:
    return key.replace("_", " ").strip()


def _called(key: str, names: Mapping[str, str]) -> str:
    return names.get(key) or in_words(key)


def _doubts(
    r: Estimate | None,
    compared: MeasureAgreement | None,
    controls: Sequence[Control],
    overall: Sequence[tuple[MeasureAgreement, str, Estimate]],
    *,
    asks_controls: bool,
) -> Iterator[str]:
    """Why equal scores would prove nothing. However well evaluators agree in the best approach, what is compared
    may be the points of another one.
    """
    if r is None:
        reason = next((each.reason for _, _, each in overall if each.reason), "nobody scored anything twice")
        yield f"no approach can be assessed ({_without_prefix(reason)})"
    elif r.value is not None and r.value < TARGET:
        yield f"in the best approach evaluators agree by no more than r = {r.value:.2f}, below {TARGET:.2f}"
    elif compared is not None:
        points = f"in {approach_in_words(compared.approach)}, whose points are compared,"
        if compared.pearson.value is None:
            yield f"{points} agreement is undefined ({compared.pearson.reason})"
        elif compared.pearson.value < TARGET:
            said = f"r = {compared.pearson.value:.2f}, below {TARGET:.2f}"
            yield f"{points} evaluators agree by no more than {said}"
    if not controls and asks_controls:
        yield "nothing was scored in points, by which positive controls could be told apart"
    elif not controls:
        yield "there are no positive controls, so that equal scores may be those of an insensitive instrument"
    if failed := _failed(controls):
        yield f"positive controls did not score lower ({', '.join(failed)})"
    for condition, reason in _unknown(controls).items():
        yield f"whether the positive control {condition} scores lower is not known ({reason})"


def _without_prefix(reason: str) -> str:
    return reason.removeprefix(f"{NOT_ASSESSABLE}: ")


def _unknown(controls: Sequence[Control]) -> dict[str, str]:
    """Controls whose difference is undefined on every dimension, and why."""
    known = {each.condition for each in controls if each.difference.value is not None}
    return {each.condition: each.difference.reason or "" for each in controls if each.condition not in known}


def _failed(controls: Sequence[Control]) -> list[str]:
    """Controls that are known to score lower on no dimension."""
    lower = {each.condition for each in controls if each.holds}
    return sorted({each.condition for each in controls} - lower - _unknown(controls).keys())


def _unseen(controls: Sequence[Control], integrity: str, known_as: str) -> str:
    """Integrity as it is `known_as`, where controls are distinguished from other answers, but not by it: whoever
    does
    not see that a fact is denied finds integrity equal everywhere. "" else.
    """
    of_integrity = [each.holds for each in controls if each.dimension == integrity]
    is_told = not _failed(controls) and not _unknown(controls)
    return known_as if of_integrity and is_told and not any(of_integrity) else ""


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
    """The conclusions in words, and whether they differ; None where that cannot be said."""
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
    p = found.p.value
    told = permutation_p(p, found.permutations) if found.permutations else f"{p_value(p)} (permuted within cases)"
    said = f"{share}, {told}"
    return said, True if is_more and found.p.value < 1 - level else None


def _none_differed(differ: Estimate) -> str:
    """A sentence for where no difference was found: there may be some, up to what the interval reaches."""
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
    *,
    has_points: bool,
) -> Iterator[str]:
    if best is None:
        yield _on_none([(each, kind, r.reason or "") for each, kind, r in overall])
    else:
        agreement, kind, r = best
        if (r.value or 0.0) < TARGET:
            others_reach = any((each.value or 0.0) >= TARGET for _, _, each in overall)
            yield _on_agreement(agreement, kind, r, others_reach=others_reach)
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
    elif best is not None and contrasts and all(each.difference.value is None for each in others):
        yield f"Add scenarios: no condition can be compared with the baseline ({others[0].difference.reason})."
    elif best is not None and contrasts and not any(each.verdict == DIFFERENT for each in others):
        than = " other than integrity" if len(others) < len(contrasts) else ""
        yield (
            f"Word the conditions more strongly: on no dimension{than} are they shown to differ from the baseline."
        )
    if not contrasts and has_points:
        yield "Name the condition that has no framework, or add one: without it, no other can be compared with it."
    elif not contrasts:
        yield (
            "Score in points, with a condition that has no framework: without both, the baseline cannot be "
            "compared."
        )
    if not_lower := _failed(controls):
        yield f"Add examples of answers that fail: {' and '.join(not_lower)} did not score lower."


def _on_none(overall: Sequence[tuple[MeasureAgreement, str, str]]) -> str:
    """What to do where no approach can be assessed, each with its reason: it may be one evaluator’s doing."""
    reasons = by_words((each.approach, _without_prefix(reason)) for each, _, reason in overall)
    since = f"since no approach can be assessed: {'; '.join(f'{each} ({reason})' for each, reason in reasons)}."
    without = [
        (figure.value, each.evaluator, f"{kind} r = {figure.value:.2f}", agreement.approach)
        for agreement, kind, _ in overall
        for each in agreement.without
        if (figure := _figure(each, kind)).value is not None
    ]
    if without:
        _, evaluator, r, approach = max(without)
        return (
            f"Find out why {evaluator} answers as it does, or do without it, {since} Without it, evaluators "
            f"agree by {r} in {approach_in_words(approach)}."
        )
    # Where scores are lacking, guidelines are not to blame.
    lacks = all(reason.endswith((TOO_FEW_EVALUATORS, TOO_FEW, GAVE_NONE, NEITHER)) for *_, reason in overall)
    return (
        f"{'Have at least two evaluators score the same answers' if lacks else 'Simplify the guidelines'}, {since}"
    )


def by_words(approaches: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """What is said of approaches, once for all those of which it is the same: with their names, in words."""
    found: dict[str, list[str]] = {}
    for name, words in approaches:
        found.setdefault(words, []).append(name)
    return [(_in_words(names), words) for words, names in found.items()]


def _in_words(names: Sequence[str]) -> str:
    asked = [name for name in names if name != PEOPLE]
    whole = f"approaches {listed(asked)}" if len(asked) > 1 else "".join(map(approach_in_words, asked))
    return " and ".join(filter(None, [whole, PEOPLE if PEOPLE in names else ""]))


def _figure(each: Without, kind: str) -> Estimate:
    return each.pearson if kind == "Pearson" else each.spearman


def _on_agreement(agreement: MeasureAgreement, kind: str, r: Estimate, *, others_reach: bool) -> str:
    """Whom to look at first. Another approach may reach the target by Pearson’s r, and lie behind by Spearman’s."""
    best = f"{approach_in_words(agreement.approach)} ({kind} r = {r.value:.2f})"
    said = (
        f"the best of the approaches by Spearman’s r, {best}, does not reach {TARGET:.2f}"
        if others_reach
        else f"no approach reaches {TARGET:.2f}; the best is {best}"
    )
    without = [
        (figure.value, each.evaluator)
        for each in agreement.without
        if (figure := _figure(each, kind)).value is not None
    ]
    if without and max(without)[0] >= TARGET:
        value, evaluator = max(without)
        return f"Clarify the wording where {evaluator} reads it differently: {said}, {value:.2f} without it."
    return f"Iterate on wording and examples: {said}, and leaving out any one evaluator does not mend it."
