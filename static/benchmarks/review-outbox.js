// What an annotator says of questions, on its way to the server: kept in this browser until the server has exactly it.

import { csrfToken } from "../platform/csrf.js";
import { exchange } from "../platform/exchange.js";
import { keysOf, recall } from "../platform/memory.js";
import { keepOnDisk } from "../platform/on-disk.js";
import { forgetReview, prefixOf } from "./review-memory.js";

const PAUSE = 250; // ms, as are all times here
const TIMEOUT = 10_000;
const MAX_WAIT = 30_000;

/**
 * An entry is { body, over, url, page, at }: a form's fields as one text, the revision that they go by, where they go,
 * the page that they are from, { title, path }, and when they were said.
 */
export class ReviewOutbox {
  #prefix;
  #key;
  #url;
  #revision;
  #page;
  #onState;
  #timer;
  #sending = Promise.resolve();
  #failures = 0;
  #unkept = null; // what the browser did not store

  /** `onState(name, detail)`: saving, saved (with `lacks`), conflict (with `fields`), refused, offline, and so on. */
  constructor({ person, review, url, revision, page, onState }) {
    this.#prefix = prefixOf(person);
    this.#key = this.#prefix + review;
    this.#url = url;
    this.#revision = revision;
    this.#page = page;
    this.#onState = onState;
    addEventListener("online", () => this.flush());
    addEventListener("pagehide", () => this.#sendLast());
    addEventListener("beforeunload", (event) => this.#unkept && event.preventDefault());
  }

  /** What was said here and has not reached the server, as a form's fields; null where nothing waits. */
  get waiting() {
    return this.#own?.body ?? null;
  }

  get #own() {
    return this.#unkept ?? recall(this.#key);
  }

  put(body) {
    const over = this.#own?.over ?? this.#revision;
    this.#write({ body, over, url: this.#url, page: this.#page });
    this.#onState("saving");
    this.#sendIn(PAUSE);
  }

  /** Replace what the server holds with what is here. */
  insist(revision) {
    this.#write({ ...this.#own, over: revision });
    return this.flush();
  }

  forget(revision) {
    this.#revision = revision;
    this.#remove(this.#key);
  }

  /** Send all that waits, of every question; resolves to whether the server has what was said on this page. */
  flush() {
    clearTimeout(this.#timer);
    this.#sending = this.#sending.then(() => this.#deliver());
    return this.#sending;
  }

  async #deliver() {
    for (const key of keysOf(this.#prefix)) {
      if (key !== this.#key) await this.#sendOther(key);
    }
    for (let entry = this.#own; entry; entry = this.#own) {
      if (!(await this.#send(entry))) return false;
    }
    return true;
  }

  async #send(entry) {
    const answer = await post(entry);
    if (answer.outcome === "kept" && answer.conflict) {
      this.#onState("conflict", answer);
      return false;
    }
    if (answer.outcome !== "kept") {
      this.#onState(answer.outcome, answer);
      if (answer.outcome !== "refused") this.#tryAgain();
      return false;
    }
    this.#failures = 0;
    this.#revision = answer.revision;
    const now = this.#own;
    if (now?.body === entry.body) this.#remove(this.#key);
    else if (now) this.#write({ ...now, over: answer.revision });
    if (!this.#own) this.#onState("saved", answer);
    return true;
  }

  /** What was said on another page. Where the server holds something else by now, that page asks. */
  async #sendOther(key) {
    const entry = recall(key);
    if (!entry) return;
    const answer = await post(entry);
    if (answer.outcome === "kept" && !answer.conflict && recall(key)?.body === entry.body) this.#remove(key);
  }

  #sendIn(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), milliseconds);
  }

  #tryAgain() {
    this.#failures += 1;
    this.#sendIn(Math.min(1000 * 2 ** this.#failures, MAX_WAIT));
  }

  /** The page may be gone in a moment. What does not arrive waits for the next page of this person's. */
  #sendLast() {
    const entry = this.#own;
    if (entry) post(entry, { keepalive: true });
  }

  #write(said) {
    const entry = { ...said, at: Date.now() };
    keepOnDisk(this.#key, entry);
    try {
      localStorage.setItem(this.#key, JSON.stringify(entry));
      this.#unkept = null;
    } catch {
      this.#unkept = entry;
    }
  }

  #remove(key) {
    if (key === this.#key) this.#unkept = null;
    forgetReview(key);
  }
}

function post({ body, over, url }, options = {}) {
  const fields = new URLSearchParams(body);
  fields.set("over", over);
  return exchange(url, {
    method: "POST",
    headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
    body: fields,
    timeout: TIMEOUT,
    read: answered,
    ...options,
  });
}

async function answered(response) {
  const { status } = response;
  if (response.type === "opaqueredirect" || status === 403) return { outcome: "signed-out" };
  if (status === 404) return { outcome: "other-person" };
  if (status === 429 || status >= 500) return { outcome: "unreachable" };
  const answer = await response.json().catch(() => ({ error: "The server could not read what was sent." }));
  return response.ok ? { outcome: "kept", ...answer } : { outcome: "refused", ...answer };
}
