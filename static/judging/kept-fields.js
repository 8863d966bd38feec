// What is typed or chosen in a form with `data-kept` stays in this browser until the server has taken it: over a reload,
// while another form of the page is sent first, and where the session has ended by the time it is sent.

import { forget, keysOf, recall, remember } from "../platform/memory.js";

const keyOf = (path, name = "") => `kept ${path} ${name}`;

/** A text field or a group of radio buttons, under its name. */
class KeptField {
  #form;
  #name;
  #key;

  constructor(form, name) {
    this.#form = form;
    this.#name = name;
    this.#key = keyOf(location.pathname, name);
  }

  /** What the server put on the page; "" where nothing is chosen. */
  get #held() {
    const controls = [...this.#form.elements].filter(({ name }) => name === this.#name);
    return controls.find(({ type, defaultChecked }) => type !== "radio" || defaultChecked)?.defaultValue ?? "";
  }

  /** Show what was kept. Where the server holds something else than it did then, that was taken, or is older. */
  restore() {
    const kept = recall(this.#key);
    if (kept?.over === this.#held) this.#form.elements.namedItem(this.#name).value = kept.value;
    else forget(this.#key);
  }

  keep() {
    const over = recall(this.#key)?.over ?? this.#held;
    const { value } = this.#form.elements.namedItem(this.#name);
    if (value === over) forget(this.#key);
    else remember(this.#key, { value, over });
  }
}

for (const form of document.querySelectorAll("form[data-kept]")) {
  const controls = form.querySelectorAll("textarea, input[type=radio]");
  const fields = new Map([...controls].map(({ name }) => [name, new KeptField(form, name)]));
  // A refused form comes back with all that was sent, none of which the server holds.
  if (!form.hasAttribute("data-refused")) fields.forEach((field) => field.restore());
  form.addEventListener("input", ({ target }) => fields.get(target.name)?.keep());
}

// Forms that are not shown again once they are taken: a later page names their addresses.
for (const { dataset } of document.querySelectorAll("[data-taken]")) keysOf(keyOf(dataset.taken)).forEach(forget);
