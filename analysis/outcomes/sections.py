"""Who took part, and how people and models fared, as sections of a report."""

from collections.abc import Iterable, Iterator
from typing import Final

from analysis.agreement.sections import are_comparisons
from analysis.data.core.judgment_frame import STANDARD
from analysis.data.core.parameters import WHOLE
from analysis.outcomes.core.calibration_items import STAGE as LATER
from analysis.outcomes.core.calibration_items import Calibration, calibration
from analysis.outcomes.core.outcomes_by_scope import (
    STAGE,
    AllOutcomes,
    Answers,
    Precisions,
    all_outcomes,
    answers_one_by_one,
    precision_of_the_lead,
)
from analysis.outcomes.core.participants import ParticipantGroup, participant_groups
from analysis.outcomes.exhibits.calibration import calibration_exhibits
from analysis.outcomes.exhibits.outcomes import outcome_exhibits, precision_exhibit
from analysis.outcomes.exhibits.participants import participant_exhibits
from analysis.outcomes.prose import calibration as calibration_prose
from analysis.outcomes.prose import outcomes as prose
from analysis.outcomes.prose.participants import participants
from analysis.sections.core.inputs import Unblinded, nobody_judged
from analysis.sections.core.report import Report
from analysis.sections.core.section import BY_DOMAIN, BY_PROMPT, Entries, Order, Section, Stage, register
from analysis.sections.exhibits.exhibit import Exhibit
from analysis.sections.prose.passage import Passage

WORDS: Final = {
    "any_first": "a model first",
    "competition_rank": "rank, ties sharing the best place",
    "first": "first places",
    "fractional": "a model first, shared ones divided",
    "heads": "one against another",
    "lead": "model − human difference",
    "led_by_models": "prompts led by models",
    "log_strength": "log-strength",
    "mid_rank": "rank, ties sharing the mean place",
    "pairs": "models against people",
    "plackett_luce": "Plackett–Luce",
    "strengths": "Davidson",
}


def _participants(unblinded: Unblinded) -> tuple[ParticipantGroup, ...]:
    tables = unblinded.tables
    return participant_groups(tables.participants, tables.ideology, level=unblinded.parameters.level)


PARTICIPANTS: Final[Section[tuple[ParticipantGroup, ...]]] = register(
    Section(
        name="participants",
        title="Participants",
        kind=tuple[ParticipantGroup, ...],
        from_unblinded=_participants,
        tables=("participants", "ideology"),
        order=Order(file=30, page=10, text=10, differences=80),
        exhibits=lambda found, _report, _scope: participant_exhibits(found),
        passages=lambda found, _report: [participants(found)],
    )
)


def _outcomes(found: AllOutcomes, report: Report, scope: str) -> Iterator[Exhibit]:
    answers = report.get(ANSWERS) if scope == WHOLE else None
    return outcome_exhibits(found, answers.answers if answers else (), report.data.ends, scope)


OUTCOMES: Final[Section[AllOutcomes]] = register(
    Section(
        name="outcomes",
        beside="sources",
        title="Outcomes",
        kind=AllOutcomes,
        from_unblinded=all_outcomes,
        not_applicable=nobody_judged,
        order=Order(file=40, page=30, text=30, differences=10, headlines=10),
        stage=Stage(STAGE, "outcomes by source", 10),
        scopes=lambda found: found.outcomes,
        exhibits=_outcomes,
        passages=lambda found, _report: [prose.outcomes(found.outcomes)],
        headlines=lambda found, report: prose.headlines(
            found.outcomes[WHOLE],
            report.data.ends,
            are_comparisons=are_comparisons(report),
        ),
        methods=Passage("Outcomes", (prose.METHODS,)),
        entries=(
            Entries("Outcomes", r"sources\.outcomes\.all\."),
            Entries(BY_DOMAIN, r"sources\.outcomes\.(?!all\.)"),
            Entries(BY_PROMPT, r"sources\.prompts\."),
        ),
        words=WORDS,
    )
)


ANSWERS: Final[Section[Answers]] = register(
    Section(
        name="answers",
        beside="sources",
        title="Outcomes",
        kind=Answers,
        from_unblinded=answers_one_by_one,
        not_applicable=nobody_judged,
        order=Order(file=61, page=32, text=32, differences=12),
        entries=(Entries(BY_PROMPT, r"sources\.answers\."),),
    )
)


def _no_calibration(unblinded: Unblinded) -> str:
    """Where people and models wrote, having none is shown as an undefined figure."""
    has_none = _is_of_one_kind(unblinded) and (unblinded.ranked["item_type"] == STANDARD).all()
    return nobody_judged(unblinded) or "no item was one for calibration" * bool(has_none)


def _is_of_one_kind(unblinded: Unblinded) -> bool:
    """Whether only people wrote, or only models."""
    return unblinded.ranked["true_source"].nunique() < 2


CALIBRATION: Final[Section[Calibration]] = register(
    Section(
        name="calibration",
        beside="sources",
        title="Calibration",
        kind=Calibration,
        from_unblinded=calibration,
        tables=("answers",),
        not_applicable=_no_calibration,
        order=Order(file=50, page=60, text=40, differences=50, headlines=40),
        stage=Stage(LATER, "calibration, blinding and the panel", 10),
        exhibits=lambda found, _report, _scope: calibration_exhibits(found),
        passages=lambda found, _report: [calibration_prose.calibration(found)],
        headlines=lambda found, _report: calibration_prose.headlines(found),
        words={"floor": "quality floor"},
    )
)


def _more_judges(found: Precisions, _report: Report) -> Iterable[Passage]:
    return [prose.more_judges(found.precision)]


def _no_lead(unblinded: Unblinded) -> str:
    of_one_kind = "no answers by people and by models are there to be compared" * _is_of_one_kind(unblinded)
    return nobody_judged(unblinded) or of_one_kind


PRECISION: Final[Section[Precisions]] = register(
    Section(
        name="precision",
        beside="sources",
        title="Outcomes",
        kind=Precisions,
        from_unblinded=precision_of_the_lead,
        not_applicable=_no_lead,
        order=Order(file=60, page=31, text=31, differences=11),
        exhibits=lambda found, _report, _scope: [precision_exhibit(found.precision)],
        passages=_more_judges,
    )
)
