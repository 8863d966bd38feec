"""The process in which a file of ratings is looked at while somebody waits."""

from analysis.rating_files.core.looking import Look, Understood, look_at, understand
from analysis.rating_files.core.reading import FileKind, RatingOptions
from annotation.platform.providers.reading_child import serve


def read(content: bytes, kind: FileKind, options: RatingOptions | None) -> Look | Understood:
    """How the file is understood, or, where nobody has said anything of it, what it looks like."""
    return look_at(content, kind) if options is None else understand(content, options, kind)


if __name__ == "__main__":
    serve(read)
