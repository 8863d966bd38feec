"""Static files under names that change with their content, so that a browser keeps each for good."""

from whitenoise.storage import CompressedManifestStaticFilesStorage as Storage


class HashedStorage(Storage):
    """Whitenoise's, with the modules that our modules import under their hashed names too."""

    support_js_module_import_aggregation = True
    # Other people's scripts mention files in their comments that do not come with them.
    _js_module_import_aggregation_patterns = ("js/*.js", Storage._js_module_import_aggregation_patterns[1])
