"""What is frozen, when a study is closed, of who wrote what and for what: as it is now, and as it was then.

Nobody is shown any of it before the study is unblinded. Until then a hash keyed with the seed stands for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pandas as pd

from analysis.blinding.models import SealedTable
from analysis.data.core.judgment_frame import STANDARD
from analysis.data.core.study_tables import (
    ANSWERS,
    COLLECTED_ITEMS,
    PARTICIPANTS,
    PROMPTS,
    rows_in_order,
    sources_hmac,
    table,
    table_from_bytes,
    table_hmac,
)
from analysis.frozen.models import Freeze
from analysis.frozen.selectors.frozen_tables import check_hashes
from annotation.judging.models.judging import BlindedSlot
from annotation.platform.core.text import sha256_hex
from annotation.study.core.instrument import Instrument, parse
from annotation.study.models.participation import Participation, Role
from annotation.study.models.protocol import ProfileQuestion
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import latest_versions
from annotation.texts.models.provenance import Arm, ItemPlan, Kind, PromptPlan, Stimulus
from annotation.texts.models.seeds import StudySeed
from annotation.texts.selectors.clearances import withheld_texts
from generation.answers.models import ModelAnswer
from generation.catalogue.models import Target
from generation.providers.catalogue import known_model

ITEM_TYPES: Final[dict[str, str]] = {
    Kind.STANDARD: STANDARD,
    Kind.QUALITY_FLOOR: "cal_quality_floor",
    Kind.SOURCE_ATTRIBUTION: "cal_source_attribution",
}
STUDIED: Final = (Role.WRITER, Role.JUDGE)
COLUMNS: Final = {"prompts": PROMPTS, "items": COLLECTED_ITEMS, "answers": ANSWERS, "participants": PARTICIPANTS}


def collected_tables(study: Study) -> dict[str, pd.DataFrame]:
    """Prompts, items, answers and participants as the rows have them now, in the order of ORDER.

    Of answers all that were ever admitted, without the text of those that left the study again, and without those
    that no judge may be given: they go on being collected. Of participants those who have agreed.
    """
    rows = {
        "prompts": _prompts(study),
        "items": _items(study),
        "answers": _answers(study, sorted({*Arm.values} - {Arm.MAXIMUM})),
        "participants": _participants(study),
    }
    return {name: rows_in_order(name, table(found, COLUMNS[name])) for name, found in rows.items()}


def answers_for_no_judge(study: Study) -> pd.DataFrame:
    """The answers that no judge may be given, as ANSWERS has them: collected until the study is released."""
    return table(_answers(study, [Arm.MAXIMUM]), ANSWERS)


def family_of(target: Target) -> str:
    """Whose model it is: as the catalogue says, or else by the name the study gave it."""
    known = known_model(target.provider, target.model_id)
    return known.family if known else target.family


def hashes_of(study: Study, tables: Mapping[str, pd.DataFrame]) -> dict[str, str]:
    """The keyed hash of each table by its name, and of where the answers are from that judges were given."""
    seed = bytes(StudySeed.objects.get(study=study).seed)
    given = tables["answers"]["response_id"].isin(tables["items"]["true_id"])
    return {
        "sources": sources_hmac(seed, tables["answers"][given]),
        **{name: table_hmac(seed, name, found) for name, found in tables.items()},
    }


def sealed_tables(study: Study) -> dict[str, pd.DataFrame]:
    """The tables as they were kept when the study was closed.

    A table that an earlier version did not keep is as its rows are now. Raises `Refused` where one of them has not
    the hash under which it was frozen.
    """
    tables = kept_tables(study)
    if tables.keys() != COLUMNS.keys():
        tables = {**collected_tables(study), **tables}
    check_hashes(hashes_of(study, tables), Freeze.objects.get(study=study))
    return tables


def kept_tables(study: Study) -> dict[str, pd.DataFrame]:
    """The tables that were kept when the study was closed, unchecked."""
    kept = SealedTable.objects.filter(freeze__study=study).values_list("name", "content")
    return {name: table_from_bytes(bytes(content), COLUMNS[name]) for name, content in kept}


def withheld_answers(study: Study) -> frozenset[str]:
    """Ids of the answers that the study leaves out of its data, for what was found in their texts."""
    return frozenset(map(str, withheld_texts(study)))


def instrument_of(study: Study) -> Instrument | None:
    """The instrument for political orientation, where participants were asked about it."""
    is_asked = ProfileQuestion.IDEOLOGY in study.profile_questions and study.ideology_instrument
    return parse(study.ideology_instrument) if is_asked else None


def _answers(study: Study, arms: Sequence[str]) -> Iterator[Sequence[Any]]:
    """Every answer of these arms that was ever admitted, as ANSWERS has it."""
    targets = Target.objects.filter(study=study, role=Target.Role.ANSWERS).order_by("pk").in_bulk()
    by_name = {target.family: target for target in targets.values()}
    written = ModelAnswer.objects.filter(response__study=study).values_list("response_id", "call__target_id")
    written_by = {response: targets[target] for response, target in written}
    admitted = Stimulus.objects.filter(study=study, arm__in=arms, is_read=True, state__in=("admitted", "withdrawn"))
    for response, prompt, arm, source, state, words, text in admitted.values_list(
        *("response_id", "prompt__code", "arm", "source_code", "state", "response__word_count", "response__text")
    ):
        # A text that no call brought is known by the name of its model alone.
        target = None if arm == Arm.HUMAN else written_by.get(response) or by_name.get(source)
        family = family_of(target) if target else "" if arm == Arm.HUMAN else source
        model = target.model_id if target else ""
        kept = text if state == "admitted" else ""
        yield response, prompt, arm, source, model, family, words, sha256_hex(text), kept


def _prompts(study: Study) -> Iterator[Sequence[Any]]:
    kinds = dict(PromptPlan.objects.filter(prompt__study=study).values_list("prompt__code", "kind"))
    versions = latest_versions(study).values_list("prompt__code", "prompt__domain", "number", "text")
    for code, domain, number, text in versions:
        item_type = ITEM_TYPES[kinds.get(code, Kind.STANDARD)]
        yield code, domain, item_type, number, sha256_hex(text), text


def _items(study: Study) -> Iterator[Sequence[Any]]:
    """Every answer that every judge was given."""
    plans = ItemPlan.objects.filter(item__study=study).values_list("item_id", "kind", "human_set__number")
    plan_of = {item: (ITEM_TYPES[kind], number) for item, kind, number in plans}
    slots = BlindedSlot.objects.filter(item__study=study).exclude(item__state="cancelled")
    for item, prompt, judge, label, response, position, replaced in slots.values_list(
        "item_id",
        "item__prompt__code",
        "item__participation__pseudonym",
        "label",
        "response_id",
        "item__position",
        "item__replaces__participation__pseudonym",
    ):
        item_type, human_set = plan_of.get(item, ("", None))
        yield prompt, judge, f"Response {label}", response, item_type, position, human_set, replaced or ""


def _participants(study: Study) -> Iterator[Sequence[Any]]:
    """Participants; those who have withdrawn their consent show no more than that they were there."""
    asked = instrument_of(study)
    agreed = Participation.objects.filter(study=study, role__in=STUDIED, consent__isnull=False)
    gone = agreed.filter(consent__withdrawn_at__isnull=False).values_list("pseudonym", "role")
    yield from ((*person, "", None, "", None, "", None) for person in gone)
    there = agreed.filter(consent__withdrawn_at__isnull=True)
    for pseudonym, role, degree, r1, discipline, years, country, ideology in there.values_list(
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
