// The judging room: one answer at a time, scores or places, the ranking beside them. Without this script the page
// is one long form.
import { csrfToken } from "./csrf.js";
import { keyOfItem, recall, remember } from "./judging-memory.js";
import { PlaceSheet } from "./judging-places.js";
import { ScoreSheet } from "./judging-scores.js";

const ANNOUNCE_AFTER_MS = 1000;
const SAVE_STATES = {
  ready: "Nothing given yet",
  saved: "Saved",
  saving: "Saving …",
  kept: "Kept in this browser until you submit",
  "not-kept": "Not kept: submit before you leave",
  offline: "You are offline. Scores are kept here and will be saved.",
  unreachable: "Not saved yet. Trying again …",
  "signed-out": "You have been signed out. Sign in again in a new window; scores are kept here.",
};
const CALM = ["ready", "saved", "saving", "kept"];

const form = document.querySelector("[data-judging]");
const part = (name, within = form) => within.querySelector(`[data-${name}]`);
const answers = [...form.querySelectorAll("[data-answer]")].map((element) => ({
  element,
  label: element.dataset.answer,
  slot: element.dataset.slot,
  text: element.querySelector(".answer-text"),
}));

// -- what this browser remembers of the item ---------------------------------------------------------------------
const key = keyOfItem(form.dataset.item);
const memory = recall(key) ?? {};
const rememberPart = (name, value) => remember(key, Object.assign(memory, { [name]: value }));

// -- telling the judge -------------------------------------------------------------------------------------------
const status = document.querySelector("[data-announce]");
let worried = false;

function announce(text) {
  status.textContent = text;
}

function showSaveState({ name, message = SAVE_STATES[name] }) {
  const element = part("save-state");
  element.textContent = message;
  element.dataset.saveState = name;
  const calm = CALM.includes(name);
  if (!calm || (worried && name === "saved")) announce(message);
  if (name !== "saving") worried = !calm;
}

// -- the ranking -------------------------------------------------------------------------------------------------
let announcedRanking = "";
let announcing;

function rankingRow({ rank, labels, sum, mean }) {
  const row = part("row-template").content.firstElementChild.cloneNode(true);
  const tied = labels.length > 1;
  row.classList.toggle("is-tie", tied);
  part("rank", row).textContent = tied ? `${rank}=` : rank;
  part("labels", row).textContent = labels.join(", ");
  if (part("sum", row)) part("sum", row).textContent = sum;
  if (part("mean", row)) part("mean", row).textContent = mean;
  return row;
}

function showRanking() {
  const rows = sheet.rows();
  const complete = rows.length > 0;
  part("ranking").hidden = part("ranking-rows").hidden = !complete;
  part("ranking").tBodies[0].replaceChildren(...rows.map(rankingRow));
  part("ranking-wait").hidden = complete;
  part("given").textContent = sheet.given;
  part("finish").disabled = !complete;
  announceRanking(rows);
}

function announceRanking(rows) {
  const spoken = rows.map(({ rank, labels }) => `${rank}${labels.length > 1 ? " shared" : ""}: ${labels.join(", ")}`);
  const text = spoken.join("; ");
  clearTimeout(announcing);
  if (!text || text === announcedRanking) return;
  announcing = setTimeout(() => {
    announcedRanking = text;
    announce(`Ranking. ${text}.`);
  }, ANNOUNCE_AFTER_MS);
}

// -- one answer at a time ----------------------------------------------------------------------------------------
let open = answers[0];

function showStates() {
  for (const answer of answers) {
    const link = form.querySelector(`.answer-rail [data-open="${answer.label}"]`);
    const opened = (memory.opened ?? []).includes(answer.label);
    const state = sheet.stateOf(answer) || (opened ? "opened" : "unread");
    part("rail-state", link).textContent = state;
    link.dataset.state = state.replace(" ", "-");
    if (answer === open) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function show(answer) {
  open = answer;
  for (const other of answers) other.element.classList.toggle("is-open", other === answer);
  rememberPart("open", answer.label);
  rememberPart("opened", [...new Set([...(memory.opened ?? []), answer.label])]);
  sheet.opened?.(answer);
  showStates();
}

/** Show the answer and take the focus along: to its scores from other scores, else to its text. */
function go(label) {
  const answer = answers.find((candidate) => candidate.label === label);
  const scoring = document.activeElement.closest("[data-dimension]") !== null;
  show(answer);
  if (scoring) sheet.focus(answer);
  else answer.text.focus();
}

form.addEventListener("click", (event) => {
  const link = event.target.closest("[data-open]");
  if (!link) return;
  event.preventDefault();
  go(link.dataset.open);
});

// -- keys --------------------------------------------------------------------------------------------------------
const help = document.querySelector("[data-help]");
const shortcuts = part("shortcuts", help);
shortcuts.checked = recall("judging-shortcuts") !== false;
shortcuts.addEventListener("change", () => remember("judging-shortcuts", shortcuts.checked));
part("close-help", help).addEventListener("click", () => help.close());
part("show-help").addEventListener("click", () => help.showModal());

function isTyping(element) {
  return element.matches("textarea, select, input:not([type=radio], [type=checkbox])");
}

function press(pressed) {
  if (pressed === "?") {
    help.showModal();
    return true;
  }
  if (answers.some(({ label }) => label === pressed.toUpperCase())) {
    go(pressed.toUpperCase());
    return true;
  }
  return sheet.press?.(pressed, open) ?? false;
}

document.addEventListener("keydown", (event) => {
  const busy = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey;
  if (busy || !shortcuts.checked || isTyping(event.target) || document.querySelector("dialog[open]")) return;
  if (press(event.key)) event.preventDefault();
});

// -- prompt, rubric and scores stay open or closed as they were left -----------------------------------------------
const brief = recall("judging-brief") ?? {};
for (const details of form.querySelectorAll("[data-remember]")) {
  details.open = brief[details.dataset.remember] ?? details.open;
  details.addEventListener("toggle", () => {
    remember("judging-brief", Object.assign(brief, { [details.dataset.remember]: details.open }));
  });
}

// -- on a tablet the scores stand at the foot of the text and can be folded away ------------------------------------
const folds = [...form.querySelectorAll("[data-fold]")];

function fold(folded) {
  form.classList.toggle("has-folded-scores", folded);
  for (const button of folds) button.setAttribute("aria-expanded", String(!folded));
}

for (const button of folds) {
  button.addEventListener("click", () => fold(!form.classList.contains("has-folded-scores")));
}

// -- submitting --------------------------------------------------------------------------------------------------
const confirm = part("confirm");
let submitting = false;

part("finish").addEventListener("click", () => {
  part("confirm-problem").textContent = "";
  part("confirm-ranking").replaceChildren(part("ranking").cloneNode(true));
  confirm.showModal();
});
part("back").addEventListener("click", () => confirm.close());

form.addEventListener("submit", async (event) => {
  submitting = confirm.open && navigator.onLine && !sheet.onTheWay;
  if (submitting) {
    form.elements.csrfmiddlewaretoken.value = csrfToken();
    return;
  }
  event.preventDefault();
  if (!confirm.open) return; // Enter in a field is not a decision
  if (navigator.onLine && (await sheet.flush())) {
    form.requestSubmit(part("submit"));
  } else {
    part("confirm-problem").textContent = "There is no connection. Everything is kept here: submit again in a moment.";
  }
});
addEventListener("beforeunload", (event) => {
  if (sheet.unsaved && !submitting) event.preventDefault();
});

const justification = form.elements.justification;
if (justification) {
  const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
  const count = () => {
    const found = [...sentences.segment(justification.value)].filter(({ segment }) => /\p{L}/u.test(segment));
    part("sentences").textContent = `So far ${found.length}.`;
  };
  justification.value ||= memory.justification ?? "";
  justification.addEventListener("input", () => {
    rememberPart("justification", justification.value);
    count();
  });
  count();
}

// -- begin -------------------------------------------------------------------------------------------------------
const room = {
  announce,
  saveState: showSaveState,
  recall: (name) => memory[name],
  remember: rememberPart,
  changed() {
    showStates();
    showRanking();
  },
};
const Sheet = form.dataset.mode === "scores" ? ScoreSheet : PlaceSheet;
const sheet = new Sheet(form, answers, room);
show(answers.find(({ label }) => label === memory.open) ?? answers[0]);
showRanking();
showSaveState({ name: sheet.saveState });
clearTimeout(announcing); // only changes are announced
