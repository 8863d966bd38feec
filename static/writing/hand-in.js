// The last question before an answer is handed in.

import { saysWhatComesFirst } from "../platform/room-notices.js";

const NOT_SAVED =
  "Your text could not be saved just now, so it was not handed in. It is kept here; try again in a moment.";

const byId = (id) => document.getElementById(id);

export class HandIn {
  #autosave;
  #post;
  #isShort;
  #dialog = byId("submit-dialog");

  /** `post` hands in what `autosave` has saved; of an answer that `isShort()` it is asked whether that is meant. */
  constructor({ autosave, post, isShort }) {
    this.#autosave = autosave;
    this.#post = post;
    this.#isShort = isShort;
    byId("open-submit").addEventListener("click", () => this.#open());
    byId("close-submit").addEventListener("click", () => this.close());
    this.#dialog.addEventListener("change", () => this.#allow());
    byId("hand-in").addEventListener("click", () => this.#saveAndPost());
  }

  close() {
    this.#dialog.close();
  }

  #open() {
    if (saysWhatComesFirst()) return;
    byId("submit-problem").textContent = "";
    byId("short").hidden = byId("short-meant").disabled = !this.#isShort();
    byId("short-meant").checked = false;
    this.#allow();
    this.#dialog.showModal();
  }

  #allow() {
    const isMeant = byId("short-meant").disabled || byId("short-meant").checked;
    byId("hand-in").disabled = !(byId("confirmed").checked && isMeant);
  }

  async #saveAndPost() {
    byId("hand-in").disabled = true;
    byId("submit-problem").textContent = "";
    await this.#autosave.save();
    if (this.#autosave.saved && !this.#autosave.problem) {
      this.#post();
      return;
    }
    this.#allow();
    byId("submit-problem").textContent = NOT_SAVED;
    if (saysWhatComesFirst()) this.close();
  }
}
