"""Names of files, which may be longer than a line."""

import re

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()

_PARTS = re.compile(r"[^/_.-]*[/_.-]?")


@register.filter
def file_name(name: str) -> SafeString:
    """The name, which a browser may break behind its separators and, where that is enough, nowhere else."""
    return format_html_join("", "{}<wbr>", ((part,) for part in _PARTS.findall(name) if part))
