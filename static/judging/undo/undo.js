// Undo and redo of scores and places: two buttons and their keys, and what they changed, said and shown. The steps
// outlast the page in its tab.

import { nameOf, phrase } from "../judgment-fields.js";
import { keyOf } from "../../platform/keys.js";
import { Steps } from "./steps.js";

const SHOWN_MS = 6000;
const ELSEWHERE = "was changed elsewhere since, and stays";

export class Undo {
  #form;
  #key;
  #steps;
  #announce;
  #show;
  #timer;

  /**
   * `value` and `put` as for `Steps`; `show(field, value)` brings the page up to date and what is changed into view,
   * `announce(text)` tells it.
   */
  constructor(form, { value, put, show, announce }) {
    this.#form = form;
    this.#show = show;
    this.#announce = announce;
    this.#key = `judging-undo-${form.dataset.item}`;
    this.#steps = new Steps({ value, put, changed: () => this.#changed(), kept: kept(this.#key) });
    this.#allow();
    this.#part("undo").addEventListener("click", () => this.#turn("undo"));
    this.#part("redo").addEventListener("click", () => this.#turn("redo"));
  }

  /** Give a value so that it can be taken back. */
  give(field, value) {
    this.#steps.give(field, value);
  }

  /** Answer a key pressed with Ctrl or Cmd; returns whether it meant anything here. */
  press(event) {
    const { shiftKey, altKey } = event;
    const letter = altKey ? "" : keyOf(event).toLowerCase();
    if (letter === "z") this.#turn(shiftKey ? "redo" : "undo");
    else if (letter === "y" && !shiftKey) this.#turn("redo");
    else return false;
    return true;
  }

  #turn(way) {
    const changes = this.#steps[way]();
    if (changes === null) {
      this.#announce(`Nothing to ${way}.`);
      return;
    }
    for (const { field, after } of changes.filter(({ isDone }) => isDone)) this.#show(field, after);
    const said = `${way === "undo" ? "Undone" : "Redone"}: ${changes.map(inWords).join("; ")}.`;
    this.#announce(said);
    this.#tell(said);
  }

  /** The word on the screen lies over the page's foot, so that nothing moves. */
  #tell(said) {
    const word = this.#part("undo-said");
    word.textContent = said;
    if (!word.matches(":popover-open")) word.showPopover();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => word.hidePopover(), SHOWN_MS);
  }

  #changed() {
    this.#allow();
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.#steps.kept));
    } catch {
      // Then the steps end with the page.
    }
  }

  /** A button that has the focus keeps it. */
  #allow() {
    this.#part("undo").setAttribute("aria-disabled", String(!this.#steps.canUndo));
    this.#part("redo").setAttribute("aria-disabled", String(!this.#steps.canRedo));
  }

  #part(name) {
    return this.#form.querySelector(`[data-${name}]`);
  }
}

function kept(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key));
  } catch {
    return null;
  }
}

function inWords({ field, before, after, isDone }) {
  return isDone ? `${nameOf(field)} from ${phrase(before)} to ${phrase(after)}` : `${nameOf(field)} ${ELSEWHERE}`;
}
