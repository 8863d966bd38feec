// Ruling by keyboard: a letter chooses, Ctrl+Enter keeps the ruling, Escape leaves a text.

const form = document.querySelector("form.review");

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.altKey || event.metaKey || event.isComposing) return;
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
    choice.focus();
    const needsReason = choice.name === "fate" && choice.value !== "stays";
    if (needsReason) form.elements.reason.focus();
  }
});

form.dataset.listens = ""; // to keys
