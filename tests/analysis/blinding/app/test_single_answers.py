"""Items that show one answer each: the answers to a prompt take turns over judges, which is checked again."""

from collections import Counter

import pytest

from analysis.blinding.services.verification import check_blinding
from annotation.judging.models.judging import BlindedSlot
from annotation.study.models.studies import Study
from annotation.texts.models.provenance import Stimulus
from tests.factories import a_judging_study

pytestmark = pytest.mark.django_db


def sources_shown(study: Study) -> dict[str, Counter[str]]:
    """How often each source was shown, by prompt and by judge."""
    sources = dict(Stimulus.objects.filter(study=study).values_list("response_id", "source_code"))
    found: dict[str, Counter[str]] = {}
    for slot in BlindedSlot.objects.filter(item__study=study).select_related("item__participation", "item__prompt"):
        for of in (slot.item.prompt.code, slot.item.participation.pseudonym):
            found.setdefault(of, Counter())[sources[slot.response_id]] += 1
    return found


def test_answers_take_turns_over_judges_and_over_prompts_and_no_answer_may_be_swapped() -> None:
    study = a_judging_study(0, 1, judges=6, prompts=3, model_targets_expected=3)
    shown = sources_shown(study)
    assert {tuple(sorted(counts.values())) for counts in shown.values()} == {(2, 2, 2), (1, 1, 1)}
    assert not check_blinding(study).differences
    slot = BlindedSlot.objects.filter(item__study=study).order_by("item", "label").first()
    assert slot
    other = BlindedSlot.objects.filter(item__prompt=slot.item.prompt).exclude(response=slot.response).first()
    assert other
    BlindedSlot.objects.filter(pk=slot.pk).update(response=other.response)
    assert check_blinding(study).differences
