// The difference between two saves of one text, as in annotation/writing/core/deltas.py; tests/vectors/deltas.json holds both
// to it. Offsets and lengths count code points.

/** What turns `before` into `after`: `delete` code points at `at`, as few as will do, give way to `insert`. */
export function between(before, after) {
  const [from, to] = [Array.from(before), Array.from(after)];
  const shorter = Math.min(from.length, to.length);
  let at = 0;
  while (at < shorter && from[at] === to[at]) at += 1;
  let end = 0;
  while (end < shorter - at && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  return { at, delete: from.length - at - end, insert: to.slice(at, to.length - end).join("") };
}

/** `text` after a change. */
export function apply(text, { at, delete: deleted, insert }) {
  return Array.from(text).toSpliced(at, deleted, insert).join("");
}

/** The length of a text in code points. */
export function lengthOf(text) {
  return Array.from(text).length;
}
