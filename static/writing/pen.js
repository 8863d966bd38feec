// One pen: only one window writes an answer. The browser's locks tell its tabs apart, at once and without the server;
// the server tells browsers and devices apart.

import { newId } from "../platform/new-id.js";

const WINDOW_KEY = "writing-window";
const PATIENCE = 500; // ms; a page that is just being left, as by a reload, lets go of its lock a moment later

/** Event: "lost", when another tab of this browser has taken the pen. */
export class Pen extends EventTarget {
  #server;
  #name;
  #letGo = null;

  /** `name` tells answers apart; without one, other tabs do not matter. */
  constructor(server, name) {
    super();
    this.#server = server;
    this.#name = name;
  }

  /** The server's answer, or null where another tab of this browser has the pen and `takeOver` is not asked for. */
  async take(takeOver) {
    return (await this.#lock(takeOver)) ? this.#server.pen(windowId(), takeOver) : null;
  }

  release() {
    this.#letGo?.();
    this.#letGo = null;
  }

  #lock(steal) {
    if (!navigator.locks || !this.#name || this.#letGo) return true;
    const options = steal ? { steal } : { signal: AbortSignal.timeout(PATIENCE) };
    return new Promise((resolve) => {
      const granted = () => {
        resolve(true);
        return new Promise((letGo) => (this.#letGo = letGo));
      };
      navigator.locks.request(this.#name, options, granted).catch(() => {
        resolve(false);
        if (this.#letGo) this.#lose();
      });
    });
  }

  #lose() {
    this.#letGo = null;
    this.dispatchEvent(new Event("lost"));
  }
}

let pageId;

/** The same for all tabs where locks tell them apart; otherwise each tab has its own. */
function windowId() {
  try {
    const storage = navigator.locks ? localStorage : sessionStorage;
    if (!storage.getItem(WINDOW_KEY)) storage.setItem(WINDOW_KEY, newId());
    return storage.getItem(WINDOW_KEY);
  } catch {
    return (pageId ??= newId()); // storage is switched off
  }
}
