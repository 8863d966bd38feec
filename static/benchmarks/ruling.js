// Ruling by keyboard: a letter chooses, Ctrl+Enter keeps the ruling, Escape leaves a text.

import { keyOf } from "../platform/keys.js";

const form = document.querySelector("form.review");

/** What is to be said after a choice: what is corrected, from the right answer on, or why a question is excluded. */
function next(choice) {
  if (choice.name !== "fate") return null;
  return { corrected: form.elements.gold, excluded: form.elements.reason }[choice.value];
}

document.addEventListener("keydown", (event) => {
  const { target } = event;
  const key = keyOf(event);
  if (event.altKey || event.metaKey || event.isComposing || form.querySelector("fieldset:disabled")) return;
  if (key === "Enter" && event.ctrlKey) {
    event.preventDefault();
    form.requestSubmit();
  } else if (key === "Escape") {
    target.blur();
  } else if (!event.ctrlKey && !target.matches("textarea, select, input:not([type=radio])")) {
    const choice = form.querySelector(`[data-letter="${CSS.escape(key.toLowerCase())}"]`);
    if (!choice) return;
    event.preventDefault();
    choice.click();
    (next(choice) ?? choice).focus();
  }
});

form.dataset.listens = ""; // to keys
