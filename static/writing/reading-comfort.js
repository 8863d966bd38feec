// Text size, full screen, undo and redo in the writing room.

import { listenForTextSize } from "../platform/text-size.js";

listenForTextSize();

const edits = document.querySelectorAll("button[data-edit]");
const fullScreen = document.getElementById("full-screen");

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
