// The judging room's requests to the server.

import { exchange, posting } from "../platform/exchange.js";

const READING = { read, timeout: 10_000 };
const KEEPALIVE_LIMIT = 60_000; // bytes; a longer message would not be sent once the page is gone

/**
 * Every method resolves to { outcome, ... }. `outcome` is "kept" (with `conflicts`: the values held instead, by
 * field), "held" (with `state` of the item and `fields`), "refused" (with `message`), or says why nothing was learnt:
 * "offline", "unreachable", "signed-out" or "other-person".
 */
export class JudgmentServer {
  #urls;

  constructor({ saveUrl, stateUrl }) {
    this.#urls = { saveUrl, stateUrl };
  }

  async save(message) {
    const request = posting(message);
    const keepalive = sizeOf(request.body) <= KEEPALIVE_LIMIT;
    const answer = await exchange(this.#urls.saveUrl, { ...request, keepalive, ...READING });
    return { outcome: "kept", ...answer };
  }

  async state() {
    const answer = await exchange(this.#urls.stateUrl, READING);
    return { outcome: "held", ...answer };
  }
}

/** The length in bytes of a text on its way. */
export function sizeOf(text) {
  return new TextEncoder().encode(text).length;
}

async function read(response) {
  const { status } = response;
  if (response.type === "opaqueredirect" || status === 403) return { outcome: "signed-out" };
  if (status === 404) return { outcome: "other-person" };
  if (status === 429 || status >= 500) return { outcome: "unreachable" };
  if (response.ok) return response.json();
  const { error } = await response.json().catch(() => ({ error: "The server could not read what was sent." }));
  return { outcome: "refused", message: error };
}
