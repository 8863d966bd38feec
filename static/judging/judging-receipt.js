// The item is in. What this browser kept of it goes, except what was given here and is not part of what was submitted.

import { isReading, same } from "./judgment-fields.js";
import { JudgmentJournal } from "./judgment-journal.js";
import { JudgmentServer } from "./judgment-server.js";
import { forget } from "../platform/memory.js";
import { keyOfItem } from "./judging-memory.js";

const notice = document.getElementById("not-taken-in");
const { item, person, stateUrl } = notice.dataset;
const journal = new JudgmentJournal(person, item, show);

function show() {
  const names = journal.entries.map(({ name }) => name);
  document.getElementById("not-taken-in-names").textContent = names.join("; ");
  notice.hidden = names.length === 0;
}

async function tidy() {
  const { outcome, fields } = await new JudgmentServer({ stateUrl }).state();
  if (outcome !== "held") return;
  const isDone = ({ field, value }) => isReading(field) || same(value, fields[field]);
  for (const entry of journal.entries.filter(isDone)) journal.remove(entry);
  show();
}

document.getElementById("forget-not-taken-in").addEventListener("click", () => {
  for (const entry of journal.entries) journal.remove(entry);
  show();
});
forget(keyOfItem(item));
tidy();
