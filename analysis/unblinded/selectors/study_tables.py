"""A study's tables, read from the database: what its analysis reads and its release publishes."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pandas as pd

from analysis.blinding.selectors.collected_tables import collected_items, prompts
from analysis.data.core.study_tables import PARTICIPANTS, TOMBSTONES, StudyTables, in_order, table
from analysis.frozen.selectors.frozen_tables import masked_guesses
from analysis.unblinded.selectors.answer_tables import answers, panel_expected, panel_scores
from analysis.unblinded.selectors.unblinding import Withdrawn, judgments_without, withdrawn_from
from annotation.judging.models.judging import JudgingItem
from annotation.study.core.instrument import Instrument, parse
from annotation.study.models.participation import Participation, Role
from annotation.study.models.protocol import ProfileQuestion
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.texts.models.provenance import Stimulus

STUDIED: Final = (Role.WRITER, Role.JUDGE)
WITHDRAWN: Final = "consent withdrawn"


def study_tables(study: Study) -> StudyTables:
    """Everything that counts of a study, without what those gave who have withdrawn their consent.

    Raises `PermissionDenied` before the study is unblinded.
    """
    withdrawn = withdrawn_from(study)
    known = answers(study, withdrawn)
    sources = dict(zip(known["response_id"], known["source"], strict=True))
    asked = _instrument(study)
    return in_order(
        StudyTables(
            judgments=judgments_without(withdrawn, study),
            prompts=prompts(study),
            answers=known,
            items=_items(study, withdrawn),
            guesses=withdrawn.leaves(masked_guesses(study)),
            panel=panel_scores(study, sources),
            panel_expected=panel_expected(study, sources),
            participants=table(_participants(study, withdrawn, asked), PARTICIPANTS),
            tombstones=table(_tombstones(study, withdrawn), TOMBSTONES),
            ideology=(asked.low, asked.high, len(asked.labels)) if asked else None,
            scale=rubric_by_hash(study.rubric_id).scale,
        )
    )


def _instrument(study: Study) -> Instrument | None:
    """That for political orientation, where participants were asked about it."""
    is_asked = ProfileQuestion.IDEOLOGY in study.profile_questions and study.ideology_instrument
    return parse(study.ideology_instrument) if is_asked else None


def _items(study: Study, withdrawn: Withdrawn) -> pd.DataFrame:
    """Without judges who have withdrawn; answers of writers who have are marked, as labels rest on them."""
    items = collected_items(study)
    kept = items[~items["judge_id"].isin(withdrawn.people)]
    return kept.assign(
        replaces_judge=kept["replaces_judge"].where(~kept["replaces_judge"].isin(withdrawn.people), ""),
        withdrawn=kept["true_id"].isin(map(str, withdrawn.answers)).astype("float64"),
    )


def _participants(study: Study, withdrawn: Withdrawn, asked: Instrument | None) -> Iterator[Sequence[Any]]:
    agreed = Participation.objects.filter(study=study, role__in=STUDIED, consent__isnull=False).exclude(
        pseudonym__in=withdrawn.people
    )
    for pseudonym, role, degree, r1, discipline, years, country, ideology in agreed.values_list(
        "pseudonym",
        "role",
        "profile__highest_degree",
        "profile__r1_institution",
        "profile__discipline",
        "profile__years_experience",
        "profile__country",
        "profile__ideology",
    ):
        position = asked.position(ideology or {}) if asked else None
        yield pseudonym, role, degree or "", r1, discipline or "", years, country or "", position


def _tombstones(study: Study, withdrawn: Withdrawn) -> Iterator[Sequence[str]]:
    gone = Participation.objects.filter(study=study, role__in=STUDIED, pseudonym__in=withdrawn.people)
    for role, pseudonym in gone.values_list("role", "pseudonym"):
        yield role, pseudonym, "", WITHDRAWN
    texts = Stimulus.objects.filter(pk__in=withdrawn.answers, is_read=True, state__in=("admitted", "withdrawn"))
    for response, prompt in texts.values_list("response_id", "prompt__code"):
        yield "answer", str(response), prompt, WITHDRAWN
    items = JudgingItem.objects.filter(study=study, participation__in=gone).exclude(state="cancelled")
    for pseudonym, prompt in items.values_list("participation__pseudonym", "prompt__code"):
        yield "item", pseudonym, prompt, WITHDRAWN
