"""Both rooms in windows of every kind, by day and by night: a table of what their readers get.

    python -m benchmarks.rooms [--windows 1440×900 …] [--shots FOLDER]

Characters in a line of the question and of the essay, the essay's share of the window's height, the controls that
the Tab key reaches of those that are shown, and what axe objects to. With `--shots` a picture of each is kept.
"""

import argparse
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import django
from axe_playwright_python.sync_playwright import Axe
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from benchmarks.first_load import chromium
from benchmarks.support.room_figures import Reach, characters_a_line, reach_by_tab, share_of_height
from benchmarks.support.server import web_server

WINDOWS: Final = {
    "1440×900": (1440, 900),
    "1280×800": (1280, 800),
    "1280×800 at 150 %": (853, 533),
    "1280×800 at 200 %": (640, 400),
    "1024×768": (1024, 768),
    "820×1180": (820, 1180),
    "390×844": (390, 844),
}
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
VIEWS: Final = {"reading": "r", "overview": "o", "compare": "]"}  # by their keys
# Its first line, whatever box it scrolls in.
IN_VIEW: Final = """(prose) => {
    const { left, top } = (prose.firstElementChild ?? prose).getBoundingClientRect();
    return prose.contains(document.elementFromPoint(left + 4, top + 8));
}"""
HEAD: Final = (
    "| Room | Window | Question, essay: characters a line | Essay’s share of the height | Question in view "
    "| Reached by Tab | axe, light and dark |\n|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Look:
    """A room in a window, and the folder for its pictures."""

    room: str
    window: str
    shots: Path | None


@dataclass(frozen=True)
class Row:
    """One room in one window."""

    room: str
    window: str
    question: float
    essay: float
    share: float
    in_view: bool
    reach: Reach
    objections: list[str]

    def __str__(self) -> str:
        cells = (
            self.room,
            self.window,
            f"{self.question:.0f}, {self.essay:.0f}",
            f"{100 * self.share:.0f} %",
            "yes" if self.in_view else "no",
            str(self.reach),
            ", ".join(self.objections) or "nothing",
        )
        return f"| {' | '.join(cells)} |"


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.rooms")
    arguments.add_argument("--windows", nargs="*", default=list(WINDOWS), choices=WINDOWS, metavar="WINDOW")
    arguments.add_argument("--shots", type=Path, help="a folder for a picture of each room in each window")
    asked = arguments.parse_args()
    from benchmarks.support import room_study  # noqa: PLC0415 - models exist only once Django is set up

    for command in ("migrate", "createcachetable"):
        call_command(command, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    print(HEAD)
    with web_server() as address, chromium() as browser:
        for owned, measured in ((room_study.an_answer(), writing), (room_study.an_item(), judging)):
            session = room_study.session_of(owned)
            context = browser.new_context(base_url=address, reduced_motion="reduce")
            context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
            for window in asked.windows:
                page = context.new_page()
                width, height = WINDOWS[window]
                page.set_viewport_size({"width": width, "height": height})
                for row in measured(page, owned.pk, window, asked.shots):
                    print(row, flush=True)
                page.close()


def writing(page: Page, number: int, window: str, shots: Path | None) -> Iterator[Row]:
    """The writing room, with an essay that is longer than the window."""
    page.goto(reverse("writing_room", args=[number]))
    expect(page.locator("#status")).to_have_text(re.compile("Saved|Nothing to save yet"))
    question, essay = page.locator(".desk-prompt .prose"), page.locator("#answer")
    essay.press("ControlOrMeta+End")
    yield _row(page, question, essay, Look("writing", window, shots))


def judging(page: Page, number: int, window: str, shots: Path | None) -> Iterator[Row]:
    """The judging room, in each view that there is in this window."""
    page.goto(reverse("judging_item", args=[number]))
    expect(page.locator("[data-save-state]")).not_to_have_attribute("data-save-state", "")
    question, essay = page.locator(".question .prose"), page.locator(".answer.is-open")
    if not page.get_by_role("group", name="View").is_visible():
        yield _row(page, question, essay, Look("judging", window, shots))
        return
    for view, key in VIEWS.items():
        page.keyboard.press(key)
        expect(page.locator("[data-judging]")).to_have_attribute("data-view", view)
        yield _row(page, question, essay, Look(f"judging, {view}", window, shots))


def _row(page: Page, question: Locator, essay: Locator, look: Look) -> Row:
    objections: set[str] = set()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        objections |= {found["id"] for found in Axe().run(page).response["violations"]}
        if look.shots:
            look.shots.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=look.shots / f"{look.room}, {look.window}, {scheme}.png".replace(" ", ""))
    prose = essay.locator(".prose") if essay.locator(".prose").count() else essay
    in_view = question.evaluate(IN_VIEW)
    lines = characters_a_line(question), characters_a_line(prose)
    reach = reach_by_tab(page)
    for control in reach.unreached:
        print(f"{look.room}, {look.window}: the Tab key never comes to {control}", file=sys.stderr)
    return Row(look.room, look.window, *lines, share_of_height(essay), in_view, reach, sorted(objections))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright keeps an event loop in this thread
    django.setup()
    main()
