// Requests to the server that are always answered: what goes wrong on the way is an outcome too.

import { csrfToken } from "./csrf.js";

/** The options of a request that posts `message` as JSON. */
export function posting(message) {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrfToken() },
    body: JSON.stringify(message),
  };
}

/**
 * Resolves to what `read(response)` resolves to, or to the outcome "offline" or "unreachable" where nothing came back
 * within `timeout` ms; besides, `sentAt` and `receivedAt` are readings of performance.now().
 */
export async function exchange(url, { read, timeout, ...options }) {
  const sentAt = performance.now();
  try {
    const response = await fetch(url, { ...options, redirect: "manual", signal: AbortSignal.timeout(timeout) });
    const receivedAt = performance.now();
    return { ...(await read(response)), sentAt, receivedAt };
  } catch {
    return { outcome: navigator.onLine ? "unreachable" : "offline", sentAt, receivedAt: performance.now() };
  }
}
