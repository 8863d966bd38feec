// The server's clock as seen from this page. The computer's own clock may be wrong or be changed: it is never read
// for the time, only to notice that it jumped. Times are milliseconds since 1970 on the server's clock.

const PROMPT_REPLY = 1000; // ms; a slower exchange says less about the time than a quick one before it
const JUMP = 2000; // ms between two clocks that should run alike: the computer slept or its clock was changed

export class ServerClock {
  #offset = null;
  #roundTrip = Infinity;
  #wall = Date.now();
  #steady = performance.now();

  /** Learns the time from an exchange whose `sentAt` and `receivedAt` are readings of performance.now(). */
  sync(serverNow, sentAt, receivedAt) {
    const roundTrip = receivedAt - sentAt;
    if (roundTrip > Math.max(this.#roundTrip, PROMPT_REPLY)) return;
    this.#roundTrip = roundTrip;
    this.#offset = serverNow - (sentAt + receivedAt) / 2;
  }

  /** The server's time, or null until it is known. */
  now() {
    return this.#offset === null ? null : performance.now() + this.#offset;
  }

  /** True after the computer slept or its clock was changed; then the time is unknown until the next exchange. */
  jumped() {
    const wall = Date.now();
    const steady = performance.now();
    const jumped = Math.abs(wall - this.#wall - (steady - this.#steady)) > JUMP;
    this.#wall = wall;
    this.#steady = steady;
    if (jumped) {
      this.#offset = null;
      this.#roundTrip = Infinity;
    }
    return jumped;
  }
}

/** How long an answer may be written, as the server said last. */
export class TimeLimit {
  #clock;
  #deadline = null;
  #pausedAt = null;
  #toldAt = null;

  constructor(clock) {
    this.#clock = clock;
  }

  /** Takes in an answer of the server's that tells what is held. */
  learn({ held, sentAt, receivedAt }) {
    this.#toldAt = Date.parse(held.now);
    this.#clock.sync(this.#toldAt, sentAt, receivedAt);
    this.#deadline = held.deadline === null ? null : Date.parse(held.deadline);
    this.#pausedAt = held.paused_at === null ? null : Date.parse(held.paused_at);
  }

  /** When time is up; null without a limit. */
  get deadline() {
    return this.#deadline;
  }

  /** Since when the time stands still; null while it runs. */
  get pausedAt() {
    return this.#pausedAt;
  }

  /** Milliseconds left; null without a limit or while the time is not known. */
  get left() {
    const now = this.#pausedAt ?? this.#clock.now();
    return this.#deadline === null || now === null ? null : this.#deadline - now;
  }

  /** Whether the server itself has said that time is up, and not only this page's reckoning. */
  get isConfirmed() {
    return this.#pausedAt === null && this.#deadline !== null && this.#toldAt >= this.#deadline;
  }
}

/** "17:42", or "1:05:00" from an hour on; never below zero. */
export function formatTimeLeft(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const pad = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
}

/** "just now", "12 s ago", "3 min ago". */
export function formatAge(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 1) return "just now";
  return seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
}

/** Says, on the way down, that one of `minutes` is left; `say` gets the words. */
export class TimeAnnouncer {
  #minutes;
  #say;
  #before = 0;

  constructor(minutes, say) {
    this.#minutes = minutes.toSorted((a, b) => a - b);
    this.#say = say;
  }

  update(milliseconds) {
    const left = milliseconds / 60_000;
    const passed = this.#minutes.find((minute) => left <= minute && minute < this.#before);
    if (passed && left > 0) this.#say(`${passed} ${passed === 1 ? "minute" : "minutes"} left`);
    this.#before = left;
  }
}
