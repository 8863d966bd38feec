// Signing in without leaving the page: the site's own sign-in pages in a frame, in a dialog above the page.

const CONTROLS = "main :is(input:not([type=hidden]), button)";

export class SignInAgain {
  #dialog;
  #frame;
  #onSignedIn;

  /** `dialog` is that of sign_in_again.html. `onSignedIn` is called once its person has signed in, and nobody else. */
  constructor(dialog, { onSignedIn }) {
    this.#dialog = dialog;
    this.#onSignedIn = onSignedIn;
    // The pages visited in the frame go with it, or the browser's Back button would lead through them.
    dialog.addEventListener("close", () => this.#frame.remove());
  }

  get isOpen() {
    return this.#dialog.open;
  }

  open() {
    if (this.isOpen) return;
    this.#frame = document.createElement("iframe");
    this.#frame.title = "Sign in";
    this.#frame.src = this.#dialog.dataset.url;
    this.#frame.addEventListener("load", () => this.#enter(this.#frame.contentDocument));
    this.#dialog.append(this.#frame);
    this.#dialog.showModal();
  }

  close() {
    this.#dialog.close();
  }

  /** Each page of the frame takes the focus where something is left to do, and is left by Escape, until one says
   *  who is signed in. */
  #enter(page) {
    const { person, email } = this.#dialog.dataset;
    const signedIn = page?.getElementById("signed-in")?.dataset.person;
    this.#dialog.querySelector("[data-other-person]").hidden = !signedIn;
    if (signedIn === person) {
      this.#onSignedIn();
      return;
    }
    for (const field of page?.querySelectorAll("main input[type=email]") ?? []) field.value ||= email;
    const ownButton = `tr[data-person="${person}"] button`; // among those of all demonstration people
    const controls = [...(page?.querySelectorAll(CONTROLS) ?? [])];
    (page?.querySelector(ownButton) ?? controls.find(({ value }) => !value))?.focus();
    page?.addEventListener("keydown", ({ key }) => key === "Escape" && this.close());
  }
}
