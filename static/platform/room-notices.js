// What the writer of an answer is told, one notice at a time.

import { countWords } from "./words.js";

const BEGINNING = 90; // characters
const END = 150; // more of the end, because two versions of one text mostly begin alike

const notices = document.querySelectorAll("[data-notice]");

/** Shows the notice of this name, and no other; none for null. */
export function showNotice(name) {
  for (const notice of notices) {
    notice.hidden = notice.dataset.notice !== name;
    if (notice.hidden) notice.querySelector("[data-before-submit]")?.setAttribute("hidden", "");
  }
}

/** Says in the notice that is shown what comes before handing in; returns whether anything does. */
export function saysWhatComesFirst() {
  const first = document.querySelector("[data-notice]:not([hidden]) [data-before-submit]");
  if (!first) return false;
  first.hidden = false;
  (first.closest("[data-notice]").querySelector("button") ?? first).focus();
  return true;
}

/** Puts what one of the two texts to choose from looks like into its place. */
export function describe(place, text) {
  const words = countWords(text);
  const isShort = text.length <= BEGINNING + END;
  place.querySelector("[data-words]").textContent = words === 1 ? "1 word" : `${words} words`;
  place.querySelector("[data-text]").textContent = isShort
    ? text
    : `${text.slice(0, BEGINNING)} […] ${text.slice(-END)}`;
}
