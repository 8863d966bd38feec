// The judging room's requests to the server. Each is answered: what goes wrong is an outcome too.

import { csrfToken } from "../platform/csrf.js";

const PATIENCE = 10_000; // ms
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
    const body = JSON.stringify(message);
    const { outcome = "kept", ...answer } = await exchange(this.#urls.saveUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
      body,
      keepalive: sizeOf(body) <= KEEPALIVE_LIMIT,
    });
    return { outcome, ...answer };
  }

  async state() {
    const { outcome = "held", ...answer } = await exchange(this.#urls.stateUrl);
    return { outcome, ...answer };
  }
}

/** The length in bytes of a text on its way. */
export function sizeOf(text) {
  return new TextEncoder().encode(text).length;
}

async function exchange(url, options = {}) {
  try {
    const response = await fetch(url, { ...options, redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
    return await read(response);
  } catch {
    return { outcome: navigator.onLine ? "unreachable" : "offline" };
  }
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
