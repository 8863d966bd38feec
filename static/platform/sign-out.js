// Asks before somebody signs out who has given what only this browser holds: words of an answer, judgments, what they
// said of a benchmark's question. Without any it is in nobody's way.

import { openJournal } from "../writing/journal.js";
import { forgetReviews, unsentReviews } from "../benchmarks/review-memory.js";
import { forgetJudgments, unsentJudgments } from "../judging/judgment-journal.js";

const MAX_NAMES = 3;

const dialog = document.getElementById("sign-out-dialog");
const { person } = dialog.dataset;

function line({ title, path, what }) {
  const link = document.createElement("a");
  link.href = path;
  link.textContent = title;
  const item = document.createElement("li");
  item.append(link, ` · ${what}`);
  return item;
}

/** Resolves to "keep" or "remove"; to something else where the person stays, also by Escape. */
function ask(unsaved) {
  document.getElementById("sign-out-unsaved").replaceChildren(...unsaved.map(line));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}

/** All that only this browser holds: a list of { title, path, what }. */
async function findUnsaved(journal) {
  const texts = (await journal?.unacknowledged(person)) ?? [];
  return [
    ...texts.map(({ words, ...place }) => ({ ...place, what: `${words} ${words === 1 ? "word" : "words"}` })),
    ...unsentJudgments(person).map(({ names, ...place }) => ({ ...place, what: some(names) })),
    ...unsentReviews(person).map((place) => ({ ...place, what: "what you said of it" })),
  ];
}

function some(names) {
  const more = names.length - MAX_NAMES;
  return names.slice(0, MAX_NAMES).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

async function signOut(form) {
  const journal = await openJournal();
  const unsaved = await findUnsaved(journal);
  const choice = unsaved.length ? await ask(unsaved) : "keep";
  if (choice !== "keep" && choice !== "remove") return;
  await journal?.forget(person, { keepUnsaved: choice === "keep" });
  if (choice === "remove") {
    forgetJudgments(person);
    forgetReviews(person);
  }
  form.submit();
}

for (const form of document.querySelectorAll("form[data-sign-out]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    signOut(form);
  });
}
