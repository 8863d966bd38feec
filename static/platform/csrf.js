// What a request that changes something has to show.

/** Read each time it is needed: signing in again changes it. */
export function csrfToken() {
  return document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";
}
