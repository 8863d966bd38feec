// Judgments on their way to the server. Each is kept in this browser, whatever happens, until the server has confirmed
// exactly it; what another device has given meanwhile is neither replaced nor adopted without asking.

import { newId } from "../platform/new-id.js";
import { isContended, isReading, nameOf, same } from "./judgment-fields.js";
import { JudgmentJournal } from "./judgment-journal.js";
import { JudgmentServer, sizeOf } from "./judgment-server.js";

const PAUSE = 250; // ms, as are all times here; a few quick changes travel together
const OTHERS_PAUSE = 2000; // before sending what another window has given and may send itself
const MAX_WAIT = 30_000;
const SPREAD = 0.25; // of a wait, so that not every page comes back at once after an outage
const LOCK_PATIENCE = 12_000; // a window that hangs must not keep the others from sending
const MAX_FIELDS = 100; // in a message
const MAX_BYTES = 50_000; // in a message, unless one field alone takes more
const MAX_OVER = 20; // values that an entry may replace

export class JudgmentOutbox {
  /** This page load. */
  window = newId();

  #page = { title: document.querySelector("h1").textContent, path: location.pathname };
  #rubric;
  #held;
  #server;
  #journal;
  #listeners;
  #lockName;
  #givenAt = 0; // no two at the same time, so that their order is known
  #turn = Promise.resolve();
  #timer;
  #messages = 0;
  #underWay = new Map(); // by field: number of the newest message with it, and the value there
  #refused = new Map(); // by field: the value that the server does not take, and why
  #oneByOne = false; // so that what is not taken keeps nothing else from being saved
  #failures = 0;
  #problem = navigator.onLine ? null : "offline";
  #isSubmitted = false;
  #savedAt = null;
  #toldConflicts = "[]";

  /**
   * `held` is what the server holds, by field. `onState({ name, ... })` is told how things stand: ready, saving, saved,
   * conflict, refused (`message`), offline, unreachable, signed-out, other-person or submitted; always with `unsent`,
   * the names of what the server lacks, `isBlank`, whether it holds nothing, `savedAt`, a reading of performance.now()
   * where known, `lasts`, whether this browser keeps what waits, and `changes`, how many fields have just been brought
   * up to date. `onValue(field, value)` is told what the page must show now (null: nothing), `onConflict(conflicts)`
   * all that is to be decided, each a { field, name, value, held }. None is called before `restore`.
   */
  constructor({ person, item, rubric, saveUrl, stateUrl, held, onState, onValue, onConflict }) {
    this.#rubric = rubric;
    this.#held = new Map(Object.entries(held));
    this.#server = new JudgmentServer({ saveUrl, stateUrl });
    this.#journal = new JudgmentJournal(person, item, (before, after) => this.#heard(before, after));
    this.#listeners = { onState, onValue, onConflict };
    this.#lockName = `judgments:${person}:${item}`;
  }

  /** Show what was given before and has not been saved, and go on saving it. To be called once. */
  restore() {
    for (const entry of this.#unsent) {
      if (!same(entry.value, this.#holds(entry.field))) this.#listeners.onValue(entry.field, entry.value);
    }
    this.#compareAll();
    addEventListener("offline", () => this.#failed("offline"));
    addEventListener("online", () => this.refresh());
    addEventListener("pagehide", () => this.flush({ keepalive: true }));
    addEventListener("pageshow", ({ persisted }) => persisted && this.refresh());
    addEventListener("beforeunload", (event) => !this.isEmpty && !this.#journal.lasts && event.preventDefault());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.flush({ keepalive: true });
      else this.refresh();
    });
    this.#sendIn(0);
    this.#tell();
  }

  // -- what is given -------------------------------------------------------------------------------------------

  /** Keep a value: at once in this browser, soon at the server. */
  put(field, value) {
    const before = this.#journal.get(field, this.window);
    if (same(value, before ? before.value : this.#holds(field))) return;
    const { over = [this.#holds(field)], conflict } = before ?? {};
    this.#journal.put({
      field,
      value,
      at: (this.#givenAt = Math.max(Date.now(), this.#givenAt + 1)),
      window: this.window,
      name: nameOf(field),
      page: this.#page,
      ...(isContended(field) && { over }),
      ...(conflict && !same(value, conflict.held) && { conflict }),
    });
    this.#sendIn(PAUSE);
    this.#tell();
  }

  /** What the page shows: what was given last, else what the server holds, else null. */
  value(field) {
    const entry = this.#journal.get(field, this.window);
    return entry ? entry.value : this.#holds(field);
  }

  /** Whether the server has every judgment. */
  get isEmpty() {
    return this.#unsent.length === 0;
  }

  /** Decide a conflict: for what was given here ("mine") or what the server holds ("theirs"). */
  settle(field, whose) {
    const { conflict, ...entry } = this.#journal.get(field) ?? {};
    if (!conflict) return;
    if (whose === "mine") {
      this.#journal.put({ ...entry, over: [conflict.held, ...entry.over] });
      this.#sendIn(0);
    } else {
      this.#journal.remove(entry);
      this.#held.set(field, conflict.held);
      this.#listeners.onValue(field, conflict.held);
    }
    this.#tell();
  }

  get #unsent() {
    return this.#journal.entries.filter(({ field }) => !isReading(field));
  }

  #holds(field) {
    return this.#held.get(field) ?? null;
  }

  // -- sending -------------------------------------------------------------------------------------------------

  /**
   * Send everything now; resolves to whether the server has every judgment. With `keepalive` nothing else is waited
   * for: the page may be gone in a moment.
   */
  async flush({ keepalive = false } = {}) {
    clearTimeout(this.#timer);
    if (keepalive) {
      await this.#send(this.#batch().filter((entry) => !same(entry.value, this.#underWay.get(entry.field)?.value)));
    } else {
      await this.#inTurn(() => this.#deliverAgain());
    }
    return this.isEmpty;
  }

  /** Send what waits, and learn what has been given elsewhere. */
  refresh() {
    clearTimeout(this.#timer);
    return this.#inTurn(async () => {
      if (await this.#deliverAgain()) await this.#ask();
    });
  }

  #sendIn(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#inTurn(() => this.#deliver()), milliseconds);
  }

  /** One request at a time: of this window, and of this browser where its windows can wait for each other. */
  #inTurn(act) {
    const turn = this.#turn.then(() => (navigator.locks ? this.#locked(act) : act()));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #locked(act) {
    let isGranted = false;
    const granted = () => {
      isGranted = true;
      return act();
    };
    return navigator.locks
      .request(this.#lockName, { signal: AbortSignal.timeout(LOCK_PATIENCE) }, granted)
      .catch((error) => {
        if (isGranted) throw error;
        return act(); // what another window sends as well does no harm
      });
  }

  /** Send what waits, and what the server did not take before: how the item stands may have changed. */
  #deliverAgain() {
    this.#refused.clear();
    return this.#deliver();
  }

  /** Send what waits, a message at a time; resolves to whether the server answered. */
  async #deliver() {
    for (let batch = this.#batch(); batch.length; batch = this.#batch()) {
      await this.#send(batch);
      if (this.#problem) return false;
    }
    this.#oneByOne = false;
    return true;
  }

  /** What to send next, in the order given: as much as fits a message. */
  #batch() {
    if (this.#isSubmitted) return [];
    const due = this.#journal.entries.filter((entry) => !entry.conflict && !this.#isRefused(entry));
    const reader = due.find(({ field }) => isReading(field))?.window; // a message tells the reading of one window
    const fitting = due.filter(({ field, window }) => !isReading(field) || window === reader);
    let bytes = 0;
    const tooMany = fitting.findIndex(({ value, over }, index) => {
      bytes += sizeOf(JSON.stringify([value, over]));
      return index > 0 && (this.#oneByOne || index >= MAX_FIELDS || bytes > MAX_BYTES);
    });
    return tooMany === -1 ? fitting : fitting.slice(0, tooMany);
  }

  async #send(batch) {
    if (!batch.length) return;
    const number = (this.#messages += 1);
    const window = batch.find(({ field }) => isReading(field))?.window ?? this.window;
    const message = { rubric: this.#rubric, window, fields: Object.fromEntries(batch.map(asField)) };
    for (const entry of batch) {
      this.#underWay.set(entry.field, { number, value: entry.value });
      if (entry.over) this.#journal.put({ ...entry, over: withSent(entry.over, entry.value) });
    }
    const answer = await this.#server.save(message);
    // Where a field has been sent again meanwhile, the answer to that message counts.
    const answered = batch.filter(({ field }) => this.#underWay.get(field)?.number === number);
    answered.forEach(({ field }) => this.#underWay.delete(field));
    if (answer.outcome === "kept") this.#kept(answered, answer.conflicts);
    else if (answer.outcome === "refused") await this.#wasRefused(batch, answer.message);
    else this.#failed(answer.outcome);
  }

  // -- what is answered ----------------------------------------------------------------------------------------

  #kept(answered, conflicts) {
    this.#reached();
    for (const { field, value, window } of answered) {
      const isKept = !(field in conflicts);
      const held = isKept ? value : conflicts[field];
      const entry = this.#journal.get(field, window);
      this.#held.set(field, held);
      if (entry && isContended(field) && isKept) this.#journal.put({ ...entry, over: [held] });
      if (entry) this.#compare(this.#journal.get(field, window), !isKept);
      else if (!isKept) this.#listeners.onValue(field, held);
      if (isKept && !isReading(field)) this.#savedAt = performance.now();
    }
    this.#tell();
  }

  /** Drop the entry where the server holds its value; keep what it holds instead where that is to be decided. */
  #compare(entry, isConflict = Boolean(entry.conflict)) {
    const held = this.#holds(entry.field);
    if (same(entry.value, held)) this.#journal.remove(entry);
    else if (isConflict && !same(entry.conflict?.held, held)) this.#journal.put({ ...entry, conflict: { held } });
  }

  #compareAll() {
    for (const entry of this.#unsent) this.#compare(entry);
  }

  /** One part that is not taken keeps the whole message from being saved: find out which. */
  async #wasRefused(batch, message) {
    this.#reached();
    if (!this.#oneByOne) await this.#ask();
    if (this.#problem || this.#isSubmitted) return;
    if (batch.length > 1) this.#oneByOne = true;
    else this.#refused.set(batch[0].field, { value: batch[0].value, message });
    this.#tell();
  }

  #isRefused({ field, value }) {
    return this.#refused.has(field) && same(this.#refused.get(field).value, value);
  }

  /** Learn how the item stands, and show what has been given elsewhere, except where something waits here. */
  async #ask() {
    const { outcome, state, fields } = await this.#server.state();
    if (outcome !== "held") {
      this.#failed(outcome === "refused" ? "unreachable" : outcome);
      return;
    }
    this.#reached();
    this.#isSubmitted = state === "submitted";
    let changes = 0;
    for (const field of new Set([...this.#held.keys(), ...Object.keys(fields)])) {
      const value = fields[field] ?? null;
      if (isReading(field) || same(value, this.#holds(field))) continue;
      this.#held.set(field, value);
      if (this.#journal.get(field)) continue;
      this.#listeners.onValue(field, value);
      changes += 1;
    }
    this.#compareAll();
    this.#tell({ changes });
  }

  #reached() {
    this.#problem = null;
    this.#failures = 0;
  }

  #failed(problem) {
    this.#problem = problem;
    this.#failures += 1;
    clearTimeout(this.#timer);
    const wait = Math.min(1000 * 2 ** this.#failures, MAX_WAIT);
    this.#timer = setTimeout(() => this.refresh(), wait * (1 + Math.random() * SPREAD));
    this.#tell();
  }

  /** Another window of this browser has given something (`after`), or what waited is settled (`after` is null). */
  #heard(before, after) {
    const { field, conflict } = after ?? before;
    if (isReading(field)) return;
    const shown = before ? before.value : this.#holds(field);
    if (conflict) this.#held.set(field, conflict.held);
    else if (!after) this.#held.set(field, before.value);
    if (!after) this.#savedAt = performance.now();
    if (!same(this.value(field), shown)) this.#listeners.onValue(field, this.value(field));
    if (after) this.#sendIn(OTHERS_PAUSE);
    this.#tell();
  }

  // -- telling -------------------------------------------------------------------------------------------------

  #tell({ changes = 0 } = {}) {
    const unsent = this.#unsent;
    const conflicts = unsent
      .filter(({ conflict }) => conflict)
      .map(({ field, name, value, conflict }) => ({ field, name, value, held: conflict.held }));
    const news = JSON.stringify(conflicts);
    if (news !== this.#toldConflicts) this.#listeners.onConflict(conflicts);
    this.#toldConflicts = news;
    this.#listeners.onState({
      ...this.#state(unsent),
      unsent: unsent.map(({ name }) => name),
      isBlank: this.#isBlank,
      savedAt: this.#savedAt,
      lasts: this.#journal.lasts,
      changes,
    });
  }

  get #isBlank() {
    return [...this.#held].every(([field, value]) => isReading(field) || same(value, null));
  }

  #state(unsent) {
    if (this.#isSubmitted) return { name: "submitted" };
    if (this.#problem) return { name: this.#problem };
    const refused = unsent.find((entry) => this.#isRefused(entry));
    if (refused) return { name: "refused", message: this.#refused.get(refused.field).message };
    if (unsent.some(({ conflict }) => !conflict)) return { name: "saving" };
    if (unsent.length) return { name: "conflict" };
    return { name: this.#isBlank ? "ready" : "saved" };
  }
}

function asField({ field, value, over }) {
  return [field, { value, over }];
}

/** `over`, with a value that the server may hold from now on: the one it held first, and the newest. */
function withSent([first, ...others], value) {
  const older = others.filter((other) => !same(other, value)).slice(1 - MAX_OVER);
  return same(first, value) ? [first, ...older] : [first, ...older, value];
}
