"""Sources as coordinators find them: what was read, what each step removed, and who draws on them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from django.db.models import Count, Exists, Expression, OuterRef, QuerySet, TextField, Value
from django.db.models.functions import Cast, Collate, Concat, Lower
from django.db.models.lookups import Contains

from annotation.study.models.studies import Study
from generation.calls.models import Call
from generation.sources.core.shapes import ScenarioShape, ShapeName, scenario_texts
from generation.sources.core.table_sources import FIELDS
from generation.sources.models import Document, RemovedItem, Scenario, Source, StudySource


@dataclass(frozen=True)
class StepLine:
    """A step of a reduction: how many items it kept and removed. `of` is the number of items read.

    `rules` has the removed ones by rule; `admitted`, where groups let items in, the kept ones by group, each of
    which may let in what another does. Both are names with counts, the greatest first.
    """

    number: int
    name: str
    kept: int
    removed: int
    of: int
    rules: tuple[tuple[str, int], ...]
    admitted: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class SourceLine:
    """A source in a list. `is_asked_about`: a run of the study has prompts written from it, so that it stays."""

    slug: str
    code: str
    name: str
    kind: str
    items: int
    scenarios: int
    is_asked_about: bool


@dataclass(frozen=True)
class ScenarioLine:
    """`example` is the `example_id` of the item that it is, where that was published with one; `texts` are by the
    labels of the fields that hold something.
    """

    key: str
    stratum: str
    example: str
    texts: Mapping[str, str]


@dataclass(frozen=True)
class SourcePage:
    """Everything about a source but its removed items. `files` are names with their SHA-256.

    `mapping` is label of a field → column, of a table. `is_used`: the study of the page draws on it.
    """

    line: SourceLine
    shape: str
    licence: str
    imported_at: datetime
    imported_by: str
    files: tuple[tuple[str, str], ...]
    mapping: Mapping[str, str]
    content_sha256: str
    steps: tuple[StepLine, ...]
    strata: tuple[tuple[str, int], ...]
    is_used: bool


def steps_of(source: Source) -> tuple[StepLine, ...]:
    """The source's funnel."""
    return tuple(
        StepLine(
            number=number,
            name=step["name"],
            kept=step["kept"],
            removed=step["removed"],
            of=source.funnel[0]["kept"],
            rules=_greatest_first(step["rules"]),
            admitted=_greatest_first(step.get("admitted", {})),
        )
        for number, step in enumerate(source.funnel)
    )


def _greatest_first(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))


def sources_of(study: Study) -> list[SourceLine]:
    """The sources that the study draws on, in the order in which they were added."""
    uses = StudySource.objects.filter(study=study).order_by("pk").values_list("source", flat=True)
    found = {source.pk: source for source in _counted(study).filter(pk__in=uses)}
    return [_line(found[pk]) for pk in uses]


def other_sources(study: Study) -> list[SourceLine]:
    """Sources of the site that the study does not draw on."""
    return [_line(source) for source in _counted(study).exclude(uses__study=study)]


def source_page(source: Source, study: Study) -> SourcePage:
    strata = Scenario.objects.filter(source=source).order_by("stratum").values_list("stratum").annotate(Count("pk"))
    return SourcePage(
        line=_line(_counted(study).get(pk=source.pk)),
        shape=source.get_shape_display(),
        licence=source.licence,
        imported_at=source.imported_at,
        imported_by=source.imported_by.name if source.imported_by else "",
        files=tuple((file["name"], file["sha256"]) for file in source.files),
        mapping=_columns(source),
        content_sha256=source.content_sha256,
        steps=steps_of(source),
        strata=tuple(strata),
        is_used=StudySource.objects.filter(study=study, source=source).exists(),
    )


def _columns(source: Source) -> dict[str, str]:
    fields = FIELDS[cast(ShapeName, source.shape)]
    return {field.label: source.mapping[field.name] for field in fields if field.name in source.mapping}


def removed_ids(source: Source, step: int, *, rule: str = "", words: str = "") -> list[int]:
    """Items that a step removed, in the files' order; by one of its rules and with these words, in the rule or the
    text, where given.

    To look through texts takes longer than anything else on a page of them, so it is done once for a page: ids
    can be counted and taken in parts.
    """
    found = RemovedItem.objects.filter(source=source, step=step)
    if rule:
        found = found.filter(rule=rule)
    if words:
        found = found.filter(_says(words, Concat("rule", Value(" "), "text", output_field=TextField())))
    return list(found.order_by("pk").values_list("pk", flat=True))


def _says(words: str, text: Expression | str) -> Contains:
    """Whether the key and `text` have the words, in whatever case.

    The collation knows the same letters as the database's own, in half the time.
    """
    written = Concat("key", Value(" "), text, output_field=TextField())
    return Contains(Lower(Collate(written, "pg_c_utf8")), words.lower())


def removed_items(ids: Sequence[int]) -> list[RemovedItem]:
    return list(RemovedItem.objects.filter(pk__in=ids).order_by("pk"))


def scenarios_of(source: Source, *, stratum: str = "", words: str = "") -> QuerySet[Scenario]:
    """The source's scenarios by stratum, as the file had them; of one stratum and with these words, where given."""
    found = Scenario.objects.filter(source=source)
    if stratum:
        found = found.filter(stratum=stratum)
    if words:
        found = found.filter(_says(words, Cast("payload", TextField())))
    return found.order_by("stratum", "pk")


def scenario_line(scenario: Scenario, shape: ScenarioShape) -> ScenarioLine:
    texts = scenario_texts(shape, scenario.payload)
    return ScenarioLine(
        key=scenario.key,
        stratum=scenario.stratum,
        example=str(scenario.payload.get("example_id", "")),
        texts={shape.fields[name]: text for name, text in texts.items()},
    )


def concepts_of(source: Source) -> QuerySet[Scenario]:
    """The source's concepts by theme."""
    return Scenario.objects.filter(source=source).order_by("payload__theme", "key")


def documents_of(source: Source) -> QuerySet[Document]:
    return Document.objects.filter(source=source).order_by("pk")


def is_asked_about(document: Document) -> bool:
    """Whether a run has concepts proposed from the document. A plan that is withdrawn has not."""
    subject = Document.objects.filter(pk=document.pk).values("subject")
    return Call.objects.filter(subject__in=subject).exists()


def asked_about(source: Source) -> set[str]:
    """Titles of the documents from which a run has concepts proposed."""
    asked = Exists(Call.objects.filter(subject=OuterRef("subject")))
    return set(Document.objects.filter(asked, source=source).values_list("title", flat=True))


def quoted_titles(source: Source) -> set[str]:
    """Titles of the documents that concepts of the source quote."""
    payloads = Scenario.objects.filter(source=source).values_list("payload", flat=True)
    return {quote["document"] for payload in payloads for quote in payload["quotes"]}


def _counted(study: Study) -> QuerySet[Source]:
    asked = Exists(Call.objects.filter(scenario__source=OuterRef("pk"), run__study=study))
    return Source.objects.annotate(scenario_count=Count("scenarios"), is_asked_about=asked).order_by("name", "pk")


def _line(source: Any) -> SourceLine:
    return SourceLine(
        slug=source.slug,
        code=source.code,
        name=source.name,
        kind=source.get_kind_display(),
        items=source.funnel[0]["kept"],
        scenarios=source.scenario_count,
        is_asked_about=source.is_asked_about,
    )
