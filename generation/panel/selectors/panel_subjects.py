"""What a run of the panel is about: texts with the prompts they answer, items as their judges had them, or texts of
a file. Nothing of people who have withdrawn their consent is ever sent to a model."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from annotation.judging.models.judging import BlindedSlot, JudgingItem
from annotation.judging.selectors.requested_ratings import surplus
from annotation.platform.core.text import sha256_hex
from annotation.study.models.participation import Participation
from annotation.study.models.responses import Response
from annotation.study.models.studies import Study
from annotation.study.selectors.prompts import latest_versions
from annotation.texts.models.provenance import Arm, Stimulus
from generation.calls.models import GenerationRun
from generation.panel.core.panel import Materials
from generation.panel.models import GivenText

AT_ONCE = 500  # rows in memory

Row = TypeVar("Row")


@dataclass(frozen=True)
class Subject:
    """What one request is about.

    `reference` is the field of `Call` and `PlannedCall` that holds `id`; `responses` are by label, one alone under
    "" (None: no response of the study).
    """

    reference: str
    id: Any
    materials: Materials
    responses: dict[str, UUID | None]

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of answers judged together; empty for one alone."""
        return tuple(label for label in self.responses if label)

    @property
    def identity(self) -> dict[str, Any]:
        """What tells the subject from every other one. A text of a file is the same in every file."""
        of = self.materials
        row = {} if self.reference == "given_id" else {self.reference: str(self.id)}
        return {
            **row,
            "question": sha256_hex(of.question),
            "answers": {label: sha256_hex(text) for label, text in of.answers.items()},
            "explanation": sha256_hex(of.explanation),
        }


def subjects(run: GenerationRun, ids: Collection[Any] | None = None) -> Iterator[Subject]:
    """Everything the run is about, or what of it has one of `ids`: a few queries for each `AT_ONCE`."""
    if run.study is None:
        yield from _given(run.materials["only"]["given"] if ids is None else ids)
    elif about_items(run):
        yield from _items(run, run.study, ids)
    else:
        yield from _responses(run.study, ids)


def about_items(run: GenerationRun) -> bool:
    """Whether each request is about all answers of an item together."""
    return run.presentation == GenerationRun.Presentation.AS_JUDGED


def judged_items(study: Study) -> QuerySet[JudgingItem]:
    """Submitted items that count, whose judge and writers all still take part in the study."""
    theirs = Stimulus.objects.filter(
        study=study, arm=Arm.HUMAN, source_code__in=_withdrawn(study).values("pseudonym")
    )
    shows_one = Exists(BlindedSlot.objects.filter(item=OuterRef("pk"), response__in=theirs.values("pk")))
    submitted = JudgingItem.objects.filter(study=study, state="submitted")
    return submitted.exclude(pk__in=surplus(study)).exclude(participation__in=_withdrawn(study)).exclude(shows_one)


def items_read(study: Study, mode: str) -> QuerySet[JudgingItem]:
    """The items a run of this mode is about; where justifications are read, those that have one."""
    items = judged_items(study)
    return items.exclude(justification="") if mode == "inferred" else items


def scored_texts(study: Study) -> QuerySet[Stimulus]:
    """The admitted texts of whoever still takes part, those for automated evaluation among them."""
    admitted = Stimulus.objects.filter(study=study, state="admitted")
    return admitted.exclude(arm=Arm.HUMAN, source_code__in=_withdrawn(study).values("pseudonym"))


def responses_shown(items: Collection[int]) -> dict[int, dict[str, UUID]]:
    """The responses by label, in the order of the labels, by item."""
    shown: dict[int, dict[str, UUID]] = defaultdict(dict)
    slots = BlindedSlot.objects.filter(item__in=items).order_by("item", "label")
    for item, label, response in slots.values_list("item_id", "label", "response_id"):
        shown[item][label] = response
    return shown


def _withdrawn(study: Study) -> QuerySet[Participation]:
    return Participation.objects.filter(study=study, consent__withdrawn_at__isnull=False)


def _given(ids: Iterable[Any]) -> Iterator[Subject]:
    for some in _in_groups(ids):
        for text in GivenText.objects.filter(pk__in=some).order_by("pk"):
            yield Subject("given_id", text.pk, Materials(text.prompt_text, {"": text.response_text}), {"": None})


def _responses(study: Study, ids: Collection[Any] | None) -> Iterator[Subject]:
    questions = dict(latest_versions(study).values_list("prompt_id", "text"))
    texts = scored_texts(study) if ids is None else scored_texts(study).filter(response__in=ids)
    rows = texts.order_by("prompt_id", "response_id").values_list("response_id", "prompt_id", "response__text")
    for response, prompt, text in rows.iterator(chunk_size=AT_ONCE):
        yield Subject("response_id", response, Materials(questions[prompt], {"": text}), {"": response})


def _items(run: GenerationRun, study: Study, ids: Collection[Any] | None) -> Iterator[Subject]:
    """The items; where scores are read out of a justification, the reader does not see the answers."""
    items = items_read(study, run.mode) if ids is None else items_read(study, run.mode).filter(pk__in=ids)
    rows = items.order_by("pk").values_list("pk", "prompt_version__text", "justification")
    for some in _in_groups(rows.iterator(chunk_size=AT_ONCE)):
        shown = responses_shown([pk for pk, _, _ in some])
        texts = _texts(shown.values()) if run.mode != "inferred" else {}
        for pk, question, justification in some:
            if run.mode == "inferred":
                materials = Materials(question, {}, justification)
            else:
                materials = Materials(question, {label: texts[response] for label, response in shown[pk].items()})
            yield Subject("item_id", pk, materials, dict(shown[pk]))


def _texts(shown: Iterable[Mapping[str, UUID]]) -> dict[UUID, str]:
    responses = {response for labelled in shown for response in labelled.values()}
    return dict(Response.objects.filter(pk__in=responses).values_list("pk", "text"))


def _in_groups(rows: Iterable[Row]) -> Iterator[list[Row]]:
    left = iter(rows)
    while group := list(islice(left, AT_ONCE)):
        yield group
