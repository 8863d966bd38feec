"""What is kept and what is removed, as a bar."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def share_bar(kept: int, of: int, removed: int = 0) -> SafeString:
    """A bar as wide as its place for `of`: `kept` is filled, `removed` is drawn beside it as what is gone.

    The numbers stand in words next to it, so that it is hidden from screen readers. What is kept stays visible
    however little it is.
    """
    if not kept and not removed:
        return SafeString("")
    share, gone = (round(100 * number / of, 2) for number in (kept, removed))
    return format_html(
        '<svg class="share-bar" width="100%" height="12" aria-hidden="true">'
        '<rect class="share-gone" x="{}%" width="{}%" height="12" />'
        '<rect class="share-kept" width="{}%" height="12" /><rect class="share-kept" width="{}" height="12" />'
        "</svg>",
        share,
        gone,
        share,
        2 if kept else 0,
    )
