"""Importing sources: all of it or nothing, and the same thing twice changes nothing."""

import hashlib
from dataclasses import dataclass

from django.db import transaction

from annotation.core.errors import Refused
from annotation.core.sealing import canonical_json
from annotation.models.people import User
from annotation.services import audit
from generation.core.bbq import Reduction
from generation.models.sources import Scenario, Source


@dataclass(frozen=True)
class Imported:
    source: Source
    changed: bool


@transaction.atomic
def import_reduction(
    *, slug: str, name: str, licence: str, reduction: Reduction, by: User | None = None
) -> Imported:
    """Store a source with its funnel and scenarios.

    A source whose scenarios are the same as those stored is left alone. Raises `Refused` where other scenarios
    are stored under the slug already: a source never changes under the prompts written from it.
    """
    rows = [{"key": s.key, "stratum": s.category, "payload": dict(s.payload)} for s in reduction.scenarios]
    content = hashlib.sha256(canonical_json(rows)).hexdigest()
    if existing := Source.objects.filter(slug=slug).first():
        if existing.content_sha256 != content:
            raise Refused(
                f"A source “{slug}” with other scenarios is stored already. Import under another name with --slug."
            )
        return Imported(existing, changed=False)
    source = Source.objects.create(
        slug=slug,
        name=name,
        licence=licence,
        funnel=[{"name": step.name, "kept": step.kept, "removed": step.removed} for step in reduction.steps],
        content_sha256=content,
        imported_by=by,
    )
    Scenario.objects.bulk_create(Scenario(source=source, **row) for row in rows)
    audit.record(verb="source.imported", by=by, subject=slug, scenarios=len(rows), sha256=content)
    return Imported(source, changed=True)
