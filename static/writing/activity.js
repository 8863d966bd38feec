// What is noted about the writing of an answer: sizes and times, never content. annotation/writing/core/activity.py says what
// the events are. Only `paste` and `drop` are ever prevented, so whatever else writes into the editor always works.

import { between, lengthOf } from "./deltas.js";

const PAUSE = 2000; // ms; a shorter gap does not end a burst
const MAX_EVENTS = 200; // of one save

export class ActivityRecord {
  #editor;
  #sinceStart;
  #policy;
  #onBlocked;
  #text; // of the editor, as it was looked at last
  #time = 0; // ms since the start, as it was known last
  #events = [];
  #burst = null;
  #awaySince = null;
  #copied = new Set();
  #draggedHere = false;
  #arriving = 0; // size of the paste or drop whose input event comes next

  /**
   * `sinceStart` returns the milliseconds since the answer's start, or null while the clock is not known; `policy` is
   * "allow", "flag" or "block"; `onBlocked` is told the size of a paste that was not taken, in code points.
   */
  constructor(editor, { sinceStart, policy, onBlocked }) {
    this.#editor = editor;
    this.#sinceStart = sinceStart;
    this.#policy = policy;
    this.#onBlocked = onBlocked;
    this.#remember();
    editor.addEventListener("beforeinput", (event) => event.isComposing || this.#remember());
    editor.addEventListener("compositionstart", () => this.#remember());
    editor.addEventListener("compositionend", () => this.#noteChange());
    editor.addEventListener("input", (event) => this.#noteInput(event));
    editor.addEventListener("paste", (event) => this.#receive(event, event.clipboardData));
    editor.addEventListener("drop", (event) => this.#receive(event, event.dataTransfer));
    for (const type of ["copy", "cut"]) {
      document.addEventListener(type, () => this.#copied.add(plain(this.#selection())));
    }
    document.addEventListener("dragstart", () => (this.#draggedHere = true));
    document.addEventListener("dragend", () => (this.#draggedHere = false));
    document.addEventListener("visibilitychange", () => this.#look());
    addEventListener("focus", () => this.#look());
    addEventListener("blur", () => setTimeout(() => this.#look())); // a frame of this page may have the focus instead
    this.#look();
  }

  /** What was noted since the last time. A burst that goes on is kept for the next time. */
  take() {
    if (this.#sinceStart() === null) return [];
    this.#look();
    if (this.#burst && this.#isOver(this.#burst)) this.#endBurst();
    return this.#events.splice(0, MAX_EVENTS);
  }

  /** Events that could not be sent: they come first the next time. */
  putBack(events) {
    this.#events.unshift(...events);
  }

  /** Time never runs backwards, and stands still while the clock is not known. */
  #now() {
    this.#time = Math.max(this.#time, Math.round(this.#sinceStart() ?? 0));
    return this.#time;
  }

  // -- being away ----------------------------------------------------------------------------------------------

  #look() {
    if (this.#sinceStart() === null) return; // as after the computer has slept: for how long, is known later
    const inFront = !document.hidden && document.hasFocus();
    if (!inFront && this.#awaySince === null) {
      this.#endBurst();
      this.#awaySince = this.#now();
    } else if (inFront && this.#awaySince !== null) {
      this.#events.push(["away", this.#awaySince, this.#now() - this.#awaySince]);
      this.#awaySince = null;
    }
  }

  // -- typing --------------------------------------------------------------------------------------------------

  /** The text before a change: the room may have put another one there. */
  #remember() {
    this.#text = this.#editor.value;
  }

  #noteInput(event) {
    this.#look();
    if (event.isComposing) this.#goOn(0, 0); // what is being composed counts once it stands
    else if (this.#arriving && event.inputType?.startsWith("insertFrom")) this.#noteArrival();
    else this.#noteChange();
  }

  #noteChange() {
    const change = between(this.#text, this.#editor.value);
    this.#goOn(lengthOf(change.insert), change.delete);
    this.#remember();
  }

  /** What a paste brought has been noted; what it took the place of is deleted. */
  #noteArrival() {
    this.#goOn(0, Math.max(0, lengthOf(this.#text) + this.#arriving - lengthOf(this.#editor.value)));
    this.#remember();
    this.#arriving = 0;
  }

  #goOn(typed, deleted) {
    const now = this.#now();
    if (this.#burst && now - this.#burst.until >= PAUSE) this.#endBurst();
    this.#burst ??= { at: now, typed: 0, deleted: 0 };
    this.#burst.until = now;
    this.#burst.typed += typed;
    this.#burst.deleted += deleted;
  }

  #isOver({ until }) {
    return this.#now() - until >= PAUSE || document.activeElement !== this.#editor || this.#editor.readOnly;
  }

  #endBurst() {
    const { at, until, typed, deleted } = this.#burst ?? {};
    if (typed || deleted) this.#events.push(["burst", at, until - at, typed, deleted]);
    this.#burst = null;
  }

  // -- pasting and dropping ------------------------------------------------------------------------------------

  #receive(event, data) {
    const text = data.getData("text/plain").replace(/\r\n?/gu, "\n");
    if (text === "" || this.#editor.readOnly) return;
    const inside = (event.type === "drop" && this.#draggedHere) || this.#isOfThisRoom(text);
    const blocked = !inside && this.#policy === "block";
    const size = lengthOf(text);
    this.#events.push([blocked ? "paste_blocked" : inside ? "paste_inside" : "paste_outside", this.#now(), size]);
    if (!blocked) this.#arriving = size;
    else {
      event.preventDefault();
      this.#onBlocked(size);
    }
  }

  /** It was copied here, or stands in the editor or elsewhere on this page, the question above all. */
  #isOfThisRoom(text) {
    const wanted = plain(text);
    const texts = [this.#editor.value, document.body.innerText];
    return this.#copied.has(wanted) || texts.some((own) => plain(own).includes(wanted));
  }

  #selection() {
    const { value, selectionStart, selectionEnd } = this.#editor;
    const inEditor = document.activeElement === this.#editor;
    return inEditor ? value.slice(selectionStart, selectionEnd) : String(getSelection());
  }
}

/** Text as it is compared: copying from a page changes white space. */
function plain(text) {
  return text.replace(/\s+/gu, " ").trim();
}
