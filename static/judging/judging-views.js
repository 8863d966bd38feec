// The three views of the answers, the rail of their letters, and what of it is found again.
import { showInItsBox } from "./in-view.js";
import { recall, remember } from "../platform/memory.js";
import { keyOfItem } from "./judging-memory.js";
import { Places } from "./judging-places.js";

const HABITS = "judging-habits"; // the view and what is pinned, for an item that is new
const SPOKEN = { overview: "Overview, at answer", reading: "Reading answer", compare: "Comparing answers" };
const VIEW_KEY = /^[[\]orA-Z]$/;
const SETTLED_MS = 300; // after scrolling
const TELL_EVERY = 15_000;

export class Views {
  #form;
  #answers;
  #room;
  #key;
  #places;
  #memory; // at (ms), view, open, sides, pins (what was opened or closed), scroll and read, by label
  #current;
  #sides; // of a comparison, left and right; the current answer is one of them
  #settling;
  #left; // all of the memory but its time, as it was last looked at
  #toldAt;

  /**
   * The room begins as judging-restore.js has laid it out. `room` is told `opened(answer)` when another answer is the
   * current one, which is scored, `placed()` when texts were scrolled to their places, `left(memory)` at times, and `announce(text)`; its `focusScores(answer)` takes the focus to those scores.
   */
  constructor(form, answers, room) {
    this.#form = form;
    this.#answers = answers;
    this.#room = room;
    this.#key = keyOfItem(form.dataset.item);
    const [habits, kept] = [recall(HABITS), recall(this.#key)];
    this.#toldAt = kept?.at;
    this.#memory = { scroll: {}, read: {}, ...kept, pins: { ...habits?.pins, ...kept?.pins } };
    this.#current = this.#withClass("is-open")[0];
    const [second = answers.find((answer) => answer !== this.#current)] = this.#withClass("is-beside");
    this.#sides = this.#withClass("is-right")[0] === this.#current ? [second, this.#current] : [this.#current, second];
    this.#sides = this.#sides.filter(Boolean); // a single answer has none beside it
    this.#chooser.append(...answers.map(({ label }) => new Option(label)));
    this.#places = new Places(answers, this.#memory.scroll, () => this.#rememberSoon());
    this.#listen();
    this.#show();
  }

  get view() {
    return this.#form.dataset.view;
  }

  get current() {
    return this.#current;
  }

  /** The answers that the judge is at: two where they are compared. */
  get shown() {
    return this.view === "compare" ? this.#sides : [this.#current];
  }

  /** Make an answer the current one and take the focus along: to its scores from other scores, else to its text. */
  open(answer) {
    const isScoring = document.activeElement.closest("[data-scores]") !== null;
    this.turnTo(answer);
    if (isScoring) this.#room.focusScores(answer);
    else goToText(answer);
  }

  /** Answer a key; returns whether it meant anything here. */
  press(key) {
    const answer = this.#labelled(key.toUpperCase());
    if (answer && key !== answer.label) this.open(answer);
    else if (key === "q" || key === "u") this.#turnOver(key === "q" ? "prompt" : "rubric");
    else if (this.#isOffered || !VIEW_KEY.test(key)) return this.#turnView(key, answer);
    else if (this.#isAlone) this.#room.announce("There is one answer, and nothing to compare it with.");
    else this.#room.announce("One answer at a time is shown here: other views want a wider window.");
    return true;
  }

  #turnView(key, answer) {
    if (answer) this.#compareWith(answer);
    else if (key === "[" || key === "]") this.#compareWithNext(key === "[" ? -1 : 1);
    else if (key === "o") this.#showView("overview");
    else if (key === "r" || (key === "Escape" && this.view !== "reading")) this.#showView("reading");
    else return false;
    return true;
  }

  get #isAlone() {
    return this.#answers.length === 1;
  }

  /** On a phone there is one view, and one of a single answer anywhere. */
  get #isOffered() {
    return this.#form.querySelector("[data-views]").checkVisibility();
  }

  /** That an answer was read to its end is kept here too: a page that comes right after may not know it yet. */
  keepRead({ label }) {
    this.#memory.read[label] = true;
    this.#remember();
  }

  wasRead({ label }) {
    return this.#memory.read[label] === true;
  }

  /** Say in the rail how far each answer is: `stateOf(answer)` is a word or two. */
  showStates(stateOf) {
    for (const answer of this.#answers) {
      const state = stateOf(answer);
      const link = this.#linkTo(answer);
      link.dataset.state = state.replace(" ", "-");
      link.querySelector("[data-rail-state]").textContent = state;
    }
  }

  #listen() {
    this.#form.addEventListener("click", (event) => this.#clicked(event));
    this.#form.addEventListener("focusin", ({ target }) => {
      const answer = this.#answers.find(({ element }) => element.contains(target));
      if (answer) this.turnTo(answer);
    });
    this.#chooser.addEventListener("change", ({ target }) => this.#compareWith(this.#labelled(target.value)));
    for (const answer of this.#answers) {
      for (const sign of ["wheel", "pointerdown"]) {
        answer.element.addEventListener(sign, () => this.turnTo(answer), { passive: true });
      }
    }
    for (const part of this.#form.querySelectorAll("[data-remember]")) {
      part.addEventListener("toggle", () => this.#toggled(part));
    }
    const leave = () => {
      this.#places.note();
      this.#remember();
      this.#tell();
    };
    addEventListener("pagehide", leave);
    // Before others hear of it, so that it still goes out with what they send.
    document.addEventListener("visibilitychange", () => document.hidden && leave(), { capture: true });
    setInterval(() => this.#tell(), TELL_EVERY);
  }

  #clicked(event) {
    const { show } = event.target.closest("[data-show]")?.dataset ?? {};
    if (show) this.#showView(show);
    const link = event.target.closest("[data-open]");
    if (!link) return;
    event.preventDefault();
    const answer = this.#labelled(link.dataset.open);
    if (event.shiftKey) this.#compareWith(answer);
    else this.open(answer);
  }

  // -- what is shown -----------------------------------------------------------------------------------------------

  /** Make an answer the current one; the focus stays. */
  turnTo(answer) {
    if (answer === this.#current) return;
    if (!this.#sides.includes(answer)) this.#sides[this.#sides.indexOf(this.#current)] = answer;
    this.#current = answer;
    this.#show();
  }

  #showView(view) {
    this.#show(view);
    this.#room.announce(`${SPOKEN[view]} ${this.shown.map(({ label }) => label).join(" and ")}`);
  }

  /** Beside the current answer, which stays where it is or, where nothing was compared yet, comes left. */
  #compareWith(answer) {
    if (this.view !== "compare") this.#sides = [this.#current, this.#beside];
    if (answer !== this.#current) this.#sides[1 - this.#sides.indexOf(this.#current)] = answer;
    this.#showView("compare");
  }

  /** Compare with the answer `step` away from the one beside, or from the current one where none is beside yet. */
  #compareWithNext(step) {
    const from = this.view === "compare" ? this.#beside : this.#current;
    const others = this.#answers.filter((answer) => answer === from || answer !== this.#current);
    this.#compareWith(others.at((others.indexOf(from) + step) % others.length));
  }

  #turnOver(name) {
    const part = this.#part(name);
    this.#places.note();
    part.open = !part.open;
    part.querySelector("summary").scrollIntoView({ block: "nearest" }); // where the page scrolls
  }

  /** Notes and all scores take the rubric's place while they are open; only the judge closes the rubric itself. */
  #toggled(part) {
    const { name: group, open } = part;
    const name = part.dataset.remember;
    const { pins } = this.#memory;
    if (open) showInItsBox(part.querySelector(".brief-body")); // which is below the question in a low window
    const isTaken = group && this.#form.querySelector(`[name="${group}"][open]`) !== null;
    const rubric = this.#part("rubric");
    if (name !== "rubric" || open || !isTaken) pins[name] = open;
    if (group && !isTaken && name !== "rubric" && pins.rubric !== false) rubric.open = true;
    this.#remember();
  }

  #part(name) {
    return this.#form.querySelector(`[data-remember="${name}"]`);
  }

  #show(view = this.view) {
    const beside = this.#beside;
    this.#places.note();
    this.#form.dataset.view = view;
    for (const answer of this.#answers) {
      const { element, scores } = answer;
      element.classList.toggle("is-open", answer === this.#current);
      element.classList.toggle("is-beside", answer === beside);
      element.classList.toggle("is-right", answer === this.#sides[1]);
      scores?.classList.toggle("is-open", answer === this.#current);
      this.#showInRail(answer);
    }
    for (const button of this.#form.querySelectorAll("[data-show]")) {
      button.setAttribute("aria-pressed", String(button.dataset.show === this.view));
    }
    this.#chooser.value = beside?.label;
    for (const option of this.#chooser.options) option.disabled = option.value === this.#current.label;
    this.#places.putBack();
    this.#room.placed();
    this.#room.opened(this.#current);
    this.#remember();
  }

  #showInRail(answer) {
    const link = this.#linkTo(answer);
    link.classList.toggle("is-beside", this.view === "compare" && answer === this.#beside);
    if (answer === this.#current) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }

  get #beside() {
    return this.#sides.find((answer) => answer !== this.#current);
  }

  get #chooser() {
    return this.#form.querySelector("[data-beside]");
  }

  #linkTo({ label }) {
    return this.#form.querySelector(`.answer-rail [data-open="${label}"]`);
  }

  #labelled(label) {
    return this.#answers.find((answer) => answer.label === label);
  }

  #withClass(name) {
    return this.#answers.filter(({ element }) => element.classList.contains(name));
  }

  // -- what this browser remembers -----------------------------------------------------------------------------------

  #rememberSoon() {
    clearTimeout(this.#settling);
    this.#settling = setTimeout(() => this.#remember(), SETTLED_MS);
  }

  #remember() {
    const { view } = this;
    const { pins } = this.#memory;
    Object.assign(this.#memory, {
      view,
      open: this.#current.label,
      sides: this.#sides.map(({ label }) => label),
    });
    const { at, ...left } = this.#memory;
    if (JSON.stringify(left) !== this.#left) this.#memory.at = Date.now();
    this.#left = JSON.stringify(left);
    remember(this.#key, this.#memory);
    remember(HABITS, { view: this.#isAlone ? recall(HABITS)?.view : view, pins });
  }

  /** Let the server know how the room is left, for another browser: at times, for it is no judgment. */
  #tell() {
    if (this.#memory.at === this.#toldAt) return;
    this.#toldAt = this.#memory.at;
    const scroll = Object.entries(this.#memory.scroll).map(([label, share]) => [label, Math.max(0, share)]);
    this.#room.left({ ...this.#memory, scroll: Object.fromEntries(scroll) });
  }
}

function goToText({ element, text }) {
  const isOnePage = document.documentElement.scrollHeight > innerHeight; // on a phone
  text.focus({ preventScroll: true });
  element.scrollIntoView({ block: isOnePage ? "start" : "nearest" });
}
