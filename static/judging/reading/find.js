// Find words in all answers of the item, whichever are in view: how often each has them, and from one place to the next.

import { AnswerText } from "../marks/answer-text.js";
import { bringIntoView, showInItsBox } from "../in-view.js";

const MAX_FOUND = 500; // places that are listed and painted
const AROUND = 32; // characters of the text on each side
const MIN_CHARACTERS = 2; // characters that are looked for

export class Find {
  #panel;
  #answers;
  #texts;
  #opened;
  #announce;
  #found = []; // { answer, passage, range } in the order of the letters and texts
  #at = -1;
  #before = null; // what had the focus

  /** `opened(answer)` brings an answer into view, `announce(text)` tells. */
  constructor(panel, answers, { opened, announce }) {
    this.#panel = panel;
    this.#answers = answers;
    this.#texts = new Map(answers.map((answer) => [answer, new AnswerText(answer.text)]));
    this.#opened = opened;
    this.#announce = announce;
    this.#field.addEventListener("input", () => this.#look());
    this.#field.addEventListener("keydown", (event) => this.#keyed(event));
    panel.addEventListener("toggle", () => this.#paint());
    this.#part("places").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) this.#go([...this.#part("places").querySelectorAll("button")].indexOf(button));
    });
  }

  /** Open the panel, with the words that are selected where some are. */
  open() {
    const selected = getSelection().toString().trim();
    this.#before = document.activeElement;
    this.#panel.open = true;
    if (selected && !selected.includes("\n")) this.#field.value = selected;
    this.#field.select();
    this.#field.focus();
    this.#look();
  }

  #keyed(event) {
    if (event.key === "Enter") this.#go(event.shiftKey ? Math.max(this.#at, 0) - 1 : this.#at + 1, { stay: true });
    else if (event.key === "Escape") this.#close();
    else return;
    event.preventDefault(); // Enter would submit the room's form
    event.stopPropagation();
  }

  #close() {
    this.#panel.open = false;
    const { text } = this.#found[this.#at]?.answer ?? {};
    (text ?? this.#before ?? document.body).focus({ preventScroll: true });
  }

  #look() {
    const words = this.#field.value.trim();
    const isLookedFor = [...words].length >= MIN_CHARACTERS;
    const each = this.#answers.map((answer) => {
      const text = this.#texts.get(answer);
      const passages = isLookedFor ? text.find(words) : [];
      return passages.map((passage) => ({ answer, passage, range: text.rangeOf(passage) }));
    });
    this.#found = each.flat().slice(0, MAX_FOUND);
    this.#at = -1;
    const counts = this.#answers.map(({ label }, index) => `${label} ${each[index].length}`).join(" · ");
    this.#part("counts").textContent = isLookedFor ? counts : "";
    this.#part("places").replaceChildren(...this.#found.map((place) => this.#row(place)));
    showInItsBox(this.#panel.querySelector(".brief-body"));
    this.#paint();
  }

  #row({ answer, passage: { start, end } }) {
    const row = this.#panel.querySelector("template").content.firstElementChild.cloneNode(true);
    const text = this.#texts.get(answer);
    const part = (name) => row.querySelector(`[data-${name}]`);
    part("letter").textContent = answer.label;
    part("before").textContent = text.quote({ start: Math.max(0, start - AROUND), end: start }, { trims: false });
    part("hit").textContent = text.quote({ start, end });
    part("after").textContent = text.quote({ start: end, end: end + AROUND }, { trims: false });
    return row;
  }

  /** To a place, in a circle; with `stay` the focus stays where words are typed. */
  #go(index, { stay = false } = {}) {
    const count = this.#found.length;
    if (count === 0) {
      this.#announce("Found nowhere.");
      return;
    }
    this.#at = ((index % count) + count) % count;
    const { answer, range } = this.#found[this.#at];
    this.#opened(answer);
    if (stay) this.#field.focus({ preventScroll: true });
    bringIntoView(range);
    for (const [position, row] of [...this.#part("places").children].entries()) {
      if (position === this.#at) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    this.#part("places").children[this.#at].scrollIntoView({ block: "nearest" });
    this.#announce(`${answer.label}, ${this.#at + 1} of ${count}`);
    this.#paint();
  }

  #paint() {
    if (!("highlights" in CSS)) return;
    const ranges = this.#panel.open ? this.#found.map(({ range }) => range) : [];
    CSS.highlights.set("found", new Highlight(...ranges));
    const current = this.#panel.open && this.#found[this.#at];
    CSS.highlights.set("found-current", new Highlight(...(current ? [current.range] : [])));
  }

  get #field() {
    return this.#part("words");
  }

  #part(name) {
    return this.#panel.querySelector(`[data-find-${name}]`);
  }
}
