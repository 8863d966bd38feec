// Text size, full screen, undo and redo in the writing room.

const TEXT_SIZES = 3;
const TEXT_SIZE_KEY = "writing-text-size";

const steps = document.querySelectorAll("button[data-text-step]");
const edits = document.querySelectorAll("button[data-edit]");
const fullScreen = document.getElementById("full-screen");

function storedTextSize() {
  try {
    return Number(localStorage.getItem(TEXT_SIZE_KEY) ?? 1);
  } catch {
    return 1; // storage is switched off
  }
}

function setTextSize(size) {
  document.body.dataset.textSize = size;
  for (const button of steps) {
    const next = size + Number(button.dataset.textStep);
    button.disabled = next < 0 || next >= TEXT_SIZES;
  }
  try {
    localStorage.setItem(TEXT_SIZE_KEY, size);
  } catch {
    // Storage is switched off: the size lasts for this page.
  }
}

for (const button of steps) {
  button.addEventListener("click", () =>
    setTextSize(Number(document.body.dataset.textSize) + Number(button.dataset.textStep)),
  );
}
setTextSize(storedTextSize());

// The browser's own history of the editor is used, so that the buttons and the keys undo the same things.
for (const button of edits) {
  button.addEventListener("click", () => {
    document.getElementById("answer").focus();
    document.execCommand(button.dataset.edit);
  });
}

fullScreen.hidden = !document.fullscreenEnabled;
fullScreen.addEventListener("click", () =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
);
document.addEventListener("fullscreenchange", () =>
  fullScreen.setAttribute("aria-pressed", String(document.fullscreenElement !== null)),
);
