// Whether what a judge has given is saved: in a word at the head of the room and, where more is to be known, below it.

import { formatAge } from "../platform/clock.js";
import { excerpt, phrase } from "./judgment-fields.js";
import { showNotice } from "../platform/room-notices.js";
import { SignInAgain } from "../platform/sign-in-again.js";

const TICK = 1000; // ms
const NOT_SIGNED_IN = ["signed-out", "other-person"];
const TROUBLE = ["offline", "unreachable", "refused", "submitted", ...NOT_SIGNED_IN];

const byId = (id) => document.getElementById(id);

export class SaveState {
  #element;
  #outbox;
  #announce;
  #blank;
  #signInAgain;
  #state = null;
  #isWorried = false;

  /**
   * `element` is the header's [data-save-state], `blank` its words while nothing is given; `announce(text)` says
   * something to who does not see it.
   */
  constructor(element, { outbox, announce, blank }) {
    this.#element = element;
    this.#outbox = outbox;
    this.#announce = announce;
    this.#blank = blank;
    this.#signInAgain = new SignInAgain(byId("sign-in-again"), { onSignedIn: () => this.#signedIn() });
    for (const button of document.querySelectorAll("[data-sign-in-again]")) {
      button.addEventListener("click", () => this.#signInAgain.open());
    }
    byId("try-again").addEventListener("click", () => outbox.refresh());
    byId("conflict-list").addEventListener("click", ({ target }) => this.#decide(target));
    setInterval(() => this.#showWord(), TICK);
  }

  /** For `onState` of the outbox. */
  show(state) {
    this.#state = state;
    this.#element.dataset.saveState = state.name;
    this.#showWord();
    showNotice(TROUBLE.includes(state.name) ? state.name : null);
    byId("refusal").textContent = state.message ?? "";
    byId("no-journal").hidden = state.lasts;
    byId("not-taken-in").hidden = state.unsent.length === 0;
    byId("not-taken-in-names").textContent = state.unsent.join("; ");
    if (state.changes) byId("up-to-date").hidden = false;
    else if (state.name === "saving") byId("up-to-date").hidden = true;
    if (this.#signInAgain.isOpen && !NOT_SIGNED_IN.includes(state.name)) this.#signedIn();
    this.#announceRelief();
  }

  /** For `onConflict` of the outbox. */
  showConflicts(conflicts) {
    byId("conflicts").hidden = conflicts.length === 0;
    byId("conflict-list").replaceChildren(...conflicts.map(line));
  }

  get #word() {
    const { name, unsent, isBlank, savedAt } = this.#state;
    if (name === "submitted") return "Submitted";
    if (name === "saving") return "Saving …";
    if (unsent.length) return name === "conflict" ? "Please choose" : "Not saved yet";
    if (isBlank) return this.#blank;
    return savedAt === null ? "Saved" : `Saved · ${formatAge(performance.now() - savedAt)}`;
  }

  /** The notices speak for themselves; that all is well again is only seen. */
  #announceRelief() {
    const { name } = this.#state;
    if (TROUBLE.includes(name) || name === "conflict") {
      this.#isWorried = true;
    } else if (this.#isWorried && name !== "saving") {
      this.#isWorried = false;
      this.#announce(this.#word);
    }
  }

  #showWord() {
    if (this.#state && this.#element.textContent !== this.#word) this.#element.textContent = this.#word;
  }

  #decide({ dataset: { field, whose } }) {
    if (!whose) return;
    this.#outbox.settle(field, whose);
    (byId("conflict-list").querySelector("button") ?? this.#element).focus(); // the button that was pressed is gone
  }

  #signedIn() {
    this.#signInAgain.close();
    this.#outbox.refresh();
  }
}

function line({ field, name, value, held }) {
  const isText = field === "justification";
  const item = byId("conflict").content.firstElementChild.cloneNode(true);
  const [mine, theirs] = item.querySelectorAll("button");
  item.querySelector("[data-name]").textContent = name;
  item.querySelector("[data-mine]").textContent = isText ? excerpt(value) : phrase(value);
  item.querySelector("[data-theirs]").textContent = isText ? excerpt(held) : phrase(held);
  mine.textContent = isText ? "Keep what is here" : `Keep ${phrase(value)}`;
  theirs.textContent = isText ? "Take the other" : `Take ${phrase(held)}`;
  for (const button of [mine, theirs]) button.dataset.field = field;
  return item;
}
