"""What a judge's browser transfers, and how soon the text is there: an item's page, first cold and then warm.

Chromium on this machine and a real server, with compressed files under hashed names and no delay in between.
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
# Entries that were observed before this asks come too.
SHIFT = """() => new Promise((resolve) => {
    let shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (shift += entry.value)))
        .observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(shift), 300);
})"""


@dataclass(frozen=True)
class Visit:
    """What came over the wire, and milliseconds from the request to the first text and to the end of loading."""

    kilobytes: float
    requests: int
    text: float
    loaded: float
    shift: float

    def __str__(self) -> str:
        return (
            f"{self.kilobytes:6.1f} kB in {self.requests:>2} requests   text after {self.text:4.0f} ms   "
            f"loaded after {self.loaded:4.0f} ms   layout shift {self.shift:.3f}"
        )


def main() -> None:
    from benchmarks.support import judging_study  # noqa: PLC0415 - models exist only once Django is set up

    for command in ("migrate", "createcachetable"):
        call_command(command, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    item = judging_study.prepare(judges=1, items=1, name=f"load-{os.getpid()}")[0][0]
    cold, warm = [], []
    with web_server() as address, chromium() as browser:
        for _ in range(VISITS):
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            context.add_cookies([{"name": "sessionid", "value": item.session, "url": address}])
            cold.append(visit(context, f"{address}/judging/{item.id}/"))
            warm.append(visit(context, f"{address}/judging/{item.id}/"))
            context.close()
    print(f"cold   {_median(cold)}")
    print(f"warm   {_median(warm)}")


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(**launch_options())


def visit(context: BrowserContext, url: str) -> Visit:
    """Open the page in a new window of `context`, whose cache is that of its earlier visits."""
    page = context.new_page()
    network = context.new_cdp_session(page)
    sizes: list[float] = []
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    network.send("Network.enable")
    page.goto(url, wait_until="networkidle")
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    text, loaded, shift = (page.evaluate(question) for question in (FIRST_TEXT, LOADED, SHIFT))
    page.close()
    # What comes from the cache has no size on the wire.
    return Visit(sum(sizes) / 1000, sum(size > 0 for size in sizes), text, loaded, shift)


def _median(visits: list[Visit]) -> Visit:
    return Visit(
        kilobytes=statistics.median(visit.kilobytes for visit in visits),
        requests=round(statistics.median(visit.requests for visit in visits)),
        text=statistics.median(visit.text for visit in visits),
        loaded=statistics.median(visit.loaded for visit in visits),
        shift=max(visit.shift for visit in visits),
    )


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scrub_site.settings")
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # Playwright keeps an event loop in this thread
    django.setup()
    main()
