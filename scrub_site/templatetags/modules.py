"""`{% module %}` and `{% preload_module %}`: a page's scripts, and all that they import fetched along with them;
`{% inline_script %}`: one that stands in the page; `{% stylesheets %}`: those of a bundle.
"""

from collections.abc import Callable
from functools import cache

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from scrub_site.static_files import css_bundles, inline_scripts
from scrub_site.static_files.js_bundles import BUNDLED, bundled
from scrub_site.static_files.js_modules import modules_behind

Tags = Callable[[str], tuple[SafeString, ...]]

register = template.Library()


@register.simple_tag(takes_context=True)
def module(context: Context, name: str) -> SafeString:
    """The script, after links to all that it imports."""
    return _once(context, _script(name))


@register.simple_tag(takes_context=True)
def preload_module(context: Context, name: str) -> SafeString:
    """A link to a module that the page's script imports by a call, and links to all that this one imports."""
    return _once(context, _preloads(name))


@register.simple_tag
@cache
def stylesheets(name: str) -> SafeString:
    """Links to the stylesheets of a bundle of `css_bundles`, or to the file that they are together in."""
    files = (css_bundles.bundled(name),) if _has_bundles() else css_bundles.BUNDLES[name]
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', ((static(file),) for file in files))


@register.simple_tag
def inline_script(name: str) -> SafeString:
    """One of `scrub_site.static_files.inline_scripts`, which runs where it stands."""
    return mark_safe(f"<script>{inline_scripts.text(name)}</script>")  # noqa: S308 - a file of ours


def _once(context: Context, tags: tuple[SafeString, ...]) -> SafeString:
    """Modules that the page does not have yet: its scripts share modules. See scrub_site.context_processors."""
    linked: set[str] | None = context.get("linked_modules")
    linked = set() if linked is None else linked
    new = [tag for tag in tags if tag not in linked]
    linked.update(new)
    return mark_safe("\n".join(new))  # noqa: S308 - each of them is safe


def _kept(tags: Tags) -> Tags:
    """Found out once a process, and while developing for every page."""
    kept = cache(tags)
    return lambda name: tags(name) if settings.DEBUG else kept(name)


@_kept
def _script(name: str) -> tuple[SafeString, ...]:
    if _is_bundled(name):
        return (format_html('<script type="module" src="{}"></script>', static(bundled(name))),)
    script = format_html('<script type="module" src="{}"></script>', static(name))
    return (*map(_link, modules_behind(name)), script)


@_kept
def _preloads(name: str) -> tuple[SafeString, ...]:
    if _is_bundled(name):
        return (_link(bundled(name)),)
    return tuple(map(_link, (name, *modules_behind(name))))


def _is_bundled(name: str) -> bool:
    return name in BUNDLED and _has_bundles()


def _has_bundles() -> bool:
    return getattr(staticfiles_storage, "has_bundles", False)


def _link(name: str) -> SafeString:
    return format_html('<link rel="modulepreload" href="{}">', static(name))
