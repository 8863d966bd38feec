// What annotators say of questions, as this browser keeps it until the server has it: an entry for each question.

import { dropAllFromDisk, dropFromDisk } from "../platform/on-disk.js";

export const prefixOf = (person) => `reviews:${person}:`;

export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

export function keysOf(prefix) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}

export function forget(key) {
  dropFromDisk(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}

/** Reviews of a person that only this browser holds: a list of { title, path }, the title being the page's. */
export function unsentReviews(person) {
  const entries = keysOf(prefixOf(person)).map(recall);
  return entries.filter((entry) => entry?.page).map(({ page }) => page);
}

export function forgetReviews(person) {
  keysOf(prefixOf(person)).forEach(forget);
  dropAllFromDisk(prefixOf(person));
}
