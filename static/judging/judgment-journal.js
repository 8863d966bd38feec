// What a judge gives, kept in this browser until the server has it: one entry for each field, shared by all windows.

import { forget, keysOf, recall, remember } from "../platform/memory.js";
import { dropAllFromDisk, dropFromDisk, keepOnDisk, putBack } from "../platform/on-disk.js";
import { isReading } from "./judgment-fields.js";

const PROBE = "judgments-probe";

const prefixOf = (person, item = "") => `judgments:${person}:${item}${item && ":"}`;

/**
 * An entry is `field`, `value`, `at` (when it was given), `window`, `name` (the field in the judge's words), `page`
 * ({ title, path } of its room); `over`, values that the server may hold for the field; and `conflict`, where
 * another device has given something else: { held }.
 */
export class JudgmentJournal {
  #prefix;
  #unkept = new Map(); // entries that the browser did not store, by key
  #stores;

  /** `onOther(before, after)` is told what another window has put (`after`) or removed (`after` is null). */
  constructor(person, item, onOther) {
    this.#prefix = prefixOf(person, item);
    this.#stores = remember(PROBE, true);
    forget(PROBE);
    addEventListener("storage", ({ key, oldValue, newValue }) => {
      if (key?.startsWith(this.#prefix)) onOther(JSON.parse(oldValue), JSON.parse(newValue));
    });
    putBack(this.#prefix, (entry) => onOther(null, entry)); // what a killed browser has forgotten
  }

  /** Whether everything in it outlives the page. */
  get lasts() {
    return this.#stores && this.#unkept.size === 0;
  }

  /** All entries, in the order in which they were given. */
  get entries() {
    const keys = new Set([...keysOf(this.#prefix), ...this.#unkept.keys()]);
    return inOrder([...keys].map((key) => this.#read(key)));
  }

  /** The entry of a field; of one that every window has for itself, that of `window`. Null where there is none. */
  get(field, window) {
    return this.#read(this.#key({ field, window }));
  }

  put(entry) {
    const key = this.#key(entry);
    if (!isReading(entry.field)) keepOnDisk(key, entry);
    if (remember(key, entry)) this.#unkept.delete(key);
    else this.#unkept.set(key, entry);
  }

  remove(entry) {
    const key = this.#key(entry);
    this.#unkept.delete(key);
    dropFromDisk(key);
    forget(key);
  }

  #read(key) {
    return this.#unkept.get(key) ?? recall(key);
  }

  #key({ field, window }) {
    return this.#prefix + (isReading(field) ? `${field}:${window}` : field);
  }
}

/** Judgments of a person that only this browser holds: a list of { title, path, names }, one for each item. */
export function unsentJudgments(person) {
  const entries = inOrder(keysOf(prefixOf(person)).map(recall));
  const judgments = entries.filter(({ field }) => !isReading(field));
  const rooms = Map.groupBy(judgments, ({ page }) => page.path);
  return [...rooms].map(([path, given]) => ({ title: given[0].page.title, path, names: given.map(({ name }) => name) }));
}

function inOrder(entries) {
  return entries.filter((entry) => entry !== null).sort((a, b) => a.at - b.at);
}

export function forgetJudgments(person) {
  keysOf(prefixOf(person)).forEach(forget);
  dropAllFromDisk(prefixOf(person));
}
