// The writing room: what is on the screen, what the server holds, and how much time is left.

import { Autosave, csrfToken } from "./autosave.js";
import { ServerClock, TimeAnnouncer, formatAge, formatTimeLeft } from "./clock.js";
import { clean, countWords } from "./words.js";

const TICK = 500;
const AFTER_THE_END = 500; // ms; so that the server agrees that time is up
const TEXT_SIZES = 3;
const TEXT_SIZE_KEY = "writing-text-size";

const byId = (id) => document.getElementById(id);
const desk = byId("desk");
const editor = byId("answer");
const dialog = byId("submit-dialog");

const clock = new ServerClock();
const announcer = new TimeAnnouncer([10, 5, 1], (words) => (byId("announcer").textContent = words));
const autosave = new Autosave({
  url: desk.dataset.saveUrl,
  read: () => editor.value,
  epoch: Number(desk.dataset.epoch),
  seq: Number(desk.dataset.seq),
  text: editor.defaultValue,
});
let savedAt = Date.parse(desk.dataset.savedAt);
let deadline = parseDeadline(desk.dataset.deadline);
let over = false;
let refusal = null;
let leaving = false;

/** Milliseconds of the server's clock, or null where time is not limited. */
function parseDeadline(text) {
  return text ? Date.parse(text) : null;
}

// -- what is shown -------------------------------------------------------------------------------------------

function showLength() {
  const words = countWords(clean(editor.value));
  const phrase = words === 1 ? "1 word" : `${words} words`;
  byId("word-count").textContent = phrase;
  byId("submit-words").textContent = phrase;
  byId("length-words").setAttribute("width", words);
  byId("open-submit").disabled = words === 0 || over || autosave.closed;
}

function status() {
  if (autosave.closed) return "";
  if (!autosave.saved) return autosave.saving ? "Saving…" : "Not saved yet";
  if (editor.value === "") return "Nothing to save yet";
  const now = clock.now();
  return now === null ? "Saved" : `Saved · ${formatAge(Math.max(0, now - savedAt))}`;
}

function notice() {
  if (refusal) return refusal;
  if (autosave.problem === "conflict") return "conflict";
  if (over) return autosave.saved || !autosave.problem ? "over" : "over-unsaved";
  return autosave.problem;
}

function show() {
  byId("status").textContent = status();
  const shown = notice();
  for (const element of document.querySelectorAll("[data-notice]")) {
    element.hidden = element.dataset.notice !== shown;
    const first = element.querySelector("[data-before-submit]");
    if (first && element.hidden) first.hidden = true;
  }
}

function showTimeLeft() {
  const now = clock.now();
  if (deadline === null) return;
  byId("time-left").textContent = now === null ? "checking the clock" : formatTimeLeft(deadline - now);
  if (now !== null) announcer.update(deadline - now);
}

// -- time ----------------------------------------------------------------------------------------------------

function tick() {
  if (clock.jumped()) autosave.save();
  showTimeLeft();
  show();
  const now = clock.now();
  if (deadline === null || now === null || autosave.closed) return;
  if (!over && now >= deadline) end();
  else if (over && autosave.saved && now >= deadline + AFTER_THE_END) handIn();
}

function end() {
  over = true;
  editor.readOnly = true;
  dialog.close();
  byId("announcer").textContent = "Time is up. Your last saved text is being handed in.";
  showLength();
  autosave.save();
}

// -- handing in ----------------------------------------------------------------------------------------------

/** Posts the room's form: the server hands in what it holds and answers with the receipt. */
function handIn() {
  if (leaving) return;
  leaving = true;
  desk.elements.csrfmiddlewaretoken.value = csrfToken();
  desk.submit();
}

/** Where the writer has to do or await something first, says so beside it, outside the dialog. */
function turnedBack() {
  show();
  const first = document.querySelector("[data-notice]:not([hidden]) [data-before-submit]");
  if (!first) return false;
  dialog.close();
  first.hidden = false;
  const remedy = first.closest("[data-notice]").querySelector("a, button");
  (remedy ?? first).focus();
  return true;
}

function openDialog() {
  if (turnedBack()) return;
  byId("submit-problem").textContent = "";
  dialog.showModal();
}

async function saveAndHandIn() {
  byId("hand-in").disabled = true;
  byId("submit-problem").textContent = "";
  await autosave.save();
  if (autosave.saved && !autosave.problem) {
    handIn();
    return;
  }
  byId("hand-in").disabled = false;
  if (turnedBack()) return;
  byId("submit-problem").textContent =
    "Your text could not be saved just now, so it was not handed in. It is kept here; try again in a moment.";
}

// -- wiring --------------------------------------------------------------------------------------------------

autosave.addEventListener("change", show);
autosave.addEventListener("reply", ({ detail }) => {
  clock.sync(Date.parse(detail.now), detail.sentAt, detail.receivedAt);
  savedAt = Date.parse(detail.saved_at);
  deadline = parseDeadline(detail.deadline);
});
autosave.addEventListener("closed", ({ detail }) => {
  refusal = detail.kept ? "late" : "closed";
  editor.readOnly = true;
  dialog.close();
  showLength();
  if (autosave.saved) handIn();
});

editor.addEventListener("input", () => {
  showLength();
  autosave.changed();
});
addEventListener("beforeunload", (event) => {
  if (!autosave.saved && !autosave.closed && !leaving) event.preventDefault();
});
document.addEventListener("visibilitychange", tick);

byId("load-other").addEventListener("click", () => {
  leaving = true;
  location.reload();
});
byId("keep-this").addEventListener("click", () => autosave.keepThis());

byId("open-submit").addEventListener("click", openDialog);
byId("close-submit").addEventListener("click", () => dialog.close());
byId("confirmed").addEventListener("change", (event) => (byId("hand-in").disabled = !event.target.checked));
byId("hand-in").addEventListener("click", saveAndHandIn);

// -- reading comfort -----------------------------------------------------------------------------------------

function storedTextSize() {
  try {
    return Number(localStorage.getItem(TEXT_SIZE_KEY) ?? 1);
  } catch {
    return 1; // storage is switched off
  }
}

function setTextSize(size) {
  document.body.dataset.textSize = size;
  for (const button of document.querySelectorAll("button[data-text-step]")) {
    const next = size + Number(button.dataset.textStep);
    button.disabled = next < 0 || next >= TEXT_SIZES;
  }
  try {
    localStorage.setItem(TEXT_SIZE_KEY, size);
  } catch {
    // Storage is switched off: the size lasts for this page.
  }
}

for (const button of document.querySelectorAll("button[data-text-step]")) {
  button.addEventListener("click", () =>
    setTextSize(Number(document.body.dataset.textSize) + Number(button.dataset.textStep)),
  );
}

const fullScreen = byId("full-screen");
fullScreen.hidden = !document.fullscreenEnabled;
fullScreen.addEventListener("click", () =>
  document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen(),
);
document.addEventListener("fullscreenchange", () =>
  fullScreen.setAttribute("aria-pressed", String(document.fullscreenElement !== null)),
);

// -- beginning -----------------------------------------------------------------------------------------------

const [navigation] = performance.getEntriesByType("navigation");
clock.sync(Date.parse(desk.dataset.now), navigation.requestStart, navigation.responseStart);
setTextSize(storedTextSize());
showLength();
tick();
editor.setSelectionRange(editor.value.length, editor.value.length);
editor.focus({ preventScroll: true }); // on a narrow screen the question above the text stays in view
editor.scrollTop = editor.scrollHeight;
autosave.save(); // asks what the server holds, and sets the clock by the quicker exchange
setInterval(tick, TICK);
