"""What our own JavaScript modules import, read from the files themselves.

A browser learns of an import only once it has fetched the file that names it: left alone it fetches a room's
modules in five rounds, one after the other. A page that names them all gets them in one.
"""

import posixpath
import re
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders

# `import … from "./a.js"`, `import "./a.js"` and `export … from "./a.js"`. What is imported by a call is not among
# them: a page needs it only where the call is made.
IMPORT = re.compile(
    r"""^(?:import|export)\b(?:[^"';]{0,1000}?\bfrom)?\s{0,9}["'](\.{1,2}/[^"']+)["']""", re.MULTILINE
)


def modules_behind(entry: str) -> tuple[str, ...]:
    """The names of all that the module imports, and what those import: each once, the nearest first.

    Raises FileNotFoundError where one of them is no file.
    """
    found = [entry]
    for name in found:  # which grows meanwhile
        found += [imported for imported in imports_of(name) if imported not in found]
    return tuple(found[1:])


def imports_of(name: str) -> tuple[str, ...]:
    """The names of the modules that one imports by itself."""
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(f"There is no static file {name}.")
    return _read(name, path, Path(path).stat().st_mtime_ns)


@cache
def _read(name: str, path: str, _changed_at: int) -> tuple[str, ...]:
    """Read anew once the file has changed, as it does while somebody works on it."""
    written = IMPORT.findall(Path(path).read_text(encoding="utf-8"))
    names = (posixpath.normpath(posixpath.join(posixpath.dirname(name), address)) for address in written)
    return tuple(dict.fromkeys(names))
