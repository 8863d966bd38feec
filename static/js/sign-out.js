// Asks before somebody signs out who has written what only this browser holds. Without such text it is in nobody's way.

import { openJournal } from "./journal.js";

const dialog = document.getElementById("sign-out-dialog");
const { person } = dialog.dataset;

function line({ words, title, path }) {
  const link = document.createElement("a");
  link.href = path;
  link.textContent = title;
  const item = document.createElement("li");
  item.append(link, ` · ${words} ${words === 1 ? "word" : "words"}`);
  return item;
}

/** Resolves to "keep" or "remove"; to something else where the person stays, also by Escape. */
function ask(unsaved) {
  document.getElementById("sign-out-texts").replaceChildren(...unsaved.map(line));
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}

async function signOut(form) {
  const journal = await openJournal();
  const unsaved = (await journal?.unacknowledged(person)) ?? [];
  const choice = unsaved.length ? await ask(unsaved) : "keep";
  if (choice !== "keep" && choice !== "remove") return;
  await journal?.forget(person, { keepUnsaved: choice === "keep" });
  form.submit();
}

for (const form of document.querySelectorAll("form[data-sign-out]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    signOut(form);
  });
}
