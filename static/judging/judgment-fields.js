// The fields in which a judge gives something: their kinds, what they are called, and when two values are one.

import { clean } from "../platform/words.js";

const PARTS = ["slot", "start", "end", "dimension", "note", "milliseconds", "depth"]; // of a value that has several
const BEGINNING = 160; // characters
const END = 80;
const NAMES = { score: nameOfScore, place: nameOfPlace, mark: () => "a note or highlight" };

/** Each window tells for itself what is read in it, and how it is left. That is no judgment: nobody is told where it waits. */
export function isReading(field) {
  return field === "view" || field.startsWith("reading:");
}

/** Whether two devices can give the field different values. A mark is a field of its own wherever it is made. */
export function isContended(field) {
  return /^(score|place|justification)/.test(field);
}

/** Whether two values of a field are one for the server, which holds nothing where a text is empty. */
export function same(a, b) {
  return comparable(a) === comparable(b);
}

function comparable(value) {
  return JSON.stringify(typeof value === "string" ? clean(value) || null : (value ?? null), PARTS);
}

/** The field in the judge's words, as on this page: "Answer B, Conceptual clarity". */
export function nameOf(field) {
  const [kind, ...names] = field.split(":");
  return NAMES[kind]?.(...names) ?? "Justification";
}

function nameOfScore(slot, dimension) {
  const title = document.querySelector(`[data-dimension="${dimension}"] :is(legend, label)`);
  return `${nameOfAnswer(slot)}, ${title.firstChild.textContent.trim()}`;
}

function nameOfPlace(slot) {
  return `${nameOfAnswer(slot)}, place`;
}

function nameOfAnswer(slot) {
  return `Answer ${document.querySelector(`[data-slot="${slot}"]`).dataset.answer}`;
}

/** A score or a place as it is told. */
export function phrase(value) {
  return value === null ? "none" : String(value);
}

/** A text as it is told: whole, or its beginning and its end. */
export function excerpt(text) {
  if (!text) return "nothing";
  return `“${text.length <= BEGINNING + END ? text : `${text.slice(0, BEGINNING)} […] ${text.slice(-END)}`}”`;
}
