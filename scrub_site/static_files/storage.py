"""Static files under names that change with their content, so that a browser keeps each for good."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage as Storage

from scrub_site.static_files import css_bundles
from scrub_site.static_files.css_bundles import BUNDLES
from scrub_site.static_files.js_bundles import BUNDLED, bundle, bundled

_, MODULE_IMPORTS = Storage._js_module_import_aggregation_patterns
# Folders of our own. Other people's scripts mention files in their comments that do not come with them.
OURS = sorted(path.name for path in (settings.BASE_DIR / "static").iterdir() if path.is_dir())


class HashedStorage(Storage):  # type: ignore[misc]
    """Whitenoise's, with the modules that our modules import under their hashed names too, and our bundles."""

    patterns = (*Storage.patterns, *((f"{folder}/*.js", MODULE_IMPORTS) for folder in OURS))
    has_bundles = True

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Write the bundles beside what was collected, and give all of it its hashed names."""
        if not dry_run and set(BUNDLED) <= paths.keys():
            bundles = {bundled(name): bundle(name, self._text) for name in BUNDLED}
            bundles |= {css_bundles.bundled(name): css_bundles.bundle(name, self._text) for name in BUNDLES}
            for name, text in bundles.items():
                self.delete(name)
                self._save(name, ContentFile(text.encode()))
                paths[name] = (self, name)
        yield from super().post_process(paths, dry_run, **options)

    def _text(self, name: str) -> str:
        with self.open(name) as file:
            text: str = file.read().decode()
            return text
