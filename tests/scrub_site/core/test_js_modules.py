"""What our modules import, and what a page links of it."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template import Context, Template
from django.test import override_settings

from scrub_site.static_files.js_modules import imports_of, modules_behind
from tests.folders import PROJECT

STATIC = PROJECT / "static"
SCRIPTS = {path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js")}


class TestImports:
    @pytest.fixture
    def static(self, tmp_path: Path) -> Iterator[Path]:
        """A folder of static files of its own."""
        for name in ("room/parts", "platform"):
            (tmp_path / name).mkdir(parents=True)
        with override_settings(STATICFILES_DIRS=[tmp_path]):
            yield tmp_path

    def test_imports_are_found_however_they_are_written_and_beside_whom_they_stand(self, static: Path) -> None:
        (static / "room/room.js").write_text(
            '// import { no } from "./comment.js";\n'
            'import "./bare.js";\n'
            'import { a } from "./parts/one.js";\n'
            "import {\n  b,\n  c,\n} from '../platform/two.js';\n"
            'import three, * as all from "./three.js";\n'
            'export { four } from "./four.js";\n'
            'export class Room {\n  text = "from";\n}\n'
            'export const later = () => import("./called.js");\n'
            'await import("./called.js");\n'
        )
        assert imports_of("room/room.js") == (
            "room/bare.js",
            "room/parts/one.js",
            "platform/two.js",
            "room/three.js",
            "room/four.js",
        )

    def test_imports_are_followed_to_their_ends_each_once_and_nearest_first(self, static: Path) -> None:
        (static / "room/room.js").write_text('import "./a.js";\nimport "./b.js";\n')
        (static / "room/a.js").write_text('import "./c.js";\nimport "./room.js";\n')
        (static / "room/b.js").write_text('import "./c.js";\n')
        (static / "room/c.js").write_text('import "./a.js";\n')
        assert modules_behind("room/room.js") == ("room/a.js", "room/b.js", "room/c.js")

    def test_imports_of_a_file_that_changed_are_read_anew(self, static: Path) -> None:
        file = static / "room/changing.js"
        file.write_text('import "./a.js";\n')
        assert imports_of("room/changing.js") == ("room/a.js",)
        file.write_text('import "./b.js";\n')
        os.utime(file, ns=(0, file.stat().st_mtime_ns + 1))
        assert imports_of("room/changing.js") == ("room/b.js",)

    def test_imports_that_are_no_file_are_named(self, static: Path) -> None:
        (static / "room/room.js").write_text('import "./gone.js";\n')
        with pytest.raises(FileNotFoundError, match=r"room/gone\.js"):
            modules_behind("room/room.js")

    def test_imports_of_our_modules_are_all_found(self) -> None:
        written = {
            name: re.findall(r"""^.*(?:from|import) "(\..+)";$""", text, re.M) for name, text in SCRIPTS.items()
        }
        assert sum(map(len, written.values())) > 50
        assert {name: len(imports_of(name)) for name in SCRIPTS} == {name: len(of) for name, of in written.items()}


def rendered(text: str, **context: object) -> str:
    return Template("{% load modules %}" + text).render(Context(context))


def addresses(page: str) -> list[str]:
    return re.findall(r'(?:href|src)="/static/([^"]+)"', page)


class TestTags:
    def test_tags_link_all_that_a_script_imports_and_then_the_script(self) -> None:
        page = rendered('{% module "platform/sign-out.js" %}')
        assert addresses(page) == [*modules_behind("platform/sign-out.js"), "platform/sign-out.js"]
        assert page.count('<link rel="modulepreload" href="') == len(modules_behind("platform/sign-out.js")) > 0
        assert page.endswith('<script type="module" src="/static/platform/sign-out.js"></script>')

    def test_tags_link_what_a_script_will_call_for_with_all_that_it_imports(self) -> None:
        page = rendered('{% preload_module "judging/judging-scores.js" %}')
        assert addresses(page) == ["judging/judging-scores.js", *modules_behind("judging/judging-scores.js")]
        assert "<script" not in page

    def test_tags_link_once_what_two_scripts_of_a_page_share(self) -> None:
        both = (
            '{% module "platform/sign-out.js" %}{% if True %}{% module "judging/judging-receipt.js" %}{% endif %}'
        )
        named = addresses(rendered(both, linked_modules=set()))
        assert len(named) == len(set(named))
        assert {"platform/memory.js", "platform/sign-out.js", "judging/judging-receipt.js"} <= set(named)
