// How long each answer was in view, and how far down: sizes and times, never content.
//
// Time counts while the page is visible, its window in front, no dialog over it, and the judge there: a key, a pointer
// or scrolling within the last minute. An answer is in view where it is open (in the overview, the current one) and at
// least half of its panel is seen, or the panel fills half of the window. Two answers that are compared share the time.
// How much of a text has been seen counts from two seconds in view on, so leafing through is not reading.

import { seenPartOf } from "./in-view.js";

const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "scroll"]; // of somebody being there
const PATIENCE = 60_000; // ms without such a sign
const LOOK_EVERY = 1000;
const TELL_EVERY = 15_000;
const GLANCE = 2000;

export class ReadingTime {
  #shown;
  #put;
  #onRead;
  #known; // by answer: this window's totals, and what earlier ones had seen
  #at = performance.now(); // counted up to here
  #toldAt = performance.now();
  #signAt = performance.now();
  #wasThere = false;

  /**
   * `shown()` returns the answers that time may count for, `depths` says by slot how much of each has been seen before,
   * in percent, and `onRead` is told when the end of an answer was seen.
   */
  constructor(answers, { put, shown, depths, onRead }) {
    this.#put = put;
    this.#shown = shown;
    this.#onRead = onRead;
    const known = ({ slot }) => ({ milliseconds: 0, depth: 0, depthBefore: depths[slot] ?? 0, since: 0, told: "" });
    this.#known = new Map(answers.map((answer) => [answer, known(answer)]));
    for (const sign of SIGNS) addEventListener(sign, (event) => this.#notice(event), { capture: true, passive: true });
    for (const turn of ["focus", "blur"]) addEventListener(turn, () => this.#count());
    // Before others hear of it, so that what is told still goes out with what they send.
    document.addEventListener("visibilitychange", () => this.#turn(), { capture: true });
    document.addEventListener("submit", () => this.#tell(), { capture: true });
    setInterval(() => this.#look(), LOOK_EVERY);
    this.#wasThere = this.#isInFront();
  }

  /** Whether the end of the answer has been seen, now or before. */
  hasRead(answer) {
    const { depth, depthBefore } = this.#known.get(answer);
    return Math.max(depth, depthBefore) === 100;
  }

  #look() {
    this.#count();
    if (performance.now() - this.#toldAt >= TELL_EVERY) this.#tell();
  }

  #turn() {
    this.#count();
    if (document.hidden) this.#tell();
  }

  /** A key or a click may turn the page: the time before it belongs to what is in view until then. */
  #notice({ type }) {
    const now = performance.now();
    const turns = type === "keydown" || type === "pointerdown";
    if (turns || now - this.#at > LOOK_EVERY) this.#count();
    this.#signAt = now;
  }

  #isInFront() {
    return !document.hidden && document.hasFocus() && !document.querySelector("dialog[open]");
  }

  #count() {
    const from = this.#at;
    this.#at = performance.now();
    const counted = Math.min(this.#at, this.#signAt + PATIENCE) - from;
    if (this.#wasThere && counted > 0) this.#share(counted);
    this.#wasThere = this.#isInFront();
  }

  #share(milliseconds) {
    const inView = this.#shown().filter(isInView);
    for (const [answer, known] of this.#known) {
      if (!inView.includes(answer)) known.since = 0;
      else {
        known.milliseconds += milliseconds / inView.length;
        known.since += milliseconds;
        if (known.since >= GLANCE) this.#see(answer, known);
      }
    }
  }

  #see(answer, known) {
    const before = this.hasRead(answer);
    known.depth = Math.max(known.depth, depthOf(answer));
    if (!before && this.hasRead(answer)) this.#onRead(answer);
  }

  #tell() {
    this.#toldAt = performance.now();
    for (const [{ slot }, known] of this.#known) {
      const totals = { milliseconds: Math.round(known.milliseconds), depth: known.depth };
      const told = JSON.stringify(totals);
      if (told === known.told || totals.milliseconds === 0) continue;
      known.told = told;
      this.#put(`reading:${slot}`, totals);
    }
  }
}

function isInView({ text }) {
  const { top, bottom } = seenPartOf(text);
  return bottom - top >= Math.min(text.getBoundingClientRect().height, innerHeight) / 2 && bottom > top;
}

/** How much of the text is seen or lies above what is seen, in percent. */
function depthOf({ text }) {
  const prose = text.querySelector(".prose");
  const { top, height } = prose.getBoundingClientRect();
  const end = seenPartOf(prose).bottom + 1; // a pixel, because places on the page are not whole ones
  return Math.max(0, Math.min(100, Math.floor((100 * (end - top)) / height)));
}
