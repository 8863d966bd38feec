// Annotating a question: by keyboard or mouse, kept as it is said, and taken back step by step.

import { keyOf } from "../platform/keys.js";
import { putBack } from "../platform/on-disk.js";
import { SignInAgain } from "../platform/sign-in-again.js";
import { prefixOf } from "./review-memory.js";
import { ReviewOutbox } from "./review-outbox.js";

const VERDICTS = { n: "sound", m: "model", f: "flawed" };
const WORDS = { saving: "Saving …", saved: "Saved", conflict: "Please choose" };
const MAX_STEPS = 100;
const TEXTS = "textarea, select, input:not([type=radio], [type=checkbox])";

const form = document.querySelector("form.review");
const stage = form.querySelector(".review-form");
const undo = form.querySelector("[data-undo]");
const lacks = form.querySelector("[data-lacks]");
const stateWord = form.querySelector("[data-save-state]");
const isOpen = !stage.disabled;

await putBack(prefixOf(form.dataset.person)); // before anything is read that a killed browser may have forgotten

let steps = []; // the form's fields before each change, the last one last
let shown = said();
let typingIn = null; // the text whose changes are one step
let category = null; // the figure that was pressed
let conflict = null;

const outbox = new ReviewOutbox({
  person: form.dataset.person,
  review: form.dataset.review,
  url: form.action,
  revision: Number(form.elements.over.value),
  page: { title: `${form.dataset.study}: question ${form.dataset.position}`, path: location.pathname },
  onState,
});
const signIn = new SignInAgain(document.getElementById("sign-in-again"), {
  onSignedIn() {
    signIn.close();
    outbox.flush();
  },
});

// -- what is said ----------------------------------------------------------------------------------------------

/** What the form says, as one text; without what only carries it. */
function said() {
  const fields = new URLSearchParams(new FormData(form));
  fields.delete("csrfmiddlewaretoken");
  fields.delete("over");
  return fields.toString();
}

function show(body) {
  const fields = new URLSearchParams(body);
  for (const field of form.elements) {
    if (!field.name || field.type === "hidden") continue;
    if (field.matches("[type=radio], [type=checkbox]")) field.checked = fields.getAll(field.name).includes(field.value);
    else field.value = fields.get(field.name) ?? (field.matches("select") ? "item" : "");
  }
  const evaluation = form.querySelector("[data-evaluation]");
  evaluation.open ||= fields.has("evaluation");
  shown = said();
}

function changed(field) {
  const isText = field?.matches(TEXTS);
  if (!isText || typingIn !== field) steps = [...steps, shown].slice(-MAX_STEPS);
  typingIn = isText ? field : null;
  keep();
}

function keep() {
  shown = said();
  undo.disabled = steps.length === 0;
  outbox.put(shown);
}

/** A flaw makes the question flawed, and a question without flaw has none. */
function follow(field) {
  if (field.name === "flaw" && field.checked) form.elements.verdict.value = "flawed";
  if (field.name === "verdict" && field.value !== "flawed") {
    for (const flaw of form.querySelectorAll("[name=flaw]")) flaw.checked = false;
  }
}

function takeBack() {
  const before = steps.pop();
  if (before === undefined) return;
  typingIn = null;
  show(before);
  keep();
}

// -- what becomes of it ----------------------------------------------------------------------------------------

function onState(name, detail = {}) {
  stateWord.textContent = WORDS[name] ?? "Not saved yet";
  stateWord.dataset.saveState = name;
  for (const notice of form.querySelectorAll("[data-notice]")) notice.hidden = notice.dataset.notice !== name;
  if (name === "saved") lacks.textContent = detail.lacks.join(" ");
  if (name === "refused") form.querySelector("[data-refusal]").textContent = detail.error;
  conflict = name === "conflict" ? detail : null;
}

form.querySelector("[data-mine]").addEventListener("click", () => outbox.insist(conflict.revision));
form.querySelector("[data-theirs]").addEventListener("click", () => {
  const fields = Object.entries(conflict.conflict).flatMap(([name, values]) => values.map((value) => [name, value]));
  outbox.forget(conflict.revision);
  show(new URLSearchParams(fields).toString());
  onState("saved", { lacks: conflict.lacks });
});
form.querySelector("[data-sign-in-again]").addEventListener("click", () => signIn.open());

// -- going on --------------------------------------------------------------------------------------------------

/** To the next question, once this one is complete and saved. */
async function goOn() {
  if (!(await outbox.flush())) return;
  if (form.querySelector("[name=verdict]:checked") === null) lacks.textContent = "Say whether the question is flawed.";
  if (lacks.textContent.trim()) return;
  location.assign(form.dataset.open);
}

async function goTo(address) {
  if (address && (await outbox.flush())) location.assign(address);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  goOn();
});
for (const link of form.querySelectorAll("[data-go]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(link.href);
  });
}
undo.addEventListener("click", takeBack);
form.addEventListener("input", ({ target }) => {
  follow(target);
  changed(target);
});

// -- keys ------------------------------------------------------------------------------------------------------

function press(field) {
  field.click();
  field.closest(".flaw")?.querySelector("textarea")?.focus();
}

function awaitFlaw(group) {
  for (const each of form.querySelectorAll("[data-awaits]")) delete each.dataset.awaits;
  category = group;
  stage.classList.toggle("awaits", Boolean(group));
  if (group) {
    group.dataset.awaits = "";
    group.scrollIntoView({ block: "nearest" });
  }
}

function onKey(key) {
  const letter = key.toLowerCase();
  const flaw = category?.querySelector(`[data-letter="${CSS.escape(letter)}"]`);
  const group = form.querySelector(`[data-category="${CSS.escape(letter)}"]`);
  const evaluation = form.querySelector(`[name=evaluation][data-letter="${CSS.escape(letter)}"]`);
  awaitFlaw(null);
  if (flaw) press(flaw);
  else if (group) awaitFlaw(group);
  else if (letter in VERDICTS) form.querySelector(`[name=verdict][value=${VERDICTS[letter]}]`).click();
  else if (evaluation || letter === "e") {
    form.querySelector("[data-evaluation]").open = true;
    if (evaluation) press(evaluation);
    else form.querySelector("[name=evaluation]").focus();
  } else if (letter === "u") takeBack();
  else if (key === "ArrowLeft") goTo(form.dataset.before);
  else if (key === "ArrowRight") goTo(form.dataset.after);
  else return false;
  return true;
}

document.addEventListener("keydown", (event) => {
  if (!isOpen || event.altKey || event.metaKey || signIn.isOpen || event.isComposing) return;
  const { target } = event;
  const key = keyOf(event);
  if (key === "Enter" && (event.ctrlKey || !event.shiftKey) && !target.closest("a, button, summary")) {
    event.preventDefault();
    goOn();
    return;
  }
  if (key === "Escape") {
    awaitFlaw(null);
    target.blur();
    return;
  }
  if (target.matches(TEXTS)) return;
  if (event.ctrlKey) {
    if (key !== "z") return;
    takeBack();
  } else if (target.matches("[type=radio]") && key.startsWith("Arrow")) return;
  else if (event.repeat && key.length === 1 && key !== "u") return; // a key that is held chooses once
  else if (!onKey(key)) return;
  event.preventDefault();
});

// -- from the beginning ----------------------------------------------------------------------------------------

stateWord.dataset.saveState = "open"; // keys are listened to
if (outbox.waiting !== null) {
  show(outbox.waiting);
  onState("saving");
}
outbox.flush();
