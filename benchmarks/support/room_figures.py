"""What a page of the rooms gives its reader, in a browser: lines, heights, what the Tab key reaches."""

from dataclasses import dataclass

from playwright.sync_api import Locator, Page

LINES = """(prose) => {
    // A box for typing has no words that could be measured: its lines are those of a copy of its width.
    let measured = prose;
    if (prose.matches("textarea")) {
        const look = getComputedStyle(prose);
        measured = document.createElement("div");
        for (const name of ["font", "letterSpacing", "padding", "boxSizing", "wordBreak", "overflowWrap"])
            measured.style[name] = look[name];
        measured.style.inlineSize = `${prose.offsetWidth}px`;
        measured.style.whiteSpace = "pre-wrap";
        measured.textContent = prose.value;
        document.body.append(measured);
    }
    const range = document.createRange();
    const texts = document.createTreeWalker(measured, NodeFilter.SHOW_TEXT);
    const lengths = [];
    while (texts.nextNode()) {
        const { data } = texts.currentNode;
        for (const { 0: words, index } of data.matchAll(/[^\\n]*\\S[^\\n]*/g)) {
            const bottoms = [...words].map((_, at) => {
                range.setStart(texts.currentNode, index + at);
                range.setEnd(texts.currentNode, index + at + 1);
                return Math.round(range.getBoundingClientRect().bottom);
            });
            const lines = Object.values(Object.groupBy(bottoms, (bottom) => bottom));
            lengths.push(...lines.map((line) => line.length).slice(0, -1));
        }
    }
    if (measured !== prose) measured.remove();
    return lengths.length ? lengths.reduce((sum, length) => sum + length, 0) / lengths.length : 0;
}"""
SHARE = """(part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
}"""
# The buttons of one question are reached by one key, and left by arrows.
LISTEN = """() => {
    window.oneOf = (each) => (each.type === "radio" ? `${each.form?.id}/${each.name}` : each);
    window.reached = new Set();
    document.addEventListener("focusin", ({ target }) => window.reached.add(window.oneOf(target)));
    document.activeElement.blur();
}"""
# All that can be used and is shown once the key has gone round: on its way it may open one part instead of another.
CONTROLS = """() => {
    const usable = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    const shown = [...document.querySelectorAll(usable)].filter((each) =>
        !each.disabled && each.type !== "hidden" && !each.closest("[inert]")
        && each.checkVisibility({ visibilityProperty: true }));
    const controls = new Map(shown.map((each) => [window.oneOf(each), each]));
    const unreached = [...controls].filter(([one]) => !window.reached.has(one)).map(([, each]) => each.outerHTML);
    return [controls.size, unreached];
}"""
STOPS = 70  # more than any room has, with the boxes that scroll


@dataclass(frozen=True)
class Reach:
    """How many controls are shown, and the beginnings of those that the Tab key does not come to."""

    shown: int
    unreached: list[str]

    def __str__(self) -> str:
        return f"{self.shown - len(self.unreached)} of {self.shown}"


def characters_a_line(prose: Locator) -> float:
    """The mean length of the lines that are full, in characters with spaces; 0 where none is."""
    return float(prose.evaluate(LINES))


def share_of_height(part: Locator) -> float:
    """Of the window's height, from 0 to 1: as much of it as is in the window."""
    return float(part.evaluate(SHARE))


def reach_by_tab(page: Page) -> Reach:
    """Go round the page with the Tab key, from its beginning."""
    page.evaluate(LISTEN)
    for _ in range(STOPS):
        page.keyboard.press("Tab")
    shown, unreached = page.evaluate(CONTROLS)
    return Reach(shown, [control[:120] for control in unreached])
