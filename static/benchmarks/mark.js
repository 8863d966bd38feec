// Marking by keyboard: a letter gives the verdict and goes on, U takes it back, B and N turn the pages.

import { keyOf } from "../platform/keys.js";

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.metaKey || event.ctrlKey || event.isComposing || event.repeat) return;
  const letter = CSS.escape(keyOf(event).toLowerCase());
  const choice = document.querySelector(`form.review :not(:disabled)[data-letter="${letter}"]`);
  if (!choice || choice.closest(":disabled")) return;
  event.preventDefault();
  choice.click();
});
