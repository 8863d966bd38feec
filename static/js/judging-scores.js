// Scores mode: the score strips, the table of all scores, and what follows from them.
import { rankingRows } from "./ranking.js";
import { ScoreOutbox } from "./score-outbox.js";

const fieldName = (slot, dimension) => `score:${slot}:${dimension}`;

export class ScoreSheet {
  #form;
  #answers;
  #dimensions;
  #outbox;
  #room;
  #current = 0;

  /** `answers`: label, slot and element of each. `room` is told `changed()`, `saveState(state)`, `announce(text)`. */
  constructor(form, answers, room) {
    this.#form = form;
    this.#answers = answers;
    this.#room = room;
    this.#dimensions = [...answers[0].element.querySelectorAll("[data-dimension]")].map((part) => ({
      key: part.dataset.dimension,
      name: part.querySelector("legend, label").firstChild.textContent.trim(),
    }));
    this.#outbox = new ScoreOutbox(form.dataset.scoreUrl, (state) => room.saveState(state));
    form.addEventListener("change", (event) => this.#changed(event.target));
    form.addEventListener("focusin", (event) => this.#followFocus(event.target));
  }

  get given() {
    return this.#answers.reduce((sum, answer) => sum + this.#scoresOf(answer).length, 0);
  }

  get wanted() {
    return this.#answers.length * this.#dimensions.length;
  }

  get unsaved() {
    return this.onTheWay;
  }

  /** Whether something must reach the server before the item can be submitted. */
  get onTheWay() {
    return !this.#outbox.isEmpty;
  }

  /** How far the answer is, in words; empty where nothing is given. */
  stateOf(answer) {
    const given = this.#scoresOf(answer).length;
    if (!given) return "";
    return given < this.#dimensions.length ? "partly scored" : "scored";
  }

  /** The ranking's rows once every score is given. */
  rows() {
    if (this.given < this.wanted) return [];
    const labels = this.#answers.map((answer) => answer.label);
    const sums = this.#answers.map((answer) => this.#sumOf(answer));
    return rankingRows(labels, sums).map((row) => ({
      ...row,
      sum: String(row.score),
      mean: this.#meanOf(row.score),
    }));
  }

  get saveState() {
    return this.given ? "saved" : "ready";
  }

  /** Save what is still on its way; returns whether everything is saved. */
  flush() {
    return this.#outbox.flush();
  }

  /** The answer is shown now: go on at its first dimension without a score. */
  opened(answer) {
    const next = this.#dimensions.findIndex(({ key }) => this.#value(answer, key) === null);
    this.#mark(answer, next === -1 ? this.#current : next);
  }

  focus(answer) {
    this.#focusField(this.#part(answer, this.#current));
  }

  /** Answer a key pressed while `answer` is open; returns whether it meant anything here. */
  press(key, answer) {
    if (/^[0-9]$/.test(key)) return this.#give(answer, key === "0" ? ["0", "10"] : [key]);
    if (key === "ArrowLeft" || key === "ArrowRight") return this.#step(answer, key === "ArrowLeft" ? -1 : 1);
    if (key === "ArrowUp" || key === "ArrowDown") return this.#nudge(answer, key === "ArrowUp" ? 1 : -1);
    return false;
  }

  /** Check the button for the first of `values` that the scale has, and go on to the next dimension. */
  #give(answer, values) {
    const part = this.#part(answer, this.#current);
    const button = values.flatMap((value) => [...part.querySelectorAll(`[type=radio][value="${value}"]`)])[0];
    if (!button) return false;
    const focused = part.contains(document.activeElement);
    this.#check(button);
    this.#room.announce(`${this.#dimensions[this.#current].name} ${button.value}`);
    if (this.#current < this.#dimensions.length - 1) this.#mark(answer, this.#current + 1);
    if (focused) this.focus(answer);
    return true;
  }

  #step(answer, direction) {
    const next = this.#current + direction;
    if (next < 0 || next >= this.#dimensions.length) return true;
    const focused = this.#part(answer, this.#current).contains(document.activeElement);
    this.#mark(answer, next);
    if (focused) this.focus(answer);
    else this.#room.announce(this.#dimensions[next].name);
    return true;
  }

  #nudge(answer, direction) {
    const part = this.#part(answer, this.#current);
    if (!part.contains(document.activeElement)) return false;
    const buttons = [...part.querySelectorAll("[type=radio]")];
    const checked = buttons.findIndex((button) => button.checked);
    const button = checked === -1 ? document.activeElement : buttons[checked + direction];
    if (button) {
      this.#check(button);
      button.focus();
    }
    return true;
  }

  #check(button) {
    button.checked = true;
    button.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #changed(field) {
    if (!field.name?.startsWith("score:")) return;
    const [, slot, dimension] = field.name.split(":");
    field.removeAttribute("aria-invalid");
    if (!field.validity.valid) {
      field.setAttribute("aria-invalid", "true");
      const { name } = this.#dimensions.find(({ key }) => key === dimension);
      this.#room.saveState({
        name: "refused",
        message: `${name} takes whole numbers from ${field.min} to ${field.max}.`,
      });
    } else if (field.value === "") {
      field.value = field.defaultValue; // a score can be changed, not taken back
    } else {
      if (field.type === "number") field.defaultValue = field.value;
      this.#outbox.put(slot, dimension, Number(field.value));
    }
    this.#showScores(this.#answers.find((answer) => answer.slot === slot));
    this.#room.changed();
  }

  #followFocus(field) {
    const part = field.closest("[data-dimension]");
    if (!part) return;
    const answer = this.#answers.find(({ element }) => element.contains(part));
    this.#mark(answer, this.#dimensions.findIndex(({ key }) => key === part.dataset.dimension));
  }

  /** Make the dimension at `index` the one that keys score. */
  #mark(answer, index) {
    this.#current = index;
    this.#dimensions.forEach((_, position) => {
      this.#part(answer, position).classList.toggle("is-current", position === index);
    });
  }

  #part(answer, index) {
    return answer.element.querySelector(`[data-dimension="${this.#dimensions[index].key}"]`);
  }

  #focusField(part) {
    (part.querySelector("input:checked") ?? part.querySelector("input")).focus();
  }

  #value(answer, dimension) {
    const field = this.#form.elements[fieldName(answer.slot, dimension)];
    if (field instanceof HTMLInputElement && !field.validity.valid) return null;
    return field.value === "" ? null : Number(field.value);
  }

  #scoresOf(answer) {
    return this.#dimensions.map(({ key }) => this.#value(answer, key)).filter((value) => value !== null);
  }

  #sumOf(answer) {
    return this.#scoresOf(answer).reduce((sum, value) => sum + value, 0);
  }

  #meanOf(sum) {
    return (sum / this.#dimensions.length).toFixed(1);
  }

  /** Bring the answer's row in the table of all scores up to date. */
  #showScores(answer) {
    const row = this.#form.querySelector(`[data-row="${answer.label}"]`);
    const complete = this.stateOf(answer) === "scored";
    for (const cell of row.querySelectorAll("[data-cell]")) {
      const { cell: shown } = cell.dataset;
      if (shown === "sum") cell.textContent = complete ? this.#sumOf(answer) : "–";
      else if (shown === "mean") cell.textContent = complete ? this.#meanOf(this.#sumOf(answer)) : "–";
      else cell.textContent = this.#value(answer, shown) ?? "–";
    }
  }
}
