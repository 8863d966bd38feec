"""Sources: imported whole or not at all, taken up and dropped by studies. The same thing twice changes nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Protocol

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from annotation.platform.core.errors import Refused
from annotation.platform.core.field_errors import said_of
from annotation.platform.core.text import sha256_hex
from annotation.platform.models.audit_verbs import AuditVerb
from annotation.platform.models.users import User
from annotation.platform.services import audit
from annotation.study.models.studies import Study
from annotation.study.policies.roles import check_coordinator
from annotation.study.services import studies
from generation.calls.models import Call
from generation.sources.core import concepts
from generation.sources.core.funnel import Reduction, Removed, Step, fingerprint
from generation.sources.core.shapes import ShapeName
from generation.sources.core.source_files import SourceFile
from generation.sources.core.source_kinds import KindName
from generation.sources.models import Document, Scenario, Source, StudySource
from generation.sources.policies import check_may_import_sources


class Taking(Protocol):
    """What becomes of a source's scenarios when a study draws on it, and when it does no more."""

    def take_up(self, *, study: Study, source: Source, by: User) -> None: ...

    def give_back(self, *, study: Study, source: Source) -> None:
        """Raises `Refused` where something rests on what was taken up."""


_TAKING: Final[dict[str, Taking]] = {}
_CONTENT: Final = ("kind", "shape", "content_sha256")
_NAMES: Final = ("code", "name", "licence")
_COPY: Final = "COPY generation_removeditem (source_id, step, rule, key, text) FROM STDIN"


def add_taking(shape: ShapeName, taking: Taking) -> None:
    """Register how scenarios of this shape are taken in."""
    _TAKING[shape] = taking


@dataclass(frozen=True)
class Imported:
    source: Source
    changed: bool


@transaction.atomic
def import_source(
    *,
    slug: str,
    kind: KindName,
    shape: ShapeName,
    code: str,
    name: str,
    licence: str,
    reduction: Reduction,
    files: Sequence[SourceFile] = (),
    mapping: Mapping[str, str] | None = None,
    documents: Iterable[concepts.Document] = (),
    by: User | None,
) -> Imported:
    """Store a source with its funnel, what each step removed, its scenarios, and the documents that these quote.

    The same again is left alone. Raises `Refused` where anything else is stored under the slug already, since a
    source never changes under the prompts written from it, and for a slug, code, name or licence that cannot be.
    `by` is None for whoever runs the site.
    """
    if by:
        check_may_import_sources(by)
    documents = list(documents)
    described = {
        "kind": kind,
        "shape": shape,
        "code": code,
        "name": name,
        "licence": licence,
        "files": [asdict(file) for file in files],
        "mapping": dict(mapping or {}),
        "funnel": [funnel_row(step) for step in reduction.steps],
        "content_sha256": fingerprint(reduction.scenarios),
        "imported_by": by,
    }
    _check_fields(Source(slug=slug, **described))
    source, is_new = Source.objects.get_or_create(slug=slug, defaults=described)
    if not is_new:
        _check_same(source, described, documents)
        return Imported(source, changed=False)
    Scenario.objects.bulk_create(
        Scenario(source=source, key=one.key, stratum=one.stratum, payload=dict(one.payload))
        for one in reduction.scenarios
    )
    Document.objects.bulk_create(document_row(source, document) for document in documents)
    _keep_removed(source, reduction.removed)
    audit.record(
        verb=AuditVerb.SOURCE_IMPORTED,
        by=by,
        subject=slug,
        kind=kind,
        scenarios=len(reduction.scenarios),
        sha256=source.content_sha256,
    )
    return Imported(source, changed=True)


def _check_fields(source: Source) -> None:
    try:
        source.clean_fields(exclude=["files", "mapping", "funnel", "imported_by"])
    except ValidationError as error:
        field, [message, *_] = next(iter(error.message_dict.items()))
        label = "Short name" if field == "slug" else field.capitalize()
        said = said_of(label, message)
        raise Refused(said if said != message else f"{label}: {message}", field=field) from error


def _check_same(source: Source, described: Mapping[str, Any], documents: Iterable[concepts.Document]) -> None:
    """Raises `Refused` where the source is not what is described, at the field that differs."""
    stored = set(Document.objects.filter(source=source).values_list("title", "citation", "sha256"))
    quoted = {(document.title, document.citation, sha256_hex(document.text)) for document in documents}
    if stored != quoted or any(getattr(source, part) != described[part] for part in _CONTENT):
        raise Refused(
            f"A source “{source.slug}” with other content is stored already. Import this one under another short "
            "name.",
            field="slug",
        )
    for field in _NAMES:
        if (known := getattr(source, field)) != described[field]:
            raise Refused(
                f"The source “{source.slug}” is stored already with the {field} “{known}”. Say the same, or import "
                "this one under another short name.",
                field=field,
            )


def _keep_removed(source: Source, removed: Iterable[Iterable[Removed]]) -> None:
    with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
        for step, items in enumerate(removed):
            for item in items:
                copy.write_row((source.pk, step, item.rule, item.key, item.text))


def funnel_row(step: Step) -> dict[str, Any]:
    """A step as a source's funnel has it."""
    return {
        "name": step.name,
        "kept": step.kept,
        "removed": step.removed,
        "rules": dict(step.rules),
        "admitted": dict(step.admitted),
    }


def document_row(source: Source, document: concepts.Document) -> Document:
    return Document(source=source, sha256=sha256_hex(document.text), **asdict(document))


@transaction.atomic
def use_source(*, study: Study, source: Source, by: User) -> StudySource:
    """Have prompts written from the source in this study. Idempotent.

    Raises `Refused` where another of the study's sources has its code: prompts' codes would not say from which
    they are.
    """
    check_coordinator(by, study)
    studies.lock_for_update(study)
    if present := StudySource.objects.filter(study=study, source=source).first():
        return present
    if other := Source.objects.filter(uses__study=study, code=source.code).first():
        raise Refused(
            f"“{other.name}” has the code {source.code} as well, and prompts are called by it. Import one of them "
            "again under another short name and code."
        )
    use = StudySource.objects.create(study=study, source=source, added_by=by)
    if taking := _TAKING.get(source.shape):
        taking.take_up(study=study, source=source, by=by)
    audit.record(verb=AuditVerb.SOURCE_USED, by=by, study=study, subject=source.slug, sha256=source.content_sha256)
    return use


@transaction.atomic
def drop_source(*, study: Study, source: Source, by: User) -> None:
    """Draw on the source no more. Idempotent. Raises `Refused` once a model is to write, or wrote, from it."""
    check_coordinator(by, study)
    studies.lock_for_update(study)
    uses = StudySource.objects.filter(study=study, source=source)
    if not uses.exists():
        return
    if Call.objects.filter(run__study=study, scenario__source=source).exists():
        raise Refused(
            f"A run of this study has prompts written from “{source.name}”. Where nothing was sent yet, withdraw "
            "the plan first; otherwise the source stays."
        )
    if taking := _TAKING.get(source.shape):
        taking.give_back(study=study, source=source)
    uses.delete()
    audit.record(verb=AuditVerb.SOURCE_DROPPED, by=by, study=study, subject=source.slug)
