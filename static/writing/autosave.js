// Keeps the server's copy of a text up to date: after a pause, at the latest while typing, in order, until the server
// holds what is on the screen. "Saved" means: acknowledged with the hash of exactly this text. While there is nothing
// to save it asks how things stand, so that an outage, a pause or another window shows within seconds.

import { between, lengthOf } from "./deltas.js";
import { sha256 } from "../platform/words.js";

const PAUSE = 2000; // ms, as are all times here
const LATEST = 5000;
const IDLE = 5000;
const RETRIES = [1000, 2000, 4000]; // the last one again and again
const SPREAD = 500; // so that not every page comes back at once after an outage
const EVENTS_ALONE = 30_000; // events wait this long for a change of the text to travel with
const KEEPALIVE_LIMIT = 60_000; // bytes; browsers do not send more once the page is gone
const FAILURES = new Set(["offline", "unreachable", "signed-out", "other-person"]);
const ENDS = new Set(["late", "closed"]);

/**
 * Events: "change" (look at `saved`, `saving`, `problem` again), "reply" (detail: an answer of the server's that
 * tells what is held), "elsewhere" (another window has the pen) and "closed" (detail: the outcome; nothing is saved
 * any more).
 */
export class Autosave extends EventTarget {
  closed = false; // whether the answer is no longer being written

  #server;
  #read;
  #activity;
  #epoch = null; // of the pen; null while this window does not have it
  #seq = 0;
  #held = null; // what the server is known to hold of this window: { seq, sha, text, learntAt }
  #unanswered = []; // messages, oldest first; each is sent again, unchanged, until it is answered
  #refused = null; // a text that is too long to be kept
  #failure = null;
  #failures = 0;
  #askedAt = 0;
  #composedAt = 0;
  #running = null;
  #wanted = false;
  #timers = {};

  /** `read` returns the cleaned text on the screen; `activity` is an ActivityRecord. */
  constructor({ server, read, activity }) {
    super();
    this.#server = server;
    this.#read = read;
    this.#activity = activity;
    addEventListener("online", () => this.save());
    addEventListener("offline", () => this.#note({ outcome: "offline", sentAt: performance.now() }));
    addEventListener("focus", () => this.resync());
    addEventListener("pagehide", () => this.#part());
    document.addEventListener("resume", () => this.resync());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#part() : this.resync()));
  }

  /** Whether all that was written here is acknowledged: as the answer, or beside it once the pen was lost. */
  get saved() {
    return this.#epoch === null ? this.#unanswered.length === 0 : this.#read() === this.#held?.text;
  }

  /** The text that the server is known to hold; `null` where it is not known. */
  get heldText() {
    return this.#held?.text ?? null;
  }

  get saving() {
    return this.#running !== null && this.#unanswered.length > 0;
  }

  /** What keeps the text from being saved: null, "offline", "unreachable", "signed-out", "other-person" or "too-long". */
  get problem() {
    return this.#failure ?? (this.#refused !== null && this.#refused === this.#read() ? "too-long" : null);
  }

  get epoch() {
    return this.#epoch;
  }

  /** The hash of the text that the one on the screen builds on; empty where it is not known. */
  get baseSha() {
    return this.#held?.sha ?? "";
  }

  /** Texts that the server may have got, or may still get, without this page knowing. */
  get sent() {
    return this.#unanswered.map(({ text }) => text);
  }

  // -- the pen -------------------------------------------------------------------------------------------------

  /** This window has the pen: the server holds `text`, as `held` says. */
  begin(held, text) {
    this.#dropUnanswered();
    [this.#epoch, this.#seq] = [held.epoch, held.seq];
    this.#held = { seq: held.seq, sha: held.sha256, text, learntAt: performance.now() };
    this.#tell("change");
  }

  /** The pen is gone. What is not acknowledged goes once more, whole, and is kept beside the answer. */
  end() {
    if (this.#epoch === null) return;
    const last = this.saved ? [] : [this.#message(this.#read(), null, [])];
    this.#dropUnanswered();
    this.#unanswered = last;
    this.#epoch = this.#held = null;
    this.#tell("elsewhere");
    this.save();
  }

  #dropUnanswered() {
    this.#activity.putBack(this.#unanswered.flatMap(({ activity }) => activity));
    this.#unanswered = [];
  }

  /** Has a text kept beside the answer, as that of a window without the pen; resolves to whether it is. */
  async keepAside(text) {
    const reply = await this.#server.save({ epoch: 0, seq: 1, text });
    await this.hear(reply);
    return reply.outcome === "elsewhere";
  }

  // -- when to save --------------------------------------------------------------------------------------------

  /** To be called whenever the text has changed. */
  changed() {
    clearTimeout(this.#timers.pause);
    clearTimeout(this.#timers.next);
    this.#timers.pause = setTimeout(() => this.save(), PAUSE);
    this.#timers.latest ??= setTimeout(() => this.save(), LATEST);
    this.#tell("change");
  }

  /** Sends the newest text once the request under way is answered, or asks how things stand; resolves afterwards. */
  save() {
    if (this.closed) return Promise.resolve();
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#timers = {};
    this.#wanted = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Learns the time at once, even if a request from before the computer slept is still waited for. */
  async resync() {
    if (!this.#running || this.closed) {
      this.save();
      return;
    }
    const reply = await this.#server.state();
    // Whether the words under way come too late is for their own answer to tell.
    this.hear(ENDS.has(reply.outcome) && !this.saved ? { ...reply, outcome: "held" } : reply);
  }

  async #run() {
    while (this.#wanted && !this.closed) {
      this.#wanted = false;
      await this.#exchange();
    }
    this.#running = null;
    this.#scheduleNext();
    this.#tell("change");
  }

  #scheduleNext() {
    const tried = Math.min(this.#failures, RETRIES.length) - 1;
    const waited = performance.now() - this.#askedAt;
    const wait = this.#failure ? Math.max(0, RETRIES[tried] - waited) + Math.random() * SPREAD : IDLE;
    clearTimeout(this.#timers.next);
    this.#timers.next = setTimeout(() => this.save(), wait);
  }

  // -- what is sent --------------------------------------------------------------------------------------------

  async #exchange() {
    if (!(await this.#deliver())) return;
    const message = this.#compose();
    if (message) {
      this.#unanswered.push(message);
      await this.#deliver();
    } else {
      await this.hear(await this.#server.state());
    }
  }

  /** The next message, if there is something to tell. */
  #compose() {
    if (this.#epoch === null) return null;
    const text = this.#read();
    if (text !== this.#held?.text) return text === this.#refused ? null : this.#message(text, this.#held);
    if (performance.now() - this.#composedAt < EVENTS_ALONE) return null;
    const events = this.#activity.take();
    return events.length ? this.#message(text, this.#held, events) : null;
  }

  /** `text` as a change to `base`, or whole without one. */
  #message(text, base = null, activity = this.#activity.take()) {
    this.#composedAt = performance.now();
    return { epoch: this.#epoch, seq: ++this.#seq, text, base, activity };
  }

  async #deliver() {
    while (this.#unanswered.length && !this.closed) {
      const [message] = this.#unanswered;
      if (!(await this.#take(await this.#server.save(bodyOf(message)), message))) return false;
    }
    return true;
  }

  /** The page may be gone in a moment: the whole text goes at once, whatever is still under way. */
  #part() {
    const text = this.#read();
    const isUnderWay = this.#unanswered.some((message) => message.isParting && message.text === text);
    if (this.#epoch === null || this.closed || this.saved || isUnderWay) return;
    const message = { ...this.#message(text), isParting: true };
    if (new TextEncoder().encode(JSON.stringify(bodyOf(message))).length > KEEPALIVE_LIMIT) message.base = this.#held;
    this.#unanswered.push(message);
    this.#server.save(bodyOf(message), { keepalive: true }).then((reply) => this.#take(reply, message));
  }

  // -- what is answered ----------------------------------------------------------------------------------------

  /** Takes in what the server said to `message`, and returns whether to go on. */
  async #take(reply, message) {
    await this.hear(reply);
    const { outcome } = reply;
    if (FAILURES.has(outcome)) return false;
    if (outcome === "full" && message.base) {
      message.base = null; // the same text, whole
      return true;
    }
    this.#unanswered = this.#unanswered.filter((other) => other !== message);
    if (outcome === "elsewhere" && message.epoch === this.#epoch) this.end();
    if (outcome === "too-long") {
      this.#refused = message.text;
      this.#activity.putBack(message.activity);
    }
    return true;
  }

  /** Takes in any answer of the server's. */
  async hear(reply) {
    this.#note(reply);
    if (reply.held) {
      this.#tell("reply", reply);
      await this.#compare(reply);
    }
    if (ENDS.has(reply.outcome) && !this.closed) {
      this.closed = true;
      this.#tell("closed", reply.outcome);
    }
    this.#tell("change");
  }

  #note({ outcome, sentAt }) {
    this.#failure = FAILURES.has(outcome) ? outcome : null;
    this.#failures = this.#failure ? this.#failures + 1 : 0;
    this.#askedAt = sentAt;
    if (!this.#running) this.#scheduleNext();
    this.#tell("change");
  }

  /** Finds out whether what the server holds was written here; otherwise the next message is the whole text. */
  async #compare({ held, sentAt }) {
    const known = this.#held;
    if (this.#epoch === null || held.epoch < this.#epoch) return; // asked before this window took the pen
    if (held.epoch > this.#epoch) {
      this.end();
      return;
    }
    if (known && held.seq < known.seq && sentAt < known.learntAt) return; // a later answer was quicker
    if (held.seq === known?.seq && held.sha256 === known.sha) return;
    const message = this.#unanswered.find(({ epoch, seq }) => epoch === held.epoch && seq === held.seq);
    const isOwn = message !== undefined && (await isTextOf(held, message.text));
    if (this.#held !== known) return; // another answer has been taken in meanwhile
    this.#held = isOwn ? { seq: held.seq, sha: held.sha256, text: message.text, learntAt: performance.now() } : null;
    this.#seq = Math.max(this.#seq, held.seq);
    this.#unanswered = this.#unanswered.filter(({ epoch, seq }) => epoch !== held.epoch || seq > held.seq);
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

function bodyOf({ epoch, seq, text, base, activity }) {
  const content = base ? { base_seq: base.seq, base_sha: base.sha, ...between(base.text, text) } : { text };
  return { epoch, seq, ...content, ...(activity.length ? { activity } : {}) };
}

/** Browsers hash only on secure pages; elsewhere the epoch, the number and the length have to do. */
async function isTextOf(held, text) {
  return crypto.subtle ? (await sha256(text)) === held.sha256 : lengthOf(text) === held.length;
}
