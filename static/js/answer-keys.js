// Forms of pairs of buttons, answered by `y` and `n` while one of a pair has the focus. All else is as in any form.

const ANSWERS = { y: 0, n: 1 };

function answer(event) {
  const choice = ANSWERS[event.key];
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (choice === undefined || hasModifier || !event.target.matches("[data-answer]")) return;
  event.preventDefault();
  const pair = event.target.closest("fieldset");
  pair.querySelectorAll("[data-answer]")[choice].checked = true;
  const controls = [...event.currentTarget.querySelectorAll("input:not([type=hidden]), textarea, button")];
  controls.find((control) => pair.compareDocumentPosition(control) === Node.DOCUMENT_POSITION_FOLLOWING)?.focus();
}

for (const form of document.querySelectorAll("[data-answer-keys]")) {
  form.addEventListener("keydown", answer);
  for (const help of form.querySelectorAll("[data-answer-keys-help]")) help.hidden = false;
}
