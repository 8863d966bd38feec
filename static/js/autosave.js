// Keeps the server's copy of a text up to date: after a pause, at the latest while typing, in order, until it holds
// what is on the screen. "Saved" means: acknowledged with the hash of exactly this text.

import { clean, countWords, sha256 } from "./words.js";

const PAUSE = 2000;
const LATEST = 5000;
const TIMEOUT = 8000;
const RETRIES = [1000, 2000, 4000]; // ms; the last one again and again
const SPREAD = 500; // ms; so that not every page comes back at once after an outage
const KEEPALIVE_LIMIT = 60_000; // bytes; browsers do not send more once the page is gone

/**
 * Events: "change" (look at `saved`, `saving`, `problem` again), "reply" (detail: the server's reply with `sentAt` and
 * `receivedAt`) and "closed" (detail: the refusal; nothing is saved any more).
 */
export class Autosave extends EventTarget {
  /** What keeps the text from being saved: null, "offline", "server", "signed-out", "too-long" or "conflict". */
  problem = null;
  closed = false;

  #url;
  #read;
  #epoch;
  #seq;
  #acknowledged;
  #sent = new Map(); // texts by sequence number: the acknowledged one and every later one
  #running = null;
  #wanted = false;
  #failures = 0;
  #timers = {};

  /** `read` returns the text on the screen; the server holds `text` as (`epoch`, `seq`). */
  constructor({ url, read, epoch, seq, text }) {
    super();
    this.#url = url;
    this.#read = () => clean(read());
    this.#epoch = epoch;
    this.#seq = seq;
    this.#acknowledged = clean(text);
    this.#sent.set(seq, this.#acknowledged);
    addEventListener("online", () => this.save());
    addEventListener("offline", () => this.#report("offline"));
    addEventListener("focus", () => this.save());
    addEventListener("pageshow", (event) => event.persisted && this.save());
    addEventListener("beforeunload", () => this.#unlessSaved(() => this.save()));
    addEventListener("pagehide", () => this.#unlessSaved(() => this.#exchange()));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#unlessSaved(() => this.save());
      else this.save(); // a page that was away may show what another window has replaced since
    });
  }

  get saved() {
    return this.#read() === this.#acknowledged;
  }

  get saving() {
    return this.#running !== null;
  }

  get #stopped() {
    return this.closed || this.problem === "conflict";
  }

  /** To be called whenever the text has changed. */
  changed() {
    if (this.problem === "too-long") this.problem = null;
    clearTimeout(this.#timers.pause);
    this.#timers.pause = setTimeout(() => this.save(), PAUSE);
    this.#timers.latest ??= setTimeout(() => this.save(), LATEST);
    this.#tell("change");
  }

  /** Sends the newest text once the request under way is answered; resolves when nothing is left to send or it failed. */
  save() {
    if (this.#stopped) return Promise.resolve();
    this.#clearTimers();
    this.#wanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      this.#tell("change");
    });
    return this.#running;
  }

  /** After a conflict: the text on this screen is the one to keep. */
  keepThis() {
    this.problem = null;
    return this.save();
  }

  async #run() {
    while (this.#wanted && !this.#stopped) {
      this.#wanted = false;
      await this.#exchange();
    }
  }

  async #exchange() {
    const text = this.#read();
    if (this.#sent.get(this.#seq) !== text) this.#sent.set(++this.#seq, text);
    const body = JSON.stringify({ epoch: this.#epoch, seq: this.#seq, text });
    this.#tell("change");
    try {
      const sentAt = performance.now();
      const response = await fetch(this.#url, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
        body,
        redirect: "manual",
        keepalive: new TextEncoder().encode(body).length < KEEPALIVE_LIMIT,
        signal: AbortSignal.timeout(TIMEOUT),
      });
      this.#report(await this.#take(response, sentAt));
    } catch {
      this.#report(navigator.onLine ? "server" : "offline");
    }
  }

  /** Takes the reply in and returns the problem it tells of, if any. */
  async #take(response, sentAt) {
    if (response.type === "opaqueredirect" || response.status === 403) return "signed-out";
    if (response.status === 413) return "too-long";
    if (response.status === 409) {
      this.closed = true;
      this.#tell("closed", await response.json());
      return null;
    }
    if (!response.ok) return "server";
    const reply = await response.json();
    this.#tell("reply", { ...reply, sentAt, receivedAt: performance.now() });
    return (await this.#acknowledge(reply)) ? null : "conflict";
  }

  /** Says whether what the server holds was written here; anything else came from another window. */
  async #acknowledge({ epoch, seq, sha256: digest, words }) {
    const [acknowledgedSeq] = this.#sent.keys();
    if (epoch === this.#epoch && seq < acknowledgedSeq) return true; // a later reply was quicker
    const text = this.#sent.get(seq);
    const own = epoch === this.#epoch && text !== undefined && (await matches(text, digest, words));
    this.#acknowledged = own ? text : null;
    if (!own) [this.#epoch, this.#seq] = [epoch, seq];
    for (const past of this.#sent.keys()) if (past < seq || !own) this.#sent.delete(past);
    return own;
  }

  #report(problem) {
    this.problem = problem;
    this.#failures = problem ? this.#failures + 1 : 0;
    if (problem && problem !== "conflict" && problem !== "too-long") {
      const wait = RETRIES[Math.min(this.#failures, RETRIES.length) - 1] + Math.random() * SPREAD;
      this.#timers.retry ??= setTimeout(() => this.save(), wait);
    }
    this.#tell("change");
  }

  #unlessSaved(act) {
    if (!this.#stopped && !this.saved) act();
  }

  #clearTimers() {
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#timers = {};
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Browsers hash only on secure pages; elsewhere the sequence number and the number of words have to do. */
async function matches(text, digest, words) {
  return globalThis.isSecureContext ? (await sha256(text)) === digest : countWords(text) === words;
}

/** Read each time it is needed: signing in again in another window changes it. */
export function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
}
