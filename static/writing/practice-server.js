// The practice room's stand-in for the server: it answers as the server does, remembers only as long as the page is
// open, and sends nothing anywhere.

import { apply, lengthOf } from "./deltas.js";
import { sha256 } from "../platform/words.js";

const MINUTE = 60_000;

/** Its answers are those of WritingServer. */
export class PracticeServer {
  #begun;
  #epoch = 0;
  #seq = 0;
  #text = "";
  #savedAt = time();
  #deadline = null;

  /** The minute starts with the event "begin" of `desk`; until then nobody gets the pen. */
  constructor(desk) {
    this.#begun = new Promise((resolve) => desk.addEventListener("begin", resolve, { once: true }));
  }

  async pen() {
    await this.#begun;
    this.#deadline ??= time() + MINUTE;
    this.#epoch += 1;
    this.#seq = 0;
    return { ...(await this.#answer("held")), text: this.#text, pen: true };
  }

  state() {
    return this.#answer("held");
  }

  save(message) {
    this.#text = message.text ?? apply(this.#text, message);
    this.#seq = message.seq;
    this.#savedAt = time();
    return this.#answer("saved");
  }

  async #answer(outcome) {
    const held = {
      epoch: this.#epoch,
      seq: this.#seq,
      sha256: crypto.subtle ? await sha256(this.#text) : "",
      length: lengthOf(this.#text),
      saved_at: iso(this.#savedAt),
      now: iso(time()),
      deadline: this.#deadline && iso(this.#deadline),
      paused_at: null,
    };
    return { outcome, held, sentAt: performance.now(), receivedAt: performance.now() };
  }
}

/** Milliseconds since 1970, on a clock that nobody sets meanwhile. */
function time() {
  return performance.timeOrigin + performance.now();
}

function iso(milliseconds) {
  return new Date(milliseconds).toISOString();
}
