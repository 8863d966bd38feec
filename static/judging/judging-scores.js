// Scores mode: the score strips, the table of all scores, and what follows from them.
import { openDefinitions } from "./definitions.js";
import { pointFields } from "./points.js";
import { meanShown, scoredRows, sumOf } from "./ranking/ranking.js";
import { dragAlong } from "./scale-drag.js";

const TEN = 700; // ms in which a 0 makes the 1 before it a 10
const LINE = 40; // px, as browsers scroll with an arrow key

const fieldName = (slot, dimension) => `score:${slot}:${dimension}`;

export class ScoreSheet {
  #form;
  #answers;
  #dimensions;
  #room;
  #scores; // of each answer, by dimension, in the rubric's order; null is none yet
  #current = 0;
  #isThrough = false; // nothing of the open answer is missing: figures mean nothing until a dimension is chosen
  #scored = -1; // then: the dimension that was scored last, -1 where the judge has come back to the answer
  #one = null; // the 1 just typed: { answer, index, at }
  #isByPointer = false; // how the focus came
  #points; // where scores are typed: shows what they say

  /**
   * `answers`: label, slot and `scores` (the section with its strip) of each. `room`: `put(field, value)` keeps a
   * score, `announce(text)` tells it, `changed()` follows every change, `reveal(element)` brings into view.
   */
  constructor(form, answers, room) {
    this.#form = form;
    this.#answers = answers;
    this.#room = room;
    this.#dimensions = [...answers[0].scores.querySelectorAll("[data-dimension]")].map((part) => ({
      key: part.dataset.dimension,
      name: part.querySelector(".term").textContent,
    }));
    const readScores = (answer) => new Map(this.#dimensions.map(({ key }) => [key, this.#read(answer, key)]));
    this.#scores = new Map(answers.map((answer) => [answer, readScores(answer)]));
    form.addEventListener("change", ({ target }) => target.name?.startsWith("score:") && this.#changed(target));
    form.addEventListener("focusin", ({ target }) => this.#followFocus(target));
    addEventListener("pointerdown", () => (this.#isByPointer = true), { capture: true });
    addEventListener("keydown", ({ key }) => (this.#isByPointer &&= key !== "Tab"), { capture: true });
    dragAlong(form, { onPreview: (button) => this.#take(button), onDrop: (button) => this.#drop(button) });
    this.#points = pointFields(form, { onEnter: (field) => this.#goOn(field) });
    openDefinitions(form);
  }

  get given() {
    return this.#answers.reduce((sum, answer) => sum + this.#given(answer).length, 0);
  }

  get wanted() {
    return this.#answers.length * this.#dimensions.length;
  }

  get isComplete() {
    return this.given === this.wanted;
  }

  /** How far the answer is, in words; empty where nothing is given. */
  stateOf(answer) {
    const given = this.#given(answer).length;
    if (!given) return "";
    return given < this.#dimensions.length ? "partly scored" : "scored";
  }

  /** The ranking's rows once every score is given; `parts` are the scores of each label, by dimension. */
  rows() {
    if (!this.isComplete) return [];
    const sheets = this.#answers.map((answer) => ({ label: answer.label, scores: this.#given(answer) }));
    const parts = Object.fromEntries(sheets.map(({ label, scores }) => [label, this.#named(scores)]));
    return scoredRows(sheets).map((row) => ({ ...row, parts }));
  }

  /** Show a value that was given elsewhere or before; `null` is none. */
  set(field, value) {
    const [, slot, dimension] = field.split(":");
    const inputs = this.#inputs(slot, dimension);
    for (const input of inputs) {
      if (input.type === "radio") input.checked = input.value === String(value);
      else input.value = input.defaultValue = value ?? "";
    }
    this.#take(inputs[0]);
  }

  /** Where a field is on the page. */
  fieldOf(field) {
    const [, slot, dimension] = field.split(":");
    return this.#inputs(slot, dimension)[0].closest("[data-dimension]");
  }

  /** Put what was given before the script ran: all that is shown and not `known(field)`. */
  catchUp(known) {
    for (const [answer, scores] of this.#scores) {
      for (const [dimension, value] of scores) {
        const field = fieldName(answer.slot, dimension);
        if (value !== null && value !== known(field)) this.#room.put(field, value);
      }
    }
  }

  /** The answer is shown now: go on at its first dimension without a score. Where all are scored, none is marked. */
  opened(answer) {
    const next = this.#firstBlank(answer);
    this.#mark(answer, Math.max(next, 0));
    if (next === -1) this.#end(answer, -1);
  }

  focus(answer) {
    this.#focusField(this.#part(answer, this.#current));
  }

  /** Answer a key pressed while `answer` is open; returns whether it meant anything here. */
  press(key, answer) {
    if (/^[0-9]$/.test(key)) return this.#figure(key, answer);
    if (key === "ArrowLeft" || key === "ArrowRight") return this.#step(answer, key === "ArrowLeft" ? -1 : 1);
    if (key === "ArrowUp" || key === "ArrowDown") return this.#upOrDown(answer, key === "ArrowUp" ? 1 : -1);
    return false;
  }

  // -- keys ------------------------------------------------------------------------------------------------------

  #figure(key, answer) {
    const one = this.#one;
    if (key === "0" && one?.answer === answer && performance.now() - one.at < TEN) {
      const ten = this.#button(answer, one.index, "10");
      if (ten) return this.#give(answer, one.index, ten);
    }
    const index = this.#current;
    const field = this.#part(answer, index).querySelector("[type=number]");
    if (field && !this.#isThrough) return this.#points.begin(field, key);
    const button = this.#button(answer, index, key) ?? (key === "0" ? this.#button(answer, index, "10") : null);
    if (!button && !field) return false;
    if (this.#isThrough) {
      this.#room.announce(`Answer ${answer.label} has all its scores. Choose the one to change with ← or →.`);
      return true;
    }
    this.#give(answer, index, button);
    if (key === "1") this.#one = { answer, index, at: performance.now() };
    return true;
  }

  /** Check the button of the dimension at `index`, and go on to the next one without a score. */
  #give(answer, index, button) {
    const focused = this.#part(answer, this.#current).contains(document.activeElement);
    this.#room.reveal(this.#part(answer, index));
    this.#check(button);
    const next = this.#firstBlank(answer, index);
    this.#mark(answer, next === -1 ? index : next);
    if (focused) this.focus(answer);
    this.#one = null;
    if (next === -1) this.#end(answer, index);
    return true;
  }

  /** After a score that was typed: to the next one that is missing; the keys are the room's again after the last. */
  #goOn(field) {
    const answer = this.#answers.find(({ scores }) => scores.contains(field));
    const next = this.#firstBlank(answer, this.#current);
    if (next === -1) {
      field.blur();
      this.#end(answer, this.#current);
      return;
    }
    this.#mark(answer, next);
    this.#room.reveal(this.#part(answer, next));
    this.focus(answer);
  }

  #button(answer, index, value) {
    return this.#part(answer, index).querySelector(`[type=radio][value="${value}"]`);
  }

  #step(answer, direction) {
    const focused = this.#part(answer, this.#current).contains(document.activeElement);
    const next = this.#isThrough ? this.#chosen(direction) : this.#beside(direction);
    this.#mark(answer, next);
    this.#room.reveal(this.#part(answer, next));
    if (focused) this.focus(answer);
    else this.#room.announce(`${answer.label}, ${this.#dimensions[next].name}`);
    return true;
  }

  #beside(direction) {
    return Math.min(Math.max(this.#current + direction, 0), this.#dimensions.length - 1);
  }

  /** Where none is marked: the one that was scored just now, or the one after it; round at both ends. */
  #chosen(direction) {
    const { length } = this.#dimensions;
    return (this.#scored + (direction > 0 ? 1 : 0) + length) % length;
  }

  /** Change the score that was reached by keyboard. After a click, as from nowhere, arrows scroll the text. */
  #upOrDown(answer, direction) {
    const { activeElement: focused } = document;
    const buttons = [...this.#part(answer, this.#current).querySelectorAll("[type=radio]")];
    const isOnScore = buttons.includes(focused);
    if (!isOnScore && focused !== document.body) return false;
    if (isOnScore && !this.#isByPointer) this.#nudge(buttons, direction);
    else scrollerOf(answer).scrollBy(0, -direction * LINE);
    return true;
  }

  #nudge(buttons, direction) {
    const checked = buttons.findIndex((button) => button.checked);
    const button = checked === -1 ? document.activeElement : buttons[checked + direction];
    if (!button) return;
    this.#check(button);
    button.focus();
  }

  #check(button) {
    button.checked = true;
    button.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #followFocus(field) {
    const part = field.closest("[data-dimension]");
    if (!part) return;
    const answer = this.#answers.find(({ scores }) => scores.contains(part));
    this.#mark(answer, this.#dimensions.findIndex(({ key }) => key === part.dataset.dimension));
    if (field.type !== "number") return;
    // What the bands of another one mean may have gone from above it by now. Where not all fits, the field does.
    for (const element of [part, field]) element.scrollIntoView({ block: "nearest" });
  }

  /** The index of the first dimension without a score behind `after`, else from the beginning; -1 where all have one. */
  #firstBlank(answer, after = -1) {
    const values = [...this.#scores.get(answer).values()];
    const next = values.indexOf(null, after + 1);
    return next === -1 ? values.indexOf(null) : next;
  }

  /** Make the dimension at `index` the one that keys score. */
  #mark(answer, index) {
    this.#current = index;
    this.#isThrough = false;
    this.#one = null;
    this.#dimensions.forEach((_, position) => {
      this.#part(answer, position).classList.toggle("is-current", position === index);
    });
  }

  /** No figure scores anything until a dimension is chosen; `scored`: the one that was scored just now, or -1. */
  #end(answer, scored) {
    this.#isThrough = true;
    this.#scored = scored;
    for (const index of this.#dimensions.keys()) this.#part(answer, index).classList.remove("is-current");
  }

  #focusField(part) {
    (part.querySelector("input:checked") ?? part.querySelector("input")).focus();
  }

  // -- values ----------------------------------------------------------------------------------------------------

  #changed(field) {
    if (field.type === "number") this.#checkNumber(field);
    const value = this.#take(field);
    if (value === null) return;
    this.#room.put(field.name, value);
    const [, slot, dimension] = field.name.split(":");
    const { label } = this.#answers.find((answer) => answer.slot === slot);
    this.#room.announce(`${label}, ${this.#dimensions.find(({ key }) => key === dimension).name} ${value}`);
  }

  #checkNumber(field) {
    const { valid } = field.validity;
    const problem = document.getElementById(field.getAttribute("aria-describedby"));
    field.setAttribute("aria-invalid", String(!valid));
    problem.textContent = valid ? "" : `Whole numbers from ${field.min} to ${field.max}.`;
    if (!valid) this.#room.announce(problem.textContent);
    else if (field.value === "") field.value = field.defaultValue; // a score is taken back by undoing
    else field.defaultValue = field.value;
  }

  #drop(button) {
    button.focus({ preventScroll: true });
    this.#check(button);
  }

  /** Take in what the field's dimension shows now; returns the value, or `null`. */
  #take(field) {
    const [, slot, dimension] = field.name.split(":");
    const answer = this.#answers.find((candidate) => candidate.slot === slot);
    const value = this.#read(answer, dimension);
    if (field.type === "number") this.#points.show(field);
    this.#scores.get(answer).set(dimension, value);
    this.#showScores();
    this.#room.changed();
    return value;
  }

  #read(answer, dimension) {
    const shown = this.#inputs(answer.slot, dimension).find((input) => input.type !== "radio" || input.checked);
    return shown?.value && shown.validity.valid ? Number(shown.value) : null;
  }

  #inputs(slot, dimension) {
    return [...document.getElementsByName(fieldName(slot, dimension))];
  }

  #given(answer) {
    return [...this.#scores.get(answer).values()].filter((value) => value !== null);
  }

  #named(scores) {
    return scores.map((value, index) => ({ name: this.#dimensions[index].name, value }));
  }

  #part(answer, index) {
    return answer.scores.querySelector(`[data-dimension="${this.#dimensions[index].key}"]`);
  }

  /** Bring the table of all scores up to date; composites come with the ranking. */
  #showScores() {
    for (const answer of this.#answers) {
      const shown = new Map(this.#scores.get(answer));
      if (this.isComplete) {
        const sum = sumOf(this.#given(answer));
        shown.set("sum", sum).set("mean", meanShown(sum, this.#dimensions.length));
      }
      for (const cell of this.#form.querySelectorAll(`[data-row="${answer.label}"] [data-cell]`)) {
        cell.textContent = shown.get(cell.dataset.cell) ?? "–";
      }
    }
  }
}

function scrollerOf({ text }) {
  return text.scrollHeight > text.clientHeight ? text : document.scrollingElement; // on a phone the page scrolls
}
