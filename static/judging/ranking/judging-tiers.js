// Direct ranking: answers as cards in tiers, best first, moved by drag, with arrow keys or by typing places. The
// number fields are what counts; tiers show what the fields say.
import { rankingRows } from "./ranking.js";
import { TierDrag } from "./tier-drag.js";
import { movedBetween, movedInto, placesOf, stepped, takenBack, tiersOf } from "./tiers.js";

const TAKE_BACK = new Set(["Delete", "Backspace"]);

export class TierSheet {
  #answers;
  #cards;
  #fields;
  #room;
  #list;
  #unplaced;
  #heading;
  #tier;
  #isShowing = false; // cards move, which may take the focus from a field for a moment

  /** `answers`: label and slot of each. `room`: `put(field, value)`, `announce(text)`, `changed()`, `reveal(element)`. */
  constructor(form, answers, room) {
    const part = (name) => form.querySelector(`[data-${name}]`);
    this.#answers = answers;
    this.#room = room;
    this.#cards = answers.map(({ label }) => part(`card="${label}"`));
    this.#fields = answers.map(({ slot }) => form.elements[`place:${slot}`]);
    this.#list = part("tier-list");
    this.#unplaced = part("unplaced");
    this.#heading = part("unplaced-heading");
    this.#tier = part("tier-template").content.firstElementChild;
    const sheet = part("tiers");
    sheet.addEventListener("input", ({ target }) => this.#typed(this.#fields.indexOf(target)));
    sheet.addEventListener("focusout", () => this.#isShowing || this.#showPlaces());
    sheet.addEventListener("keydown", (event) => this.#keyed(event));
    new TierDrag(sheet, { onDrop: (card, target) => this.#dropped(this.#cards.indexOf(card), target) });
    this.#show();
  }

  get given() {
    return this.#places().filter((place) => place !== null).length;
  }

  get wanted() {
    return this.#answers.length;
  }

  get isComplete() {
    return this.given === this.wanted;
  }

  stateOf(answer) {
    return this.#places()[this.#answers.indexOf(answer)] === null ? "" : "placed";
  }

  rows() {
    if (!this.isComplete) return [];
    const labels = this.#answers.map(({ label }) => label);
    return rankingRows(labels, this.#places().map((place) => -place));
  }

  /** Show a place that was given elsewhere or before; `null` is none. */
  set(field, value) {
    const shown = this.#fields.find(({ name }) => name === field);
    shown.value = value ?? "";
    this.#check(shown);
    this.#show();
    this.#room.changed();
  }

  /** Where a field is on the page. */
  fieldOf(field) {
    return this.#cards[this.#fields.findIndex(({ name }) => name === field)];
  }

  /** Put what was given before the script ran: all that is shown and not `known(field)`. */
  catchUp(known) {
    const places = this.#places();
    this.#fields.forEach(({ name }, position) => {
      if (places[position] !== null && places[position] !== known(name)) this.#room.put(name, places[position]);
    });
  }

  /** A figure is the place of the answer that is open. */
  press(key, answer) {
    if (!/^[1-9]$/.test(key) || Number(key) > this.wanted) return false;
    const position = this.#answers.indexOf(answer);
    this.#fields[position].value = key;
    this.#typed(position);
    this.#showPlaces();
    this.#room.reveal(this.#cards[position]);
    this.#announce(position);
    return true;
  }

  #typed(position) {
    if (position === -1) return;
    const field = this.#fields[position];
    this.#check(field);
    this.#show();
    if (field.validity.valid) this.#room.put(field.name, this.#places()[position]);
    this.#room.changed();
  }

  #check(field) {
    const { valid } = field.validity;
    const problem = document.getElementById(field.getAttribute("aria-describedby"));
    field.setAttribute("aria-invalid", String(!valid));
    problem.textContent = valid ? "" : `Places go from ${field.min} to ${field.max}.`;
    if (!valid) this.#room.announce(problem.textContent);
  }

  /**
   * Put the places that count into the fields once every answer has one: who types 1, 1, 2, 3 means 1, 1, 3, 4.
   * Earlier, a 2 that became a 3 would make the 3 typed next a tie.
   */
  #showPlaces() {
    if (this.isComplete) this.#place(this.#tiers());
  }

  #keyed(event) {
    const position = this.#cards.indexOf(event.target.closest("[data-open]")?.closest("[data-card]"));
    const direction = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (position === -1 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (direction) this.#move(position, stepped(this.#tiers(), position, direction));
    else if (TAKE_BACK.has(event.key)) this.#move(position, takenBack(this.#tiers(), position));
    else return;
    event.preventDefault();
  }

  #dropped(position, { into, before }) {
    const tiers = this.#tiers();
    if (into !== undefined) this.#move(position, movedInto(tiers, position, into));
    else if (before !== undefined) this.#move(position, movedBetween(tiers, position, before));
    else this.#move(position, takenBack(tiers, position));
  }

  /** Make the places those of `tiers`, after the answer at `position` was moved. */
  #move(position, tiers) {
    this.#place(tiers);
    this.#show();
    this.#announce(position);
    this.#room.changed();
  }

  #place(tiers) {
    const before = this.#places();
    placesOf(tiers, this.wanted).forEach((place, index) => {
      if (place === before[index]) return;
      const field = this.#fields[index];
      field.value = place ?? "";
      this.#check(field);
      this.#room.put(field.name, place);
    });
  }

  #announce(position) {
    const tier = this.#tiers().find((positions) => positions.includes(position));
    const label = (index) => this.#answers[index].label;
    if (!tier) {
      this.#room.announce(`${label(position)}: not placed`);
      return;
    }
    const place = placesOf(this.#tiers(), this.wanted)[position];
    const others = tier.filter((index) => index !== position).map(label).join(" and ");
    this.#room.announce(`${label(position)}: place ${place}${others && `, shared with ${others}`}`);
  }

  #places() {
    return this.#fields.map((field) => (field.value && field.validity.valid ? Number(field.value) : null));
  }

  #tiers() {
    return tiersOf(this.#places());
  }

  /** Bring the cards into the tiers that the fields say; what has the focus keeps it. */
  #show() {
    this.#isShowing = true;
    const focused = document.activeElement;
    const tiers = this.#tiers();
    const places = placesOf(tiers, this.wanted);
    this.#list.replaceChildren(...tiers.map((positions) => this.#tierOf(positions, places[positions[0]])));
    this.#unplaced.replaceChildren(...this.#cards.filter((_, position) => places[position] === null));
    this.#heading.hidden = places.every((place) => place !== null);
    if (this.#cards.some((card) => card.contains(focused))) focused.focus({ preventScroll: true });
    this.#isShowing = false;
  }

  #tierOf(positions, place) {
    const tier = this.#tier.cloneNode(true);
    const tied = positions.length > 1;
    tier.classList.toggle("is-tie", tied);
    tier.querySelector("[data-place]").textContent = tied ? `${place}=` : place;
    tier.querySelector("ul").append(...positions.map((position) => this.#cards[position]));
    return tier;
  }
}
