"""A study's tables, read from the database: what its analysis reads and its release publishes."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from analysis.data.core.study_tables import ITEMS, PARTICIPANTS, PROMPTS, TOMBSTONES, StudyTables, in_order, table
from analysis.frozen.selectors.frozen_tables import masked_guesses
from analysis.unblinded.selectors.answer_tables import answers, panel_expected, panel_scores
from analysis.unblinded.selectors.unblinding import ITEM_TYPES, Withdrawn, judgments_without, withdrawn_from
from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.platform.core.text import sha256_hex
from annotation.study.core.instrument import Instrument, parse
from annotation.study.models.participation import Participation, Role
from annotation.study.models.protocol import ProfileQuestion
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import latest_versions
from annotation.study.selectors.rubrics import rubric_by_hash
from annotation.texts.models.provenance import ItemPlan, Kind, PromptPlan, Stimulus

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
            prompts=table(_prompts(study), PROMPTS),
            answers=known,
            items=table(_items(study, withdrawn), ITEMS),
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


def _prompts(study: Study) -> Iterator[Sequence[Any]]:
    kinds = dict(PromptPlan.objects.filter(prompt__study=study).values_list("prompt__code", "kind"))
    versions = latest_versions(study).values_list("prompt__code", "prompt__domain", "number", "text")
    for code, domain, number, text in versions:
        item_type = ITEM_TYPES[kinds.get(code, Kind.STANDARD)]
        yield code, domain, item_type, number, sha256_hex(text), text


def _items(study: Study, withdrawn: Withdrawn) -> Iterator[Sequence[Any]]:
    plans = ItemPlan.objects.filter(item__study=study).values_list("item_id", "kind", "human_set__number")
    plan_of = {item: (ITEM_TYPES[kind], number) for item, kind, number in plans}
    slots = (
        BlindedSlot.objects.filter(item__study=study)
        .exclude(item__state="cancelled")
        .exclude(item__participation__pseudonym__in=withdrawn.people)
    )
    for item, prompt, judge, label, response, position, replaced in slots.values_list(
        "item_id",
        "item__prompt__code",
        "item__participation__pseudonym",
        "label",
        "response_id",
        "item__position",
        "item__replaces__participation__pseudonym",
    ):
        item_type, human_set = plan_of[item]
        replaces = "" if replaced is None or replaced in withdrawn.people else replaced
        is_withdrawn = response in withdrawn.answers
        yield prompt, judge, f"Response {label}", response, item_type, position, human_set, replaces, is_withdrawn


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
    texts = Stimulus.objects.filter(pk__in=withdrawn.answers, state__in=("admitted", "withdrawn"))
    for response, prompt in texts.values_list("response_id", "prompt__code"):
        yield "answer", str(response), prompt, WITHDRAWN
    items = JudgingItem.objects.filter(study=study, participation__in=gone).exclude(state="cancelled")
    for pseudonym, prompt in items.values_list("participation__pseudonym", "prompt__code"):
        yield "item", pseudonym, prompt, WITHDRAWN
