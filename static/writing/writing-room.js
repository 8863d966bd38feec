// The writing room: who has the pen, what is on the screen, what the server holds, and how much time is left.

import { ActivityRecord } from "./activity.js";
import { Autosave } from "./autosave.js";
import { ServerClock, TimeAnnouncer, TimeLimit, formatAge, formatTimeLeft } from "../platform/clock.js";
import { csrfToken } from "../platform/csrf.js";
import { lengthOf } from "./deltas.js";
import { HandIn } from "./hand-in.js";
import { AnswerJournal, compare, openJournal } from "./journal.js";
import { Pen } from "./pen.js";
import "./reading-comfort.js";
import { keyOf } from "../platform/keys.js";
import { describe, showNotice } from "../platform/room-notices.js";
import { serverFor } from "./room-server.js";
import { SignInAgain } from "../platform/sign-in-again.js";
import { clean, countWords } from "../platform/words.js";

const TICK = 500; // ms
const OUT_OF_REACH = new Set(["offline", "unreachable"]);

const byId = (id) => document.getElementById(id);
const desk = byId("desk");
const editor = byId("answer");
const isClosed = editor.readOnly; // as the page came: paused, or time is up
const { person, attempt, started, paste, title, zone } = desk.dataset; // practice has no attempt

const clock = new ServerClock();
const limit = new TimeLimit(clock);
const announce = (words) => (byId("announcer").textContent = words);
const announcer = new TimeAnnouncer([10, 5, 1], announce);
const server = serverFor(desk);
const pen = new Pen(server, attempt && `writing-${attempt}`);
const autosave = new Autosave({
  server,
  read: () => clean(editor.value),
  activity: new ActivityRecord(editor, { sinceStart, policy: paste, onBlocked: () => tell("paste-blocked") }),
});
const handIn = new HandIn({ autosave, post, isShort: () => countWords(clean(editor.value)) < Number(desk.dataset.few) });
const journal = new AnswerJournal(attempt ? await openJournal() : null, person, attempt);

let mode = "opening"; // then "writing", "choosing" between two texts, or "reading" while another window has the pen
let openedOn = clean(editor.defaultValue); // what the page came with; null once it has asked for the pen and heard
let isAsking = false; // for the pen
let takesOver = false;
let ownText = ""; // kept by this browser, to choose from
let lostText = null; // on its way as the pen was lost
let shownSha = null; // of a text that is only read
let savedAt = null;
let over = false;
let refusal = null; // "late" or "closed", once nothing is saved any more
let remark = null;
let leaving = false;

function sinceStart() {
  const now = clock.now();
  return now === null ? null : now - Date.parse(started);
}

// -- what is shown -------------------------------------------------------------------------------------------

function mayWrite() {
  return mode === "writing" && !over && limit.pausedAt === null && !refusal && !leaving;
}

/** Words are taken while a new page still asks for the pen: who has it is settled behind them. */
function mayType() {
  return mode === "opening" ? openedOn !== null && !isClosed && !refusal : mayWrite();
}

/** What was typed while the script was on its way, or the pen; `null` where nothing was. */
function typedEarly() {
  const text = clean(editor.value);
  const isTyped = openedOn !== null && text !== openedOn;
  return isTyped ? { text, baseSha: "", sent: [openedOn], acknowledged: false } : null;
}

function status() {
  if (refusal) return "";
  if (mode === "opening") return "Opening…";
  if (mode === "reading") return "Read only";
  if (!autosave.saved) return autosave.saving ? "Saving…" : "Not saved yet";
  if (editor.value === "") return "Nothing to save yet";
  return `Saved${age(" · ")}`;
}

/** How long ago the server saved last, after some words; nothing while the time is not known. */
function age(words) {
  const now = clock.now();
  return now === null ? "" : `${words}${formatAge(Math.max(0, now - savedAt))}`;
}

function notice() {
  const { problem, saved } = autosave;
  const outOfReach = OUT_OF_REACH.has(problem);
  if (refusal) return refusal === "late" || mode === "writing" ? refusal : "handed-in";
  if (problem && !outOfReach) return problem;
  if (mode === "opening" || mode === "choosing") return outOfReach ? "unopened" : mode;
  if (mode === "reading") return over ? "over" : mode;
  if (over) return saved || !problem ? "over" : "over-unsaved";
  return limit.pausedAt === null ? (problem ?? remark) : "paused";
}

function timeOfDay(milliseconds, seconds) {
  const parts = { hour: "2-digit", minute: "2-digit", second: seconds, timeZone: zone };
  return new Intl.DateTimeFormat("en-GB", parts).format(milliseconds);
}

function show() {
  editor.readOnly = !mayType();
  byId("status").textContent = status();
  if (limit.deadline !== null) {
    byId("time-left").textContent = limit.left === null ? "checking the clock" : formatTimeLeft(limit.left);
  }
  byId("open-submit").disabled = !mayWrite() || countWords(clean(editor.value)) === 0;
  byId("last-saved").textContent = age(", last saved ");
  byId("paused-unsaved").hidden = autosave.saved;
  byId("paused-saved").hidden = !autosave.saved;
  if (autosave.problem === "too-long") tellWhatIsKept();
  byId("no-journal").hidden = !attempt || journal.lasts;
  showNotice(notice());
  const isOwed = (!autosave.saved || typedEarly() !== null) && !refusal && !leaving;
  (isOwed ? addEventListener : removeEventListener)("beforeunload", askToStay);
}

function tellWhatIsKept() {
  const { heldText } = autosave;
  byId("too-long-has").textContent = lengthOf(clean(editor.value)).toLocaleString("en-GB");
  byId("too-long-kept").textContent =
    heldText === null ? "what was saved last" : `the text of ${phrase(countWords(heldText))} that was saved last`;
}

function phrase(words) {
  return words === 1 ? "1 word" : `${words} words`;
}

function askToStay(event) {
  event.preventDefault();
  autosave.save();
}

function showLength() {
  const words = countWords(clean(editor.value));
  byId("word-count").textContent = byId("submit-words").textContent = phrase(words);
  byId("length-words").setAttribute("width", words);
}

function tell(words) {
  remark = words;
  show();
}

/** Replaces what is on the screen, where it is something else: the browser's undo would not lead back. */
function put(text) {
  if (clean(editor.value) === text) return;
  editor.value = text;
  if (mode !== "reading") goToEnd();
  showLength();
}

function goToEnd() {
  editor.setSelectionRange(editor.value.length, editor.value.length);
  editor.scrollTop = editor.scrollHeight;
}

// -- the pen -------------------------------------------------------------------------------------------------

/** Asks for the pen and the text that goes on. What goes wrong is tried again with the server's next answer. */
async function open() {
  mode = "opening";
  isAsking = true;
  show();
  const reply = await pen.take(takesOver);
  if (reply) await autosave.hear(reply);
  const kept = await journal.read(); // a tab that has just lost the pen has written its last words by now
  isAsking = false;
  if (reply && !reply.held) return;
  takesOver = false;
  if (reply?.pen) begin(reply, kept);
  else read(reply ?? {});
}

/** This window writes: the server's text, or what was typed here and is missing there. */
function begin({ held, text }, kept) {
  autosave.begin(held, text);
  const early = typedEarly();
  const own = early && compare(kept, held, text) === "settled" ? early : kept;
  const found = early && own === early && text === openedOn ? "newer" : compare(own, held, text);
  put(found === "newer" ? own.text : text);
  if (found === "newer" && own === kept) remark = "restored";
  if (found === "apart") offer(own.text, text);
  if (early && own !== early) autosave.keepAside(early.text);
  openedOn = null;
  mode = found === "apart" ? "choosing" : "writing";
  if (found === "newer") autosave.save();
  show();
  const isFree = document.activeElement === document.body || document.activeElement === editor;
  if (isFree) editor.focus({ preventScroll: true }); // on a narrow screen the question above the text stays in view
}

/** Another window writes: its text is shown as it is saved. */
function read({ text, held } = {}) {
  const early = typedEarly();
  openedOn = null;
  mode = "reading";
  shownSha = held?.sha256 ?? null;
  pen.release();
  handIn.close();
  if (early) {
    lostText = early.text;
    autosave.keepAside(lostText);
  }
  showRead(text);
  autosave.save();
}

/** Shows the other window's text, and whether it lacks what was written here last. */
function showRead(text) {
  byId("kept-aside").hidden = lostText === null || text === undefined || text.startsWith(lostText);
  if (text !== undefined) put(text);
  show();
}

async function refresh(sha) {
  const { text } = await server.text();
  if (mode !== "reading" || text === undefined) return;
  shownSha = sha;
  showRead(text);
}

function offer(own, held) {
  ownText = own;
  describe(byId("own-text"), own);
  describe(byId("held-text"), held);
}

function goOnWith(text) {
  put(text);
  mode = "writing";
  show();
  editor.focus();
  autosave.save();
}

function entry() {
  const { baseSha, sent, saved: acknowledged } = autosave;
  return { text: clean(editor.value), baseSha, sent, acknowledged, at: clock.now(), title, path: location.pathname };
}

function keepInJournal() {
  if (mode === "writing" && !refusal && !leaving) journal.write(entry());
}

// -- time ----------------------------------------------------------------------------------------------------

function tick() {
  if (clock.jumped()) autosave.resync();
  const { left } = limit;
  if (left !== null) {
    const isUp = left <= 0;
    if (isUp !== over) turn();
    announcer.update(left);
  }
  const isDone = over && mode === "writing" && autosave.saved && !refusal;
  if (isDone && limit.isConfirmed) post();
  else if (isDone && !autosave.problem) autosave.save();
  show();
}

/** Time is up; or it was, and there is more of it now. */
function turn() {
  over = !over;
  announce(over ? "Time is up. Your last saved text is being handed in." : "You have more time: go on writing.");
  if (!over) return;
  handIn.close();
  autosave.save();
}

function tellOfMoreTime() {
  const end = timeOfDay(limit.deadline);
  byId("new-end").textContent = end;
  announce(`You have more time: it now ends at ${end}.`);
  tell("more-time");
}

/** Posts the room's form: the server hands in what it holds and answers with the receipt. */
async function post() {
  if (leaving) return;
  leaving = true;
  show();
  await journal.settle();
  desk.elements.csrfmiddlewaretoken.value = csrfToken();
  desk.elements.epoch.value = autosave.epoch;
  desk.requestSubmit();
}

// -- wiring --------------------------------------------------------------------------------------------------

autosave.addEventListener("change", () => {
  keepInJournal();
  show();
});
autosave.addEventListener("reply", ({ detail }) => {
  const { held } = detail;
  const before = limit.deadline;
  limit.learn(detail);
  if (before !== null && limit.deadline > before + 1000) tellOfMoreTime();
  if (signInAgain.isOpen) onSignedIn(); // in another window
  savedAt = Date.parse(held.saved_at);
  if (limit.deadline !== null) byId("ends-at").textContent = timeOfDay(limit.deadline, "2-digit");
  if (limit.pausedAt !== null) byId("paused-since").textContent = timeOfDay(limit.pausedAt);
  if (mode === "opening" && !isAsking) open();
  if (mode === "reading" && held.sha256 !== shownSha) refresh(held.sha256);
});
autosave.addEventListener("elsewhere", () => {
  lostText = autosave.saved ? null : clean(editor.value);
  read();
});
autosave.addEventListener("closed", ({ detail }) => {
  if (leaving) return;
  refusal = detail;
  handIn.close();
  if (refusal === "late") journal.settle();
  show();
  if (mode === "writing" && autosave.saved) post();
});
pen.addEventListener("lost", () => autosave.end());

editor.addEventListener("input", () => {
  remark = null;
  showLength();
  autosave.changed();
});
// Who is used to saving by a key is heard, and not asked where to put the page.
addEventListener("keydown", async (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || keyOf(event) !== "s") return;
  event.preventDefault();
  await autosave.save();
  announce(status());
});
addEventListener("pagehide", () => pen.release());
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  leaving = false;
  if (mode === "reading") autosave.resync();
  else open();
});
document.addEventListener("visibilitychange", tick);

byId("write-here").addEventListener("click", () => {
  takesOver = true;
  editor.focus();
  open();
});
byId("choose-own").addEventListener("click", () => goOnWith(ownText));
byId("choose-held").addEventListener("click", async () => {
  if (!(await autosave.keepAside(ownText))) return;
  remark = "kept-beside";
  goOnWith(clean(editor.value));
});

function onSignedIn() {
  signInAgain.close();
  autosave.save();
  editor.focus(); // the button that was pressed is gone
}

const signInAgain = new SignInAgain(byId("sign-in-again"), { onSignedIn });
for (const button of document.querySelectorAll("[data-sign-in-again]")) {
  button.addEventListener("click", () => signInAgain.open());
}

if (!typedEarly()) goToEnd();
showLength();
open();
setInterval(tick, TICK);
