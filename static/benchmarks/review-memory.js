// What annotators say of questions, as this browser keeps it until the server has it: an entry for each question.

import { forget, keysOf, recall } from "../platform/memory.js";
import { dropAllFromDisk, dropFromDisk } from "../platform/on-disk.js";

export const prefixOf = (person) => `reviews:${person}:`;

/** From the browser's storage and from the disk. */
export function forgetReview(key) {
  dropFromDisk(key);
  forget(key);
}

/** Reviews of a person that only this browser holds: a list of { title, path }, the title being the page's. */
export function unsentReviews(person) {
  const entries = keysOf(prefixOf(person)).map(recall);
  return entries.filter((entry) => entry?.page).map(({ page }) => page);
}

export function forgetReviews(person) {
  keysOf(prefixOf(person)).forEach(forgetReview);
  dropAllFromDisk(prefixOf(person));
}
