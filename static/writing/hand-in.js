// The last question before an answer is handed in.

import { saysWhatComesFirst } from "../platform/room-notices.js";

const NOT_SAVED =
  "Your text could not be saved just now, so it was not handed in. It is kept here; try again in a moment.";

const byId = (id) => document.getElementById(id);

export class HandIn {
  #autosave;
  #post;
  #dialog = byId("submit-dialog");

  /** `post` hands in what `autosave` has saved. */
  constructor({ autosave, post }) {
    this.#autosave = autosave;
    this.#post = post;
    byId("open-submit").addEventListener("click", () => this.#open());
    byId("close-submit").addEventListener("click", () => this.close());
    byId("confirmed").addEventListener("change", ({ target }) => (byId("hand-in").disabled = !target.checked));
    byId("hand-in").addEventListener("click", () => this.#saveAndPost());
  }

  close() {
    this.#dialog.close();
  }

  #open() {
    if (saysWhatComesFirst()) return;
    byId("submit-problem").textContent = "";
    this.#dialog.showModal();
  }

  async #saveAndPost() {
    byId("hand-in").disabled = true;
    byId("submit-problem").textContent = "";
    await this.#autosave.save();
    if (this.#autosave.saved && !this.#autosave.problem) {
      this.#post();
      return;
    }
    byId("hand-in").disabled = false;
    byId("submit-problem").textContent = NOT_SAVED;
    if (saysWhatComesFirst()) this.close();
  }
}
