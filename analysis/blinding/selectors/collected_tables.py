"""What was asked, answered and given to judges, with sources and kinds: also of people who have withdrawn."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pandas as pd

from analysis.data.core.judgment_frame import STANDARD
from analysis.data.core.study_tables import COLLECTED_ANSWERS, COLLECTED_ITEMS, PROMPTS, table
from annotation.judging.models.judging import BlindedSlot
from annotation.platform.core.text import sha256_hex
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import latest_versions
from annotation.texts.models.provenance import ItemPlan, Kind, PromptPlan, Stimulus

ITEM_TYPES: Final[dict[str, str]] = {
    Kind.STANDARD: STANDARD,
    Kind.QUALITY_FLOOR: "cal_quality_floor",
    Kind.SOURCE_ATTRIBUTION: "cal_source_attribution",
}


def prompts(study: Study) -> pd.DataFrame:
    """Every prompt as PROMPTS has it."""
    return table(_prompts(study), PROMPTS)


def collected_items(study: Study) -> pd.DataFrame:
    """Every answer that every judge was given, as COLLECTED_ITEMS has it."""
    return table(_items(study), COLLECTED_ITEMS)


def collected_answers(study: Study) -> pd.DataFrame:
    """Every answer that was ever admitted, as COLLECTED_ANSWERS has it."""
    kept = Stimulus.objects.filter(study=study, is_read=True, state__in=("admitted", "withdrawn"))
    given = kept.values_list(
        "response_id", "prompt__code", "arm", "source_code", "response__word_count", "response__text"
    )
    return table(((*known, sha256_hex(text)) for *known, text in given), COLLECTED_ANSWERS)


def _prompts(study: Study) -> Iterator[Sequence[Any]]:
    kinds = dict(PromptPlan.objects.filter(prompt__study=study).values_list("prompt__code", "kind"))
    versions = latest_versions(study).values_list("prompt__code", "prompt__domain", "number", "text")
    for code, domain, number, text in versions:
        item_type = ITEM_TYPES[kinds.get(code, Kind.STANDARD)]
        yield code, domain, item_type, number, sha256_hex(text), text


def _items(study: Study) -> Iterator[Sequence[Any]]:
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
