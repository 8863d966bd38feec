// Buttons that tick or clear all boxes of a part of the page: <button type="button" data-tick="#part" value="on" hidden>.

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-tick]");
  if (!button) return;
  for (const box of document.querySelectorAll(`${button.dataset.tick} input[type="checkbox"]`)) {
    box.checked = button.value === "on";
  }
});

// They do nothing without a script, so they are hidden until there is one.
for (const button of document.querySelectorAll("button[data-tick]")) button.hidden = false;
