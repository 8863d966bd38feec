"""Sources of concepts that are written down one by one."""

from annotation.study.models.studies import Study
from generation.sources.core.source_files import read_source
from generation.sources.models import Document, Source
from generation.sources.services.sources import import_source, use_source
from tests.factories import coordinator_of

CHARTER = "Everybody may speak. Whoever decides for others says why – and listens first."


def a_concept_source(study: Study) -> Source:
    """The source `ours`, which the study draws on: it has a document, “Charter”, and no concept yet."""
    by = coordinator_of(study)
    source = import_source(
        slug="ours",
        kind="concepts",
        shape="concept",
        code="OUR",
        name="Ours",
        licence="",
        reduction=read_source("concepts", []).reduction,
        by=by,
    ).source
    use_source(study=study, source=source, by=by)
    Document.objects.create(
        source=source, title="Charter", citation="The Charter, 2024", text=CHARTER, sha256="0" * 64
    )
    return source
