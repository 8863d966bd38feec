// An answer's text as its page shows it, addressed by code points. The markup of a frozen text is never touched.

import { lengthOf } from "../../writing/deltas.js";

const BETWEEN_PARAGRAPHS = "\n\n";
const ALIKE = { "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-" }; // however they are typed
const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });

export class AnswerText {
  #paragraphs;
  #characters;
  #folded; // once something was looked for

  /** `element` holds the text's paragraphs, one element with plain text each. */
  constructor(element) {
    element.normalize(); // a parser may have cut a long text into several nodes
    this.#paragraphs = [...element.querySelectorAll(".prose > p")];
    this.#characters = Array.from(this.#paragraphs.map((p) => p.textContent).join(BETWEEN_PARAGRAPHS));
  }

  get length() {
    return this.#characters.length;
  }

  /** The words of a passage, in one line. */
  quote({ start, end }, { trims = true } = {}) {
    const words = this.#characters.slice(start, end).join("").replace(/\s+/gu, " ");
    return trims ? words.trim() : words;
  }

  /**
   * Where `words` stand, in capitals or not, with or without accents and marks of vowels: passages that do not overlap,
   * in order.
   */
  find(words) {
    const wanted = folded(Array.from(words.replace(/\s+/gu, " ")));
    this.#folded ??= folded(this.#characters);
    const found = [];
    if (wanted.length === 0) return found;
    for (let first = 0; first + wanted.length <= this.#folded.length; first += 1) {
      if (!wanted.every(({ meant }, step) => meant === this.#folded[first + step].meant)) continue;
      const end = this.#folded[first + wanted.length]?.at ?? this.length;
      found.push({ start: this.#folded[first].at, end });
      first += wanted.length - 1;
    }
    return found;
  }

  /** The part of the text within a range of the page, without white space around it; null where there is none. */
  passageIn(range) {
    return this.#trimmed(
      this.offsetOf(range.startContainer, range.startOffset),
      this.offsetOf(range.endContainer, range.endOffset),
    );
  }

  /** How many code points stand before a place on the page. */
  offsetOf(node, offset) {
    let before = 0;
    for (const paragraph of this.#paragraphs) {
      const range = document.createRange();
      range.selectNodeContents(paragraph);
      const place = range.comparePoint(node, offset);
      if (place < 0) return before;
      if (place === 0) {
        range.setEnd(node, offset);
        return before + lengthOf(range.toString());
      }
      before += lengthOf(paragraph.textContent) + BETWEEN_PARAGRAPHS.length;
    }
    return this.length;
  }

  /** The range of the page that shows a passage. */
  rangeOf({ start, end }) {
    const range = document.createRange();
    range.setStart(...this.#placeOf(start));
    range.setEnd(...this.#placeOf(end));
    return range;
  }

  /** The sentences, as passages in the text's order. */
  sentences() {
    const found = [];
    let before = 0;
    for (const { textContent } of this.#paragraphs) {
      let start = before;
      for (const { segment } of SENTENCES.segment(textContent)) {
        const end = start + lengthOf(segment);
        found.push(this.#trimmed(start, end));
        start = end;
      }
      before = start + BETWEEN_PARAGRAPHS.length;
    }
    return found.filter(Boolean);
  }

  #trimmed(start, end) {
    const isSpace = (at) => /\s/u.test(this.#characters[at]);
    while (start < end && isSpace(start)) start += 1;
    while (end > start && isSpace(end - 1)) end -= 1;
    return start < end ? { start, end } : null;
  }

  #placeOf(offset) {
    let left = offset;
    for (const paragraph of this.#paragraphs) {
      const characters = Array.from(paragraph.textContent);
      if (left <= characters.length) {
        return [paragraph.firstChild ?? paragraph, characters.slice(0, left).join("").length];
      }
      left -= characters.length + BETWEEN_PARAGRAPHS.length;
      if (left < 0) left = 0; // between two paragraphs: the second one's beginning
    }
    const last = this.#paragraphs.at(-1);
    return [last, last.childNodes.length];
  }
}

/** What each character means, and where it stands; marks of vowels, and what stretches Arabic words, mean nothing. */
function folded(characters) {
  return characters.flatMap((character, at) => {
    if (/\s/u.test(character)) return { meant: " ", at };
    const [base] = character.normalize("NFKD").replace(/[\p{M}\u0640]/gu, "");
    return base === undefined ? [] : { meant: (ALIKE[base] ?? base).toLowerCase(), at };
  });
}
