// The judging room: puts its parts together. Without this script the page is one long form.
import { painted } from "../platform/first-paint.js";
import { keyOf } from "../platform/keys.js";
import { recall, remember } from "../platform/memory.js";
import { listenForTextSize } from "../platform/text-size.js";
import { Find } from "./reading/find.js";
import { Marks } from "./marks/judging-marks.js";
import { ScrollTogether } from "./reading/scroll-together.js";
import { Views } from "./judging-views.js";
import { JudgmentOutbox } from "./judgment-outbox.js";
import { RankingPanel } from "./ranking/ranking-panel.js";
import { ReadingTime } from "./reading-time.js";
import { SaveState } from "./save-state.js";
import { SubmitItem } from "./submit-item.js";
import { Undo } from "./undo/undo.js";

await painted();
listenForTextSize();
const form = document.querySelector("[data-judging]");
const { person, item, rubric, mode, saveUrl, stateUrl } = form.dataset;
const part = (name, within = form) => within.querySelector(`[data-${name}]`);
const held = JSON.parse(document.getElementById("held").textContent);
const answers = [...form.querySelectorAll("[data-answer]")].map((element) => ({
  element,
  label: element.dataset.answer,
  slot: element.dataset.slot,
  text: element.querySelector(".answer-text"),
  scores: form.querySelector(`[data-scores="${element.dataset.answer}"]`),
}));

// A room that comes back because its submission was refused stands at another address, which is no place to return to.
history.replaceState(null, "", new URL("..", new URL(saveUrl, location)));

function announce(text) {
  document.querySelector("[data-announce]").textContent = text;
}

// -- what is given, and what follows from it -----------------------------------------------------------------------
const outbox = new JudgmentOutbox({
  person,
  item,
  rubric,
  saveUrl,
  stateUrl,
  held,
  onState: (state) => saveState.show(state),
  onValue: take,
  onConflict: (conflicts) => saveState.showConflicts(conflicts),
});
const saveState = new SaveState(part("save-state"), {
  outbox,
  announce,
  blank: mode === "scores" ? "No scores yet" : "No places yet",
});
const put = (field, value) => outbox.put(field, value);

// Only the one that this item needs is loaded.
const sheets = mode === "scores" ? await import("./judging-scores.js") : await import("./ranking/judging-tiers.js");
const Sheet = sheets.ScoreSheet ?? sheets.TierSheet;
const undo = new Undo(form, { value: (field) => outbox.value(field), put, announce, show: bringBack });
const give = (field, value) => undo.give(field, value);
const sheet = new Sheet(form, answers, { put: give, announce, changed, reveal });
const panel = new RankingPanel(form, { announce });
const submit = new SubmitItem(form, { outbox, sheet });
const marks = new Marks(form, answers, { put, announce, opened: (answer) => views.open(answer) });
const together = new ScrollTogether(answers, part("together"), () => views.shown);
const views = new Views(form, answers, {
  announce,
  focusScores: (answer) => sheet.focus(answer),
  opened(answer) {
    form.querySelector(".judging-side").scrollTop = 0; // to the head of its scores, where they scroll
    sheet.opened?.(answer);
    marks.show(answer);
    showNext(answer);
    for (const link of document.querySelectorAll("[data-flag]")) link.search = `?about=${answer.label}`;
  },
  placed: () => together.look(answers),
  left: (memory) => put("view", memory),
});
const find = new Find(part("find"), answers, { announce, opened: (answer) => views.open(answer) });
const reading = new ReadingTime(answers, {
  put,
  shown: () => views.shown,
  depths: Object.fromEntries(answers.map((answer) => [answer.slot, depthOf(answer)])),
  onRead(answer) {
    views.keepRead(answer);
    showStates();
  },
});

function depthOf(answer) {
  return views.wasRead(answer) ? 100 : Number(answer.element.dataset.depth);
}

/** A value that this page did not know: given here before, in another window, or on another device. */
function take(field, value) {
  const [kind] = field.split(":");
  if (kind === "mark") marks.set(field, value);
  else if (kind === "justification") submit.set(field, value);
  else sheet.set(field, value);
}

/** A value that was taken back, or given again: nothing changes that is not seen. */
function bringBack(field, value) {
  views.turnTo(answers.find(({ slot }) => slot === field.split(":")[1]));
  take(field, value);
  sheet.opened?.(views.current); // keys go on where something is missing again
  reveal(sheet.fieldOf(field));
}

function changed() {
  showStates();
  panel.show(sheet.rows(), sheet.given);
  showNext(views.current);
}

/** Offer the next answer that lacks scores once the `current` one has all of its own. */
function showNext(current) {
  const next = part("next");
  if (!next) return;
  const at = answers.indexOf(current);
  const isScored = (answer) => sheet.stateOf(answer) === "scored";
  const waiting = [...answers.slice(at + 1), ...answers.slice(0, at)].find((answer) => !isScored(answer));
  next.classList.toggle("is-out", !waiting || !isScored(current));
  next.dataset.open = part("next-label").textContent = waiting?.label ?? "";
  part("hint").classList.toggle("is-out", answers.some(isScored));
}

/** Bring what a key is about to change into view. */
function reveal(element) {
  fold(false);
  element.scrollIntoView({ block: "nearest" });
}

function showStates() {
  views.showStates((answer) => sheet.stateOf(answer) || (reading.hasRead(answer) ? "read" : "unread"));
}

for (const [field, value] of Object.entries(held)) if (field.startsWith("mark:")) marks.set(field, value);
outbox.restore();
sheet.catchUp((field) => outbox.value(field));
changed();

// -- keys ----------------------------------------------------------------------------------------------------------
const GIVES = /^[a-z0-9/?]$/i;
const help = document.querySelector("[data-help]");
const shortcuts = part("shortcuts", help);
shortcuts.checked = recall("judging-shortcuts") !== false;
shortcuts.addEventListener("change", () => remember("judging-shortcuts", shortcuts.checked));
part("close-help", help).addEventListener("click", () => help.close());
part("show-help").addEventListener("click", () => help.showModal());

/** In a field for points, which takes figures alone, letters and signs are the room's. */
function isTyping({ target, key }) {
  if (target.matches(".points > input")) return key.length > 1 || /[0-9 -]/.test(key);
  return target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
}

function finish() {
  const button = part("finish");
  if (!button.disabled) button.click();
  else announce(`Not yet: ${sheet.given} of ${sheet.wanted} are given.`);
}

function press(key) {
  const next = part("next");
  if (key === "x" && next && !next.matches(".is-out")) next.click();
  else if (key === "s") finish();
  else if (key === "/") find.open();
  else if (key === "t" && views.view === "compare") announce(`Scrolling together is ${together.turn() ? "on" : "off"}.`);
  else if (key !== "?") return views.press(key) || sheet.press(key, views.current) || marks.press(key, views.current);
  else help.showModal();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || isTyping(event) || document.querySelector("dialog[open]")) return;
  const isWritten = event.altKey && !event.metaKey && /^[[\]]$/.test(event.key); // by AltGr, as on many keyboards
  if ((event.ctrlKey || event.metaKey) && !isWritten) {
    const isSaving = keyOf(event) === "s"; // all that is given is saved already, or as soon as it can be
    if (isSaving) outbox.refresh();
    if (isSaving || undo.press(event)) event.preventDefault();
    return;
  }
  if ((event.altKey && !isWritten) || !shortcuts.checked) return;
  const key = keyOf(event);
  if (event.repeat && GIVES.test(key)) event.preventDefault(); // held a moment too long, it would score all dimensions
  else if (press(key)) event.preventDefault();
});

// -- on a tablet and in a low window the scores can be folded away --------------------------------------------------
function fold(isFolded) {
  form.classList.toggle("has-folded-scores", isFolded);
  part("fold")?.setAttribute("aria-expanded", String(!isFolded));
}

part("fold")?.addEventListener("click", () => fold(!form.classList.contains("has-folded-scores")));

performance.mark("usable");
