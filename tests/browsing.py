"""What tests of any page do in a browser."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FloatRect, Locator, Page, Route

from annotation.platform.models.users import User

WIDE, TABLET, LYING_TABLET, PHONE = (1440, 900), (820, 1180), (1180, 820), (390, 844)
SIZES = (WIDE, TABLET, PHONE)


SignIn = Callable[[Page, User], None]


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def tab_to(page: Page, target: Locator) -> None:
    for _ in range(80):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError("The tab key never got there.")


def check_accessible(page: Page) -> None:
    """Nothing that axe objects to, and nothing wider than the window."""
    violations = Axe().run(page).response["violations"]
    assert not violations, [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations]
    assert fits(page)


def check_every_look(page: Page) -> None:
    """As `check_accessible`, by night; and nothing is wider than a tablet's or a phone's window either.

    Axe takes seconds: it looks at one size only, and by day where other tests ask for it.
    """
    page.emulate_media(color_scheme="dark")
    for size in reversed(SIZES):
        resize(page, size)
        assert fits(page)
    check_accessible(page)


def box(element: Locator) -> FloatRect:
    found = element.bounding_box()
    assert found is not None
    return found


def fits(page: Page) -> bool:
    return bool(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))


@contextmanager
def without_scripts(page: Page) -> Iterator[None]:
    """Pages come as browsers without scripts show them, but for axe, which never answers where scripts are off."""
    page.route("**/*", _without_scripts)
    yield
    page.unroute("**/*", _without_scripts)


def _without_scripts(route: Route) -> None:
    kind = route.request.resource_type
    if kind not in ("document", "stylesheet"):
        route.continue_()
        return
    answer = route.fetch()
    if kind == "document":
        body = re.sub(
            r"<script\b.*?</script>|<link rel=\"modulepreload\"[^>]*>|</?noscript>", "", answer.text(), flags=re.S
        )
    else:
        swapped = {"none": "enabled", "enabled": "none"}
        body = re.sub(r"(?<=scripting: )(none|enabled)", lambda found: swapped[found[1]], answer.text())
    # Kept by nobody: the next page has its scripts again.
    route.fulfill(body=body, headers={"content-type": answer.headers["content-type"], "cache-control": "no-store"})
