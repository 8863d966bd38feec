"""The context that every page gets."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from annotation.platform.views import is_framed
from scrub_site.watching.selectors import is_mail_delayed

# How the addresses of everything that belongs to a study begin.
STUDIES = ("studies/", "writing/", "judging/", "runs/")


@dataclass(frozen=True)
class NavEntry:
    label: str
    url: str
    current: bool


def site(request: HttpRequest) -> dict[str, object]:
    return {
        "demo_mode": settings.DEMO_MODE,
        "framed": is_framed(request),
        "site_nav": _navigation(request),
        "mail_is_delayed": is_mail_delayed,  # asked by the templates that tell it, and by no others
        "linked_modules": set(),  # filled by the tags that link them
    }


def _navigation(request: HttpRequest) -> list[NavEntry]:
    """The sections open to this person. What decides is in their row already, so no page pays a query for it."""
    if not request.user.is_authenticated:
        return []
    home, administration = reverse("home"), reverse("administration")
    in_studies = request.path == home or request.path.removeprefix(home).startswith(STUDIES)
    entries = [NavEntry("Studies", home, current=in_studies)]
    if request.user.is_staff:
        entries.append(NavEntry("Administration", administration, current=request.path == administration))
    return entries
