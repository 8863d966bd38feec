// Scores on their way to the server. Each is kept here until the server has confirmed it.

import { csrfToken } from "./csrf.js";

const PAUSE_MS = 250; // a few quick changes travel together
const PATIENCE_MS = 10_000;
const LONGEST_WAIT_MS = 30_000;

class Refusal extends Error {}
class SignedOut extends Error {}

/** Post scores; returns the server's count, or throws what kept them from being saved. */
async function post(url, entries) {
  const scores = {};
  for (const { slot, dimension, value } of entries) (scores[slot] ??= {})[dimension] = value;
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
    body: JSON.stringify({ scores }),
    redirect: "manual", // a session that has ended answers with the way to the sign-in page
    keepalive: true,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (response.type === "opaqueredirect" || response.status === 403) throw new SignedOut();
  if (response.status >= 500) throw new Error(`The server answered ${response.status}.`);
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error);
  return answer;
}

export class ScoreOutbox {
  #url;
  #onState;
  #waiting = new Map();
  #timer;
  #delivery = null;
  #failures = 0;

  /** `onState({ name, message? })` is told saved, saving, offline, unreachable, signed-out or refused. */
  constructor(url, onState) {
    this.#url = url;
    this.#onState = onState;
    addEventListener("offline", () => onState({ name: "offline" }));
    addEventListener("online", () => (this.isEmpty ? onState({ name: "saved" }) : this.send()));
    document.addEventListener("visibilitychange", () => document.hidden && this.send());
  }

  get isEmpty() {
    return this.#waiting.size === 0;
  }

  put(slot, dimension, value) {
    this.#waiting.set(`${slot} ${dimension}`, { slot, dimension, value });
    this.#onState({ name: "saving" });
    this.#sendIn(PAUSE_MS);
  }

  /** Send what waits, one batch at a time. */
  send() {
    if (this.isEmpty) return this.#delivery;
    clearTimeout(this.#timer);
    this.#delivery ??= this.#deliver().finally(() => (this.#delivery = null));
    return this.#delivery;
  }

  /** Send everything now; returns whether all of it is saved. */
  async flush() {
    await this.#delivery;
    await this.send();
    return this.isEmpty;
  }

  async #deliver() {
    const batch = new Map(this.#waiting);
    try {
      await post(this.#url, batch.values());
      this.#confirmed(batch);
    } catch (error) {
      this.#failed(error, batch);
    }
  }

  #confirmed(batch) {
    this.#failures = 0;
    this.#forget(batch);
    if (this.isEmpty) this.#onState({ name: "saved" });
    else this.#sendIn(PAUSE_MS);
  }

  #failed(error, batch) {
    if (error instanceof Refusal) {
      this.#forget(batch);
      this.#onState({ name: "refused", message: error.message });
      if (!this.isEmpty) this.#sendIn(PAUSE_MS);
      return;
    }
    this.#failures += 1;
    const unreachable = navigator.onLine ? "unreachable" : "offline";
    this.#onState({ name: error instanceof SignedOut ? "signed-out" : unreachable });
    this.#sendIn(Math.min(1000 * 2 ** this.#failures, LONGEST_WAIT_MS));
  }

  /** Drop what was sent, but not a value that changed while it was under way. */
  #forget(batch) {
    for (const [key, entry] of batch) if (this.#waiting.get(key) === entry) this.#waiting.delete(key);
  }

  #sendIn(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), milliseconds);
  }
}
