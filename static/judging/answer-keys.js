// Forms of pairs of buttons, answered by `y` and `n` while one of a pair has the focus; Ctrl+Enter keeps what is said
// from a text box. All else is as in any form.

import { keyOf } from "../platform/keys.js";

const ANSWERS = { y: 0, n: 1 };

function answer(event) {
  const form = event.currentTarget;
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (event.target.matches("textarea")) {
    if (event.key === "Enter" && hasModifier) form.requestSubmit(form.querySelector("[type=submit]"));
    return;
  }
  const choice = ANSWERS[keyOf(event)];
  if (choice === undefined || hasModifier || !event.target.matches("[data-answer]")) return;
  event.preventDefault();
  const pair = event.target.closest("fieldset");
  pair.querySelectorAll("[data-answer]")[choice].checked = true;
  // A letter too many would be written into a text box, so these are passed over.
  const controls = [...form.querySelectorAll("input:not([type=hidden]), button")];
  controls.find((control) => pair.compareDocumentPosition(control) === Node.DOCUMENT_POSITION_FOLLOWING)?.focus();
}

for (const form of document.querySelectorAll("[data-answer-keys]")) {
  form.addEventListener("keydown", answer);
  for (const help of form.querySelectorAll("[data-answer-keys-help]")) help.hidden = false;
  if (form.dataset.answerKeys === "at once" && !location.hash) {
    form.querySelector("[data-answer]")?.focus({ preventScroll: true });
  }
}
