// A judge's private marks: highlights in the answers' texts, notes on them, and the list of both.
//
// A mark is `{ slot, start, end, dimension, note }`, in code points of the answer's text; without a passage it is a
// note on the answer as a whole. Highlights are painted by the browser over the text, whose markup stays as it is;
// a browser that cannot still has the list.

import { AnswerText } from "./answer-text.js";
import { bringIntoView, isSeen, seenPartOf } from "../in-view.js";
import { MarkList, UndoOffer } from "./mark-list.js";
import { MarkTools } from "./mark-tools.js";
import { clean } from "../../platform/words.js";

const MAX_MARKS = 500;
const TOO_MANY = `An item holds ${MAX_MARKS} notes and highlights. Remove one to make room for another.`;
const SETTLED = 150; // ms after which a selection is taken to be made

export class Marks {
  #answers;
  #texts; // AnswerText by answer
  #marks = new Map(); // by field
  #put;
  #announce;
  #opened;
  #list;
  #tools;
  #undo;
  #shown = null; // the answer whose marks are listed
  #current = null; // the mark that stands out
  #isDrawing = false;
  #offering;

  /** `put(field, value)` keeps a change; `opened(answer)` brings an answer into view. */
  constructor(form, answers, { put, announce, opened }) {
    this.#answers = answers;
    this.#texts = new Map(answers.map((answer) => [answer, new AnswerText(answer.text)]));
    this.#put = put;
    this.#announce = announce;
    this.#opened = opened;
    this.#tools = new MarkTools(form.querySelector("[data-mark-tools]"), {
      onChange: (mark, change) => this.#change(mark, change),
      onRemove: (mark) => this.#remove(mark),
    });
    this.#list = new MarkList(form.querySelector("[data-marks]"), {
      whole: () => this.#noteOnWhole(this.#shown),
      jump: (mark) => this.#jump(mark),
      edit: (mark) => this.#edit(mark),
      remove: (mark) => this.#remove(mark),
    });
    this.#undo = new UndoOffer(form.querySelector("[data-mark-undo]"));
    this.#listen();
  }

  /** Take a mark that is held already; null where it was removed. */
  set(field, value) {
    if (value === null) this.#forget(field);
    else this.#take(field, value);
    if (this.#tools.mark?.field !== field) return;
    if (value === null) this.#tools.close();
    else this.#tools.show();
  }

  /** List the marks of this answer. */
  show(answer) {
    this.#shown = answer;
    this.#draw();
  }

  /** `n` writes a note, `m` highlights what is selected, `.` and `,` select the next and the previous sentence. */
  press(key, answer) {
    if (key === "m") return this.#highlight();
    if (key === "n") this.#note(answer);
    else if (key === ".") this.#selectSentence(answer, { forwards: true });
    else if (key === ",") this.#selectSentence(answer, { forwards: false });
    else return false;
    return true;
  }

  // -- what is kept --------------------------------------------------------------------------------------------

  /** A mark that will be kept as soon as something is done with it. */
  #newMark(answer, { start, end }, field = `mark:${crypto.randomUUID()}`) {
    const range = start === null ? null : this.#texts.get(answer).rangeOf({ start, end });
    return { field, answer, range, value: { slot: answer.slot, start, end, dimension: "", note: "" }, isKept: false };
  }

  #take(field, value) {
    const answer = this.#answers.find(({ slot }) => slot === value.slot);
    const mark = this.#marks.get(field) ?? this.#newMark(answer, value, field);
    this.#marks.set(field, Object.assign(mark, { value, isKept: true }));
    this.#draw();
  }

  #forget(field) {
    const mark = this.#marks.get(field);
    if (mark) mark.isKept = false;
    this.#marks.delete(field);
    this.#draw();
  }

  #keep(field, value) {
    if (value === null) this.#forget(field);
    else this.#take(field, value);
    this.#put(field, value);
  }

  #change(mark, { dimension, note }) {
    if (!mark.isKept && this.#marks.size >= MAX_MARKS) {
      this.#tools.say(TOO_MANY);
      return;
    }
    const isNew = !mark.isKept;
    const value = { ...mark.value, dimension, note: clean(note) };
    const saysSomething = mark.range !== null || value.note.trim() !== "";
    if (!saysSomething && isNew) return;
    this.#marks.set(mark.field, mark);
    this.#current = mark;
    this.#keep(mark.field, saysSomething ? value : null);
    if (isNew && mark.range) this.#announce("Highlighted");
  }

  #remove({ field, value, answer }) {
    this.#keep(field, null);
    this.#announce("Removed. For ten seconds you can undo it.");
    const undo = () => {
      this.#keep(field, value);
      this.#announce("It is back.");
    };
    this.#drawNow(); // a button that goes with its mark loses the focus
    this.#undo.offer({ undo, returnTo: answer.text });
  }

  // -- selecting and opening -----------------------------------------------------------------------------------

  #listen() {
    let isPressed = false;
    const offerSoon = () => {
      clearTimeout(this.#offering);
      this.#offering = setTimeout(() => isPressed || this.#offer(), SETTLED);
    };
    const press = (pressed) => {
      isPressed = pressed;
      offerSoon();
    };
    document.addEventListener("pointerdown", () => press(true));
    for (const type of ["pointerup", "pointercancel"]) document.addEventListener(type, () => press(false));
    document.addEventListener("selectionchange", offerSoon);
    for (const answer of this.#answers) {
      answer.text.addEventListener("click", (event) => this.#clicked(answer, event));
    }
  }

  /** Show the tools beside what is selected; take them away where nothing is and nobody uses them. */
  #offer() {
    if (this.#tools.isInUse) return;
    const mark = this.#selected();
    if (mark) this.#open(mark);
    else if (this.#tools.mark?.isKept === false) this.#tools.close();
  }

  /** What is selected in one answer's text, as a mark: the same one as before where there is one. Null otherwise. */
  #selected() {
    const selection = getSelection();
    if (selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const passages = this.#answers.map((answer) => [answer, this.#texts.get(answer).passageIn(range)]);
    const [[answer, passage] = [], another] = passages.filter(([, found]) => found !== null);
    const isInOne = answer?.text.contains(range.startContainer) && !another;
    return isInOne ? this.#markOn(answer, passage) : null;
  }

  /** The mark that is open, one that is kept, or a new one. */
  #markOn(answer, { start, end }) {
    const isSame = ({ value }) => value.slot === answer.slot && value.start === start && value.end === end;
    const marks = [...this.#marks.values()];
    if (this.#tools.mark) marks.push(this.#tools.mark);
    return marks.find(isSame) ?? this.#newMark(answer, { start, end });
  }

  #open(mark, { returnTo = () => mark.answer.text } = {}) {
    if (this.#tools.mark === mark) return;
    this.#tools.open(mark, { about: this.#quote(mark), anchor: () => placeOf(mark), returnTo });
  }

  #highlight() {
    const mark = this.#selected();
    if (!mark) return false;
    this.#open(mark);
    this.#tools.highlight();
    return true;
  }

  #note(answer) {
    const mark = this.#selected();
    if (!mark) {
      this.#noteOnWhole(answer);
      return;
    }
    this.#open(mark);
    this.#tools.write();
  }

  #noteOnWhole(answer) {
    const before = document.activeElement;
    this.#open(this.#markOn(answer, { start: null, end: null }), { returnTo: () => before });
    this.#tools.write();
  }

  /** So that passages can be chosen without a pointer; Shift and the arrows then make them longer or shorter. */
  #selectSentence(answer, { forwards }) {
    const text = this.#texts.get(answer);
    const sentence = this.#nextSentence(answer, forwards);
    if (!sentence) return;
    const range = text.rangeOf(sentence);
    answer.text.focus({ preventScroll: true });
    getSelection().setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    if (!isSeen(range, answer.text)) bringIntoView(range);
    this.#announce(text.quote(sentence));
  }

  /** Seen from what is selected, or else the first one in view. */
  #nextSentence(answer, forwards) {
    const text = this.#texts.get(answer);
    const sentences = text.sentences();
    const { anchorNode, rangeCount } = getSelection();
    const from = rangeCount > 0 && answer.text.contains(anchorNode) ? getSelection().getRangeAt(0) : null;
    if (!from || !isSeen(from, answer.text)) {
      return sentences.find((sentence) => isSeen(text.rangeOf(sentence), answer.text));
    }
    const start = text.offsetOf(from.startContainer, from.startOffset);
    const end = text.offsetOf(from.endContainer, from.endOffset);
    return forwards ? sentences.find((next) => next.start >= end) : sentences.findLast((last) => last.start < start);
  }

  /** A click on a highlight opens it. */
  #clicked(answer, { clientX: x, clientY: y }) {
    if (!getSelection().isCollapsed) return;
    const isHit = ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom;
    const [shortest = null] = this.#marksOf(answer)
      .filter((mark) => boxesOf(mark).some(isHit))
      .sort((one, other) => sizeOf(one) - sizeOf(other));
    if (shortest) this.#open(shortest);
    this.#current = shortest;
    this.#draw();
  }

  #jump(mark) {
    this.#opened(mark.answer);
    this.#current = mark;
    mark.answer.text.focus({ preventScroll: true });
    const place = mark.range ?? this.#texts.get(mark.answer).rangeOf({ start: 0, end: 0 });
    getSelection().collapse(place.startContainer, place.startOffset);
    bringIntoView(place);
    this.#announce(this.#quote(mark));
    this.#draw();
  }

  #edit(mark) {
    this.#opened(mark.answer);
    this.#current = mark;
    if (mark.range) bringIntoView(mark.range);
    this.#open(mark, { returnTo: () => this.#list.editButtonOf(mark) });
    this.#tools.write();
  }

  // -- showing -------------------------------------------------------------------------------------------------

  #quote({ answer, value }) {
    return value.start === null ? `Answer ${answer.label} as a whole` : this.#texts.get(answer).quote(value);
  }

  /** In the text's order; notes on the whole come first. */
  #marksOf(answer) {
    return [...this.#marks.values()]
      .filter((mark) => mark.answer === answer)
      .sort((one, other) => (one.value.start ?? -1) - (other.value.start ?? -1) || one.value.end - other.value.end);
  }

  /** Soon, because a page brings many marks at once. */
  #draw() {
    if (!this.#isDrawing) queueMicrotask(() => this.#drawNow());
    this.#isDrawing = true;
  }

  #drawNow() {
    this.#isDrawing = false;
    if (this.#shown === null) return;
    const quote = (mark) => this.#quote(mark);
    const dimension = ({ value }) => this.#tools.nameOf(value.dimension);
    this.#list.show(this.#shown, this.#marksOf(this.#shown), { current: this.#current, quote, dimension });
    if (!("highlights" in CSS)) return;
    const passages = [...this.#marks.values()].filter(({ range }) => range !== null);
    paint("mark", passages);
    paint("mark-noted", passages.filter(({ value }) => value.note !== ""));
    paint("mark-current", passages.filter((mark) => mark === this.#current));
  }
}

function paint(name, marks) {
  CSS.highlights.set(name, new Highlight(...marks.map(({ range }) => range)));
}

const sizeOf = ({ value }) => value.end - value.start;

/** The lines of a passage on the screen; none for a note on the whole answer. */
const boxesOf = ({ range }) => [...(range?.getClientRects() ?? [])];

/** Where the passage is on the screen; a note on the whole answer is at the head of what is seen of it. */
function placeOf(mark) {
  const boxes = boxesOf(mark);
  if (boxes.length > 0) return { left: boxes.at(-1).left, top: boxes[0].top, bottom: boxes.at(-1).bottom };
  const { text } = mark.answer;
  const { top } = seenPartOf(text);
  return { left: text.querySelector(".prose").getBoundingClientRect().left, top, bottom: top };
}
