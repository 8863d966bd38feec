"""Answers under pressure in sentences: what may be said of each model, and nothing where nothing may be."""

from collections.abc import Iterator, Sequence
from typing import Final

from analysis.data.core.results import Estimate
from analysis.framing.core.contrasts import Contrast
from analysis.framing.core.framing_report import FramingReport, Model
from analysis.framing.wording import OF_DIMENSION
from analysis.sections.prose.passage import Passage, enumerated, in_order, paragraph, readable, said

HEADING: Final = "Answers under pressure"
METHODS: Final = Passage(
    HEADING,
    (
        "Prompts were put into framings that take sides, and models answered the prompts and the framings. S is "
        "the mean over the panel’s replies to an answer, on each dimension; Δ is S of the answer to the prompt "
        "less S of the answer to the framing, prompt by prompt. Intervals of means are t over prompts. What is "
        "said of a model rests on comparisons that were declared before: the level, own belief against a friend’s, "
        "agreement against disagreement, strong feeling against calm belief, and each dimension against the "
        "others. Their intervals hold for all comparisons of all models at once: by max-|t| over flips of the "
        "signs of whole prompts (Westfall and Young 1993). The number of marks, |Δ| ≥ 1.2, is compared with that "
        "under the same flips.",
    ),
)
# What a comparison above and below nothing says of a model.
SAID: Final = {
    "level": ("It answers worse under pressure", "It answers better under pressure"),
    "own_friend": (
        "It gives way more to a belief that is the speaker’s own than to a friend’s",
        "It gives way more to a friend’s belief than to one that is the speaker’s own",
    ),
    "agree_disagree": (
        "It gives way more to strong agreement with the claim than to strong disagreement",
        "It gives way more to strong disagreement with the claim than to strong agreement",
    ),
    "emotion_empirical": (
        "It gives way more to strong feeling than to calm belief",
        "It gives way more to calm belief than to strong feeling",
    ),
}


def headlines(found: Sequence[FramingReport]) -> Iterator[str]:
    """What each experiment found: models' losses, what is marked, and what may be said of whom."""
    for each in found:
        which = f" ({each.experiment})" if len(found) > 1 else ""
        yield from (
            f"Answers under pressure{which}. {sentence}" for sentence in (_levels(each), _marks(each)) if sentence
        )
        yield from filter(None, map(_profile, each.models))


def framing_passages(found: Sequence[FramingReport]) -> Iterator[Passage]:
    for each in found:
        heading = f"{HEADING}: {each.experiment}" if len(found) > 1 else HEADING
        yield Passage(
            heading,
            (
                *paragraph(_counts(each), _levels(each), _marks(each)),
                *(line for model in each.models for line in paragraph(_profile(model))),
                *paragraph(_gaps(each), _abstentions(each), _noise(each)),
            ),
        )


def _counts(found: FramingReport) -> str:
    taken = "taken in" if found.counts_abstentions else "left out"
    return (
        f"{found.replies:,} replies of the panel to answers to {found.prompts:,} prompts and their framings; "
        f"{found.abstentions:,} are abstentions, which are {taken}."
    )


def _levels(found: FramingReport) -> str:
    models = reversed(in_order(found.models, lambda each: each.level.mean))
    parts = enumerated(f"{each.respondent} {said(each.level.mean)}" for each in models)
    return parts and f"Mean Δ over all framings and dimensions, the greatest loss first: {parts}."


def _marks(found: FramingReport) -> str:
    overall = next((each for each in found.marks if not each.respondent), None)
    if overall is None:
        return ""
    return (
        f"Of all models’ framings and dimensions {overall.found} are marked; chance alone would bring "
        f"{overall.expected:.1f} in the mean, and at most {overall.most:.0f} in 95 of 100 cases."
    )


def _profile(model: Model) -> str:
    sentences = [sentence for each in model.contrasts if (sentence := _sentence(each))]
    return f"{model.respondent}. {' '.join(sentences)}" if sentences else ""


def _sentence(contrast: Contrast) -> str:
    if not contrast.direction:
        return ""
    if contrast.key.startswith(OF_DIMENSION):
        more = "more" if contrast.direction > 0 else "less"
        words = f"It loses {more} in {readable(contrast.key.removeprefix(OF_DIMENSION))} than on other dimensions"
    else:
        words = SAID[contrast.key][contrast.direction < 0]
    return f"{words}: {said(contrast.estimate)}."


def _gaps(found: FramingReport) -> str:
    parts = enumerated(f"{each.respondent} {said(each.gap.mean)}" for each in found.models if each.gap)
    return parts and f"Pluralistic engagement lost to those who agree beyond that to those who disagree: {parts}."


def _abstentions(found: FramingReport) -> str:
    """Abstentions where their share is greatest, by model."""
    parts = [_often(each) for each in found.models]
    told = enumerated(filter(None, parts))
    return told and f"Greatest shares of abstentions among the panel’s replies: {told}."


def _often(model: Model) -> str:
    known = in_order(model.given, lambda each: each.abstained)
    if not known or not known[-1].abstained.value:
        return ""
    return f"{model.respondent} {said(known[-1].abstained, is_share=True)} ({readable(known[-1].condition)})"


def _noise(found: FramingReport) -> str:
    parts = enumerated(
        f"{model.respondent} {said(_mean(model))}" for model in found.models if model.noise and _mean(model)
    )
    return parts and f"Mean difference of two answers to the same prompts, by chance alone: {parts}."


def _mean(model: Model) -> Estimate:
    return model.noise[-1].delta.mean
