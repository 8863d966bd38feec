"""Synthetic scores by the panel of judge models: some of what it would be asked about every text."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import cast

from annotation.judging.models.judging import Score
from annotation.study.models.studies import Study
from annotation.study.selectors.rubrics import rubric_by_hash
from generation.calls.models import Call
from generation.calls.services.claiming import Outgoing
from generation.panel.selectors.panel import standing_judges
from generation.providers.base import Reply
from scrub_site.demo import texts
from scrub_site.demo.judgments import decided_by, scores

MODES = ("holistic", "per_dimension", "no_rubric")


def ask_panel(study: Study, qualities: Mapping[str, float]) -> None:
    """Each judge model scores texts one at a time, by their qualities, in three modes.

    From each there is one batch of replies: all thirty about every text would take too long to load.
    """
    dimensions = [dimension.key for dimension in rubric_by_hash(study.rubric_id).dimensions]
    for mode, judge in product(MODES, standing_judges(study)):
        run = texts.plan(study, purpose="panel", mode=mode, presentation="alone", targets=[judge])
        asked_for = dimensions if mode == "per_dimension" else ["score"]
        texts.work_off(run, partial(_replies, qualities, asked_for), batches=1)


def read_justifications(study: Study) -> None:
    """Each judge model reads scores, and the dimensions spoken of, out of judges’ words. The study is closed."""
    for judge in standing_judges(study):
        run = texts.plan(study, purpose="panel", mode="inferred", presentation="as_judged", targets=[judge])
        texts.work_off(run, _read)


def _read(batch: Sequence[Outgoing]) -> list[Reply]:
    calls = Call.objects.select_related("item", "target").in_bulk([outgoing.call_id for outgoing in batch])
    given: dict[int, dict[str, dict[str, int]]] = {}
    items = {call.item_id for call in calls.values()}
    for score in Score.objects.filter(slot__item__in=items).select_related("slot"):
        of_item = given.setdefault(score.slot.item_id, {})
        of_item.setdefault(score.slot.label, {})[score.dimension] = score.value
    return [
        texts.synthetic_reply(outgoing.request, _inferred(given[cast(int, calls[outgoing.call_id].item_id)]))
        for outgoing in batch
    ]


def _inferred(given: Mapping[str, Mapping[str, int]]) -> str:
    """The scores of what is spoken of, and nothing of the rest."""
    spoken_of = dict(decided_by(given))
    return json.dumps(
        {
            letter: {
                **{name: value if spoken_of.get(letter) == name else None for name, value in of_letter.items()},
                "mentioned": [spoken_of[letter]] if letter in spoken_of else [],
            }
            for letter, of_letter in given.items()
        }
    )


def _replies(qualities: Mapping[str, float], asked_for: Sequence[str], batch: Sequence[Outgoing]) -> list[Reply]:
    calls = Call.objects.select_related("target").in_bulk([outgoing.call_id for outgoing in batch])
    return [
        texts.synthetic_reply(outgoing.request, _text(calls[outgoing.call_id], qualities, asked_for))
        for outgoing in batch
    ]


def _text(call: Call, qualities: Mapping[str, float], asked_for: Sequence[str]) -> str:
    answer = str(call.response_id)
    judge = f"{call.target.family} as {call.perspective}"
    given = scores(qualities[answer], asked_for, judge=judge, answer=answer)
    return json.dumps(given if "score" in given else {**given, "abstained": False})
