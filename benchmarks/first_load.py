"""What a judge's browser transfers, and how soon the text is there: an item's page, first cold and then warm.

Chromium on this machine and a real server, with compressed files under hashed names and no delay in between. A new
window first starts a process of its own. What that takes is seen from a page of few words; it is left out where the
item is opened in a window that showed another page of the site, as judges do.
"""

import os
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import django
from django.core.management import call_command
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from benchmarks.support.server import web_server
from tests.chromium import launch_options

VISITS = 5
FIRST_TEXT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
USABLE = "performance.getEntriesByName('usable')[0]?.startTime ?? 0"  # once the room's script has run
FEW_WORDS = "/health/ready/"
# Entries that were observed before this asks come too.
SHIFT = """() => new Promise((resolve) => {
    let shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (shift += entry.value)))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(shift), 300);
})"""


@dataclass(frozen=True)
class Visit:
    """What came over the wire, and milliseconds to the first text, to the end of loading, and until keys work."""

    kilobytes: float
    requests: int
    text: float
    loaded: float
    usable: float
    shift: float

    def __str__(self) -> str:
        return (
            f"{self.kilobytes:6.1f} kB in {self.requests:>2} requests   text after {self.text:4.0f} ms   "
            f"loaded after {self.loaded:4.0f} ms   usable after {self.usable:4.0f} ms   "
            f"layout shift {self.shift:.3f}"
        )


def main() -> None:
    from benchmarks.support import judging_study  # noqa: PLC0415 - models exist only once Django is set up

    for command in ("migrate", "createcachetable"):
        call_command(command, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    item = judging_study.prepare(judges=1, items=1, name=f"load-{os.getpid()}")[0][0]
    visits: dict[str, list[Visit]] = {"few words": [], "cold": [], "cold, in an open window": [], "warm": []}
    with web_server() as address, chromium() as browser:
        few, room = f"{address}{FEW_WORDS}", f"{address}/judging/{item.id}/"
        for _ in range(VISITS):
            for name, before in (("cold", ""), ("cold, in an open window", few)):
                context = browser.new_context(viewport={"width": 1440, "height": 900})
                context.add_cookies([{"name": "sessionid", "value": item.session, "url": address}])
                visits[name].append(visit(context, room, before=before))
                if before:
                    visits["few words"].append(visit(context, few))
                    visits["warm"].append(visit(context, room))
                context.close()
    for name, those in visits.items():
        print(f"{name:<24} {_median(those)}")


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(**launch_options())


def visit(context: BrowserContext, url: str, *, before: str = "") -> Visit:
    """Open the page, and `before` it another one, in a new window of `context`, with the cache of its visits."""
    page = context.new_page()
    if before:
        page.goto(before)
    network = context.new_cdp_session(page)
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    network.send("Network.enable")
    page.goto(url, wait_until="networkidle")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    text, loaded, usable, shift = (page.evaluate(question) for question in (FIRST_TEXT, LOADED, USABLE, SHIFT))
    page.close()
    # What comes from the cache has no size on the wire.
    return Visit(sum(sizes) / 1000, sum(size > 0 for size in sizes), text, loaded, usable, shift)


def _median(visits: list[Visit]) -> Visit:
    return Visit(
        kilobytes=statistics.median(visit.kilobytes for visit in visits),
        requests=round(statistics.median(visit.requests for visit in visits)),
        text=statistics.median(visit.text for visit in visits),
        loaded=statistics.median(visit.loaded for visit in visits),
        usable=statistics.median(visit.usable for visit in visits),
        shift=max(visit.shift for visit in visits),
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright keeps an event loop in this thread
    django.setup()
    main()
