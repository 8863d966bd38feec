// Two texts that are compared scroll together where the judge wants it: each by the same share of its length, so that
// they stay beside each other as the judge has put them.

import { recall, remember } from "../../platform/memory.js";

const KEY = "judging-scrolls-together";

export class ScrollTogether {
  #box;
  #shown;
  #tops = new Map(); // by answer: how far it was scrolled when it was last looked at

  /** `box` is the switch; `shown()` returns the answers in view, two of them where they are compared. */
  constructor(answers, box, shown) {
    this.#box = box;
    this.#shown = shown;
    box.checked = recall(KEY) === true;
    box.addEventListener("change", () => remember(KEY, box.checked));
    for (const answer of answers) {
      answer.text.addEventListener("scroll", () => this.#scrolled(answer), { passive: true });
    }
  }

  /** `answers` were laid out anew, or scrolled to their places: that takes nothing along. */
  look(answers) {
    for (const answer of answers) this.#tops.set(answer, answer.text.scrollTop);
  }

  turn() {
    this.#box.click();
    return this.#box.checked;
  }

  #scrolled(answer) {
    const shown = this.#shown();
    const before = this.#tops.get(answer);
    const { scrollTop } = answer.text;
    this.#tops.set(answer, scrollTop);
    if (!this.#box.checked || shown.length < 2 || !shown.includes(answer) || before === undefined) return;
    const other = shown.find((candidate) => candidate !== answer);
    const share = (scrollTop - before) / wayOf(answer);
    if (!Number.isFinite(share) || share === 0) return;
    other.text.scrollTop += share * wayOf(other);
    this.#tops.set(other, other.text.scrollTop); // its own event finds nothing new
  }
}

/** How far a text can be scrolled, in px. */
function wayOf({ text }) {
  return text.scrollHeight - text.clientHeight;
}
