// The writing room's requests to the server.

import { exchange, posting } from "../platform/exchange.js";

const READING = { read: readJson, timeout: 4500 };
const REFUSALS = { 403: "signed-out", 404: "other-person", 413: "too-long" };

/**
 * Every method resolves to { outcome, held, text, pen, sentAt, receivedAt }; the two times are readings of
 * performance.now(). `outcome` is "saved", "held" (told what is held), "full" (send the whole text), "elsewhere"
 * (another window has the pen), "late", "closed", "too-long", or says why nothing was learnt: "offline", "unreachable",
 * "signed-out" or "other-person". `held` is what the server holds, where it told.
 */
export class WritingServer {
  #urls;

  constructor({ penUrl, stateUrl, saveUrl }) {
    this.#urls = { penUrl, stateUrl, saveUrl };
  }

  /** Asks for the pen; `pen` in the answer says whether it is given, `text` what the page must show. */
  pen(window, takeOver) {
    return exchange(this.#urls.penUrl, { ...posting({ window, take_over: takeOver }), ...READING });
  }

  state() {
    return exchange(this.#urls.stateUrl, READING);
  }

  /** With `keepalive` the request outlives the page; its body must then stay under 64 KiB. */
  save(message, { keepalive = false } = {}) {
    return exchange(this.#urls.saveUrl, { ...posting(message), keepalive, ...READING });
  }

  /** The newest `text`, as the room's own page would show it now. */
  text() {
    return exchange(location.pathname, { ...READING, read: readPage });
  }
}

async function readJson(response) {
  if (response.type === "opaqueredirect") return { outcome: "signed-out" };
  if (response.status in REFUSALS) return { outcome: REFUSALS[response.status] };
  if (!response.ok && response.status !== 409 && response.status !== 410) return { outcome: "unreachable" };
  const { status, text, pen, ...held } = await response.json();
  const outcome = status ?? (response.ok ? "held" : "closed");
  return { outcome, text, pen, held: "epoch" in held ? held : undefined };
}

async function readPage(response) {
  if (!response.ok) return { outcome: "unreachable" };
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return { outcome: "held", text: page.getElementById("answer")?.value };
}
