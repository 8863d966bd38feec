// What is typed, kept in this browser too, where it outlives the page and an outage. Nothing here ever stands in the
// way of writing: what fails, fails quietly.

import { countWords } from "../platform/words.js";

const DATABASE = "writing-journal";
const TEXTS = "texts";
const PATIENCE = 2000; // ms; a browser's storage may be busy for a moment, or stuck for good

/** The journal, or null where the browser keeps none: in some private windows, or with storage switched off. */
export async function openJournal() {
  try {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TEXTS, { keyPath: ["person", "attempt"] });
    const opened = new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return new Journal(await inTime(opened));
  } catch {
    return null;
  }
}

/**
 * One entry for each attempt at an answer, by person: `text`; `baseSha`, the hash of the server's text it builds on;
 * `sent`, texts the server may have without this page knowing; `acknowledged`, whether it holds exactly this text;
 * `at`, when it was typed; `title` and `path` of the room.
 */
class Journal {
  #database;

  constructor(database) {
    this.#database = database;
  }

  /** Resolves to whether the entry is kept. */
  put(person, attempt, entry) {
    return this.#do("readwrite", (texts) => texts.put({ ...entry, person, attempt })).then(
      () => true,
      () => false,
    );
  }

  get(person, attempt) {
    return this.#do("readonly", (texts) => texts.get([person, attempt])).catch(() => undefined);
  }

  delete(person, attempt) {
    return this.#do("readwrite", (texts) => texts.delete([person, attempt])).catch(() => {});
  }

  /** What only this browser holds of a person's texts: a list of { attempt, words, title, path }. */
  async unacknowledged(person) {
    const entries = (await this.#all(person)).filter((entry) => !entry.acknowledged);
    return entries
      .map(({ attempt, text, title, path }) => ({ attempt, words: countWords(text), title, path }))
      .filter(({ words }) => words > 0);
  }

  /** Deletes a person's texts; with `keepUnsaved` only those that the server holds. */
  async forget(person, { keepUnsaved }) {
    const entries = (await this.#all(person)).filter((entry) => entry.acknowledged || !keepUnsaved);
    await Promise.all(entries.map(({ attempt }) => this.delete(person, attempt)));
  }

  #all(person) {
    const ofPerson = IDBKeyRange.bound([person], [person, []]); // an empty list sorts after every string
    return this.#do("readonly", (texts) => texts.getAll(ofPerson)).catch(() => []);
  }

  #do(mode, act) {
    return inTime(
      new Promise((resolve, reject) => {
        const transaction = this.#database.transaction(TEXTS, mode);
        const request = act(transaction.objectStore(TEXTS));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error);
      }),
    );
  }
}

function inTime(promise) {
  const tooLate = new Error("Storage does not answer.");
  const patience = new Promise((_, reject) => setTimeout(() => reject(tooLate), PATIENCE));
  return Promise.race([promise, patience]);
}

/** The entry of one answer. Where there is no journal, it lives as long as the page. */
export class AnswerJournal {
  #journal;
  #person;
  #attempt;
  #latest;
  #known = "";
  #isWritten = true;
  #writing = null;

  constructor(journal, person, attempt) {
    this.#journal = journal;
    this.#person = person;
    this.#attempt = attempt;
  }

  /** Whether what is written here outlives the page. */
  get lasts() {
    return this.#journal !== null;
  }

  async read() {
    await this.#writing;
    return this.#journal ? this.#journal.get(this.#person, this.#attempt) : this.#latest;
  }

  /** Writes at once, or the newest entry as soon as the write under way has ended. */
  write(entry) {
    const known = JSON.stringify([entry.text, entry.baseSha, entry.sent, entry.acknowledged]);
    if (known === this.#known) return;
    this.#known = known;
    this.#latest = entry;
    this.#isWritten = false;
    if (this.#journal) this.#writing ??= this.#writeOn();
  }

  /** The server has every word of this answer: neither it nor anything else that the server has need stay here. */
  async settle() {
    await this.#writing;
    await this.#journal?.delete(this.#person, this.#attempt);
    await this.#journal?.forget(this.#person, { keepUnsaved: true });
  }

  async #writeOn() {
    while (!this.#isWritten && this.#journal) {
      this.#isWritten = true;
      if (!(await this.#journal.put(this.#person, this.#attempt, this.#latest))) this.#journal = null;
    }
    this.#writing = null;
  }
}

/**
 * What an entry means once the server's text is known: "settled" (nothing in it is missing there), "newer" (it builds
 * on the server's text) or "apart" (the server's text has moved on without it).
 */
export function compare(entry, held, text) {
  if (!entry || entry.acknowledged || text.startsWith(entry.text.trimEnd())) return "settled";
  return entry.baseSha === held.sha256 || entry.sent.includes(text) ? "newer" : "apart";
}
