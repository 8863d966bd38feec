"""All aspects of an inventory, in the order they are recorded: those that need no data come first."""

from typing import Final

from scripts.inventory import collected, imports, pages, registry, release, schema, static_files, texts, work
from scripts.inventory.folders import Aspect

ASPECTS: Final = (
    Aspect("urls", registry.record_urls),
    Aspect("models", registry.record_models),
    Aspect("schema", schema.record, needs="database"),
    Aspect("imports", imports.record, imports.compare),
    Aspect("work", work.record, work.compare),
    Aspect("static", static_files.record, static_files.compare),
    Aspect("texts", texts.record, texts.compare),
    Aspect("tests", collected.record, collected.compare),
    Aspect("pages", pages.record, pages.compare, needs="data"),
    Aspect("release", release.record, needs="data"),
)
