// What a text is, as in annotation/platform/core/text.py, which explains the rules; tests/vectors/words.json holds both to them.

const CONTROLS_AND_INVISIBLES = /[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ufeff]/gu;
const LINE_ENDS = /\r\n|[\r\x0b\x0c\x85\u2028\u2029]/gu;
const LONE_SURROGATES = /\p{Surrogate}/gu;
const WORD =
  /[\p{L}\p{N}](?:(?![-\u2010-\u2013\u2212]{2}|\.\.)[^\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u2014\u2015\u2026])*/gu;

/** The text as the server stores it. */
export function clean(text) {
  return text
    .replace(CONTROLS_AND_INVISIBLES, "")
    .replace(LINE_ENDS, "\n")
    .replace(LONE_SURROGATES, "\ufffd")
    .normalize("NFC");
}

/** The number of words in a cleaned text. */
export function countWords(text) {
  return text.match(WORD)?.length ?? 0;
}

/** SHA-256 of the text in UTF-8, as 64 hexadecimal digits. */
export async function sha256(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
