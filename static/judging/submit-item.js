// The last step: what was ranked is confirmed, what is on its way arrives, and the form is posted once.

import { csrfToken } from "../platform/csrf.js";

const OFFLINE =
  "You are offline, so the item was not submitted. Everything is kept here: submit again in a moment.";
const NOT_SAVED =
  "Not everything could be saved yet, so the item was not submitted. Everything is kept here, and the top of the " +
  "page says what is missing: submit again when it says “Saved”.";
const NO_JUSTIFICATION = "No justification is given.";

export class SubmitItem {
  #form;
  #outbox;
  #sheet;
  #dialog;
  #isSubmitting = false;

  /** `outbox` takes what is typed here, and knows what is on its way. */
  constructor(form, { outbox, sheet }) {
    this.#form = form;
    this.#outbox = outbox;
    this.#sheet = sheet;
    this.#dialog = form.querySelector("[data-confirm]");
    form.querySelector("[data-finish]").addEventListener("click", () => this.#open());
    this.#dialog.addEventListener("click", ({ target }) => {
      if (target.closest("[data-back]")) this.#dialog.close();
    });
    form.addEventListener("submit", (event) => this.#submit(event));
    addEventListener("pageshow", () => this.#allow());
    this.#justification?.addEventListener("input", () => {
      outbox.put("justification", this.#justification.value);
      this.#countSentences();
    });
    this.#countSentences();
  }

  /** Show a justification that was given elsewhere or before. */
  set(_field, value) {
    this.#justification.value = value ?? "";
    this.#countSentences();
  }

  #open() {
    if (this.#justification && !this.#isJustified()) return;
    this.#allow();
    this.#say("");
    this.#askAboutEqualScores();
    this.#dialog.showModal();
    this.#part("confirm-heading").focus(); // where neither Enter nor Space does anything yet
  }

  /** Repeat the justification in the dialog; where one is required and missing, the browser asks for it. */
  #isJustified() {
    const { value } = this.#justification;
    this.#outbox.put("justification", value); // it may have been typed before this script ran
    this.#part("justification-shown").textContent = value.trim() || NO_JUSTIFICATION;
    return this.#justification.reportValidity();
  }

  /** Where the study wants it: whether it is meant that nothing tells the answers apart. */
  #askAboutEqualScores() {
    const question = this.#part("equal");
    if (!question) return;
    question.hidden = this.#sheet.rows().length > 1;
    const box = question.querySelector("input");
    box.disabled = question.hidden;
    box.checked = false;
  }

  async #submit(event) {
    event.preventDefault();
    if (!this.#dialog.open || this.#isSubmitting) return; // Enter in a field is not a decision
    this.#isSubmitting = true;
    this.#part("submit").setAttribute("aria-disabled", "true");
    this.#say("Submitting …");
    const isSaved = await this.#outbox.flush();
    if (isSaved && navigator.onLine) {
      this.#post();
    } else {
      this.#allow();
      this.#say(navigator.onLine ? NOT_SAVED : OFFLINE);
    }
  }

  /** Posts without another `submit` event. The server checks that it holds what the page shows. */
  #post() {
    this.#form.elements.is_saved.disabled = false;
    this.#form.elements.csrfmiddlewaretoken.value = csrfToken();
    HTMLFormElement.prototype.submit.call(this.#form);
  }

  /** Nothing is being submitted (any more): also where the browser leads back to this page. */
  #allow() {
    this.#isSubmitting = false;
    this.#form.elements.is_saved.disabled = true;
    this.#part("submit").removeAttribute("aria-disabled");
  }

  #say(text) {
    this.#part("confirm-problem").textContent = text;
  }

  #countSentences() {
    if (!this.#justification) return;
    this.#form.querySelector("[data-sentences]").textContent = `${sentencesIn(this.#justification.value)} of`;
  }

  get #justification() {
    return this.#form.elements.justification;
  }

  #part(name) {
    return this.#dialog.querySelector(`[data-${name}]`);
  }
}

function sentencesIn(text) {
  const segments = new Intl.Segmenter("en", { granularity: "sentence" }).segment(text);
  return [...segments].filter(({ segment }) => /\p{L}/u.test(segment)).length;
}
