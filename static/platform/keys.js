// Which key is meant: people who write in another script have its letters and figures on their keyboard.

const SIGNS = { BracketLeft: "[", BracketRight: "]", Slash: "/", Period: ".", Comma: "," };
const LATIN = /^\p{Script=Latin}$/u;

/** A letter in capitals where Shift is held, and only there, whatever Caps Lock does; other keys by their names. */
export function keyOf({ key, code, shiftKey }) {
  if (/^[ -~]{2,}$/.test(key)) return key; // "ArrowUp"
  const meant = key === "؟" ? "?" : isForeign(key) ? (latin(code) ?? key) : key;
  return shiftKey ? meant.toUpperCase() : meant.toLowerCase();
}

/** A letter, or a ligature of several, or a figure that is none of the Latin keyboard's. */
function isForeign(key) {
  return !LATIN.test(key) && /^(?![0-9])[\p{L}\p{Nd}]/u.test(key);
}

function latin(code) {
  return SIGNS[code] ?? /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1].toLowerCase();
}
