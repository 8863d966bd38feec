"""Words run as their script does: on every page that shows what somebody wrote."""

import re

from tests.folders import PROJECT

TEMPLATES = sorted(PROJECT.joinpath("templates").rglob("*.html"))
# A tag that holds people's words: by its class, by its kind, or because of the filter of what is in it.
OF_WORDS = (
    r"""<\w+(?=[^<>]*class="[^"]*\bprose-plain\b)[^<>]*>""",
    r"<(?:textarea|blockquote)\b[^<>]*>",
    r"<\w+[^<>]*>(?=\s*\{\{[^{}]*\|linebreaks\s*\}\})",
)


def test_whatever_somebody_wrote_runs_in_its_own_direction() -> None:
    for template in TEMPLATES:
        page = template.read_text()
        for tag in (tag for pattern in OF_WORDS for tag in re.findall(pattern, page)):
            assert 'dir="auto"' in tag, f"{template.name}: {tag}"
