"""Modules are put together in the order of their imports, each once; and so are stylesheets in theirs."""

import re

import pytest

from scrub_site.static_files import css_bundles
from scrub_site.static_files.js_bundles import BUNDLED, bundle
from tests.folders import PROJECT

ROOM = {
    "room/room.js": '// R.\nimport { a, b as c } from "./a.js";\nimport "../shared/b.js";\nconst d = a + c;\n',
    "room/a.js": 'import { b } from "../shared/b.js";\nexport { b };\n',
    "shared/b.js": "/** One. */\nexport const b = 1;\n",
}


def test_each_module_is_called_once_before_those_that_import_it() -> None:
    files = ROOM | {
        "room/a.js": 'import { b as one } from "../shared/b.js";\nexport const a = one;\nexport const b = 2;\n'
    }
    assert bundle("room/room.js", files.__getitem__) == (
        "const module0 = (() => {\nconst b = 1;\nreturn { b };\n})();\n\n"
        "const module1 = (() => {\nconst { b: one } = module0;\nconst a = one;\nconst b = 2;\n"
        "return { a, b };\n})();\n\n"
        "const { a, b: c } = module1;\nconst d = a + c;\n"
    )


def test_modules_in_another_style_and_circular_imports_are_refused() -> None:
    with pytest.raises(ValueError, match="what is this"):
        bundle("room/room.js", ROOM.__getitem__)
    files = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\nexport const b = a;\n'}
    with pytest.raises(ValueError, match="imports itself"):
        bundle("a.js", files.__getitem__)


@pytest.mark.parametrize("entry", BUNDLED)
def test_what_the_site_bundles_can_be_bundled(entry: str) -> None:
    def read(name: str) -> str:
        return (PROJECT / "static" / name).read_text(encoding="utf-8")

    assert "import {" not in bundle(entry, read)


@pytest.mark.parametrize("name", css_bundles.BUNDLES)
def test_stylesheets_that_are_put_together_refer_to_no_file_by_its_place(name: str) -> None:
    styles = css_bundles.bundle(name, lambda file: (PROJECT / "static" / file).read_text(encoding="utf-8"))
    assert re.search(r"url\(|@import", styles) is None
