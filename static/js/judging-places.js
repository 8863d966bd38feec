// Ranking mode: a place for each answer. Places are kept in this browser until the item is submitted.
import { movedPlaces, rankingRows } from "./ranking.js";

export class PlaceSheet {
  #answers;
  #fields;
  #room;
  #kept = true;

  /** As for `ScoreSheet`; `room.recall(part)` and `room.remember(part, value)` keep the places. */
  constructor(form, answers, room) {
    this.#answers = answers;
    this.#room = room;
    this.#fields = answers.map((answer) => form.elements[`place:${answer.slot}`]);
    const remembered = room.recall("places") ?? [];
    this.#fields.forEach((field, position) => (field.value ||= remembered[position] ?? ""));
    form.addEventListener("input", (event) => this.#fields.includes(event.target) && this.#changed());
    for (const button of form.querySelectorAll("[data-move]")) {
      button.addEventListener("click", () => this.#move(button));
    }
  }

  get given() {
    return this.#places().filter((place) => place !== null).length;
  }

  get wanted() {
    return this.#answers.length;
  }

  get unsaved() {
    return !this.#kept;
  }

  get saveState() {
    return this.given ? "kept" : "ready";
  }

  /** Places travel with the submission. */
  get onTheWay() {
    return false;
  }

  stateOf(answer) {
    return this.#places()[this.#answers.indexOf(answer)] === null ? "" : "placed";
  }

  rows() {
    if (this.given < this.wanted) return [];
    const labels = this.#answers.map((answer) => answer.label);
    return rankingRows(labels, this.#places().map((place) => -place));
  }

  #places() {
    return this.#fields.map((field) => (field.value && field.validity.valid ? Number(field.value) : null));
  }

  #move(button) {
    const position = this.#fields.indexOf(button.closest("li").querySelector("input"));
    movedPlaces(this.#places(), position, Number(button.dataset.move)).forEach((place, index) => {
      this.#fields[index].value = place ?? "";
    });
    this.#changed();
  }

  #changed() {
    this.#kept = this.#room.remember("places", this.#fields.map((field) => field.value));
    this.#room.changed();
    this.#room.saveState({ name: this.#kept ? "kept" : "not-kept" });
  }
}
