"""How a report was computed, in sentences."""

from dataclasses import replace
from typing import Final

from analysis.data.core.judgment_frame import STANDARD
from analysis.data.core.number_format import shortest
from analysis.data.core.parameters import Parameters
from analysis.outcomes.core.calibration import QUALITY_FLOOR, SOURCE_ATTRIBUTION
from analysis.report.core.report_leaves import figures
from analysis.report.sections import registered
from analysis.sections.core.report import Data, Report
from analysis.sections.exhibits.wording import level_name
from analysis.sections.prose.passage import Chapter, Passage, enumerated, listed, paragraph, readable
from annotation.platform.core.phrases import counted

ITEMS: Final = {QUALITY_FLOOR: "quality floor", SOURCE_ATTRIBUTION: "source attribution"}

BY_SCORES: Final = (
    "Answers are ranked by their scores within each judgment, 1 the best, and tied answers share the mean of their "
    "places; a judgment without a score for every answer keeps the order that was given."
)
AS_ORDERED: Final = (
    "No judgment has a score for every answer. Answers are ranked in the order that was given, 1 the best, and "
    "tied answers share the mean of their places."
)
AS_GIVEN: Final = (
    "Paper-compatible: the ranks are those that were given, ties and all; a judgment that has lost an answer to a "
    "withdrawal is ranked anew among those left."
)
AGAINST_DEFAULT: Final = (
    "The published estimators are named as published. W is plain, of the judges who ranked all answers of a "
    "prompt, and 0 where they all tie everything; averaged over prompts. τ-b is one for every pair of judges, over "
    "the ranks of all the answers that both ranked, one prompt’s behind another’s; averaged over pairs. α is "
    "ordinal α of all the ranks. Same first place and same ranking are shares of prompts, where ties are broken by "
    "the answers’ ids in the order of strings, which tells nothing of the answers. The default analysis differs in "
    "these ways. It ranks answers anew from their scores, and tied answers share the mean of their places. W is "
    "corrected for ties, and undefined where all judges tie everything. τ-b compares answers to one prompt alone, "
    "and is averaged within prompts. A shared first place agrees with the same shared one alone."
)
DENSE: Final = "In {} the ranks given are dense (1, 2, 2, 3: no gap behind tied answers)."
DENSE_AS_GIVEN: Final = (
    "The published estimators take them as they stand; mean competition ranks are made anew from their order."
)
DENSE_ANEW: Final = "Where they count, answers are ranked anew from their order."
UNTOLD: Final = (
    "Sources are masked, so that calibration items cannot be told from ordinary ones: where a study has any, they "
    "are among these judgments, and enter agreement until sources are revealed."
)
NO_JUDGMENTS: Final = "No judgments by people were analysed."
UNDEFINED: Final = (
    "A figure that cannot be computed is called undefined, with the reason, and never taken for 0 or 1."
)


def methods(report: Report) -> Chapter:
    shown = [section for section in registered("text") if section.is_shown(report)]
    of_sections = [section.methods for section in shown if section.methods]
    beside = tuple(said for section in shown for said in paragraph(*section.data(report[section])))
    if not report.data.judgments:
        judged = [Passage("Data", beside or (NO_JUDGMENTS,))]
    else:
        data = _data(report)
        judged = [replace(data, paragraphs=(*data.paragraphs, *beside)), _ranks(report)]
    return Chapter("Methods", (*judged, *of_sections, _intervals(report)))


def _data(report: Report) -> Passage:
    data = report.data
    low, high = map(shortest, data.scale)
    inferred = " (ends inferred from the scores)" if data.is_scale_inferred else ""
    dimensions = listed(map(readable, data.dimensions)) if data.dimensions and data.scored else ""
    scored = "Every answer was scored" if data.scored == data.judgments else "Where answers were scored, it was"
    calibration = [
        f"{number:,} of {ITEMS.get(kind, readable(kind))}"
        for kind, number in data.item_types.items()
        if kind != STANDARD
    ]
    return Passage(
        "Data",
        paragraph(
            f"The analysis rests on {counted(data.judgments, 'judgment')} of {counted(data.prompts, 'prompt')} by "
            f"{counted(data.judges, 'judge')}: {counted(data.rows, 'rating')} of "
            f"{counted(data.answers, 'answer')}.",
            "A judgment is all that one judge said about one prompt; a rating is one judge’s view of one answer.",
            dimensions
            and f"{scored} from {low} to {high}{inferred} on {dimensions}; where a score is spoken "
            "of, it is the mean of these on the same scale.",
            f"Of the judgments, {data.item_types.get(STANDARD, 0):,} are of ordinary items. Those of calibration "
            f"items ({listed(calibration)}) enter neither agreement nor outcomes."
            if calibration
            else "",
            "" if calibration or not report.is_masked else UNTOLD,
        ),
    )


def _ranks(report: Report) -> Passage:
    differ = _differences(report.data)
    dense = dense_ranks(report.data, report.parameters)
    if report.parameters.mode == "paper":
        return Passage("Ranks", (*paragraph(AS_GIVEN, differ, dense), AGAINST_DEFAULT))
    return Passage("Ranks", paragraph(BY_SCORES if report.data.scored else AS_ORDERED, differ, dense))


def dense_ranks(data: Data, parameters: Parameters) -> str:
    """That ranks given are dense, and what became of them; "" where none are."""
    if not data.dense:
        return ""
    done = DENSE_AS_GIVEN if parameters.mode == "paper" else DENSE_ANEW
    return f"{DENSE.format(counted(data.dense, 'judgment'))} {done}"


def _differences(data: Data) -> str:
    """Differences between the ranks given and the scores, where there are both."""
    if not data.ranked:
        return "No ranks were given."
    if not data.scored:
        return ""
    if not data.reranked:
        return "Ranks and scores put the answers in the same order."
    return (
        f"In {counted(data.reranked, 'judgment')} the ranks given put the answers in another order than the scores "
        "do."
    )


def _intervals(report: Report) -> Passage:
    asked, drawn = report.parameters, counted(report.data.draws, "resample")
    ways = dict.fromkeys(
        figure.interval.method
        for _, figure in figures(report)
        if figure.interval and figure.interval.low is not None
    )
    found = enumerated(ways) if ways else ""
    return Passage(
        "Intervals",
        paragraph(
            f"Brackets hold intervals at {level_name(asked.level)}.",
            found
            and f"Every table says how its own were found: {found}. There are {drawn}, from the seed {asked.seed}.",
            UNDEFINED,
        ),
    )
