"""Static files under names that change with their content, so that a browser keeps each for good."""

from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage as Storage

_, MODULE_IMPORTS = Storage._js_module_import_aggregation_patterns
# Folders of our own. Other people's scripts mention files in their comments that do not come with them.
OURS = sorted(path.name for path in (settings.BASE_DIR / "static").iterdir() if path.is_dir())


class HashedStorage(Storage):
    """Whitenoise's, with the modules that our modules import under their hashed names too."""

    patterns = (*Storage.patterns, *((f"{folder}/*.js", MODULE_IMPORTS) for folder in OURS))
