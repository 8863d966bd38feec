// What floats beside a passage: highlight it, say which dimension it is about, write a note, remove it.

const FULL = "A note holds 10,000 characters at most; this one is full.";
const EDGE = 8; // px kept free around the tools
const ROOM_FOR_HANDLES = 32; // px that touch screens need below a selection

export class MarkTools {
  #root;
  #onChange;
  #onRemove;
  #mark = null;
  #anchor;
  #returnTo;
  #following;

  /** `onChange(mark, { dimension, note })` and `onRemove(mark)` are told what the person does with the open mark. */
  constructor(root, { onChange, onRemove }) {
    this.#root = root;
    this.#onChange = onChange;
    this.#onRemove = onRemove;
    // Pressing a button leaves the selection as it is.
    root.addEventListener("mousedown", (event) => event.target.closest("button") && event.preventDefault());
    this.#part("highlight").addEventListener("click", () => this.highlight());
    this.#part("write").addEventListener("click", () => this.write());
    this.#part("remove").addEventListener("click", () => this.#remove());
    this.#part("done").addEventListener("click", () => this.close());
    this.#part("dimension").addEventListener("change", () => this.#change());
    this.#part("note").addEventListener("input", () => this.#change());
    document.addEventListener("pointerdown", ({ target }) => root.contains(target) || this.close());
    root.addEventListener("focusout", ({ relatedTarget: next }) => next && !root.contains(next) && this.close());
    document.addEventListener("keydown", (event) => this.#escape(event), { capture: true });
  }

  /** The mark that is open, or null. */
  get mark() {
    return this.#mark;
  }

  /** Whether the person is at the tools, so that nothing else may open or close them. */
  get isInUse() {
    return this.#mark !== null && this.#root.contains(document.activeElement);
  }

  /**
   * Show the tools for `mark`, which is `{ answer, range, value, isKept }` and `about` in words. `anchor()` says where
   * it is on the screen, as `{ left, top, bottom }`; `returnTo()` what gets the focus afterwards.
   */
  open(mark, { about, anchor, returnTo }) {
    this.#mark = mark;
    this.#anchor = anchor;
    this.#returnTo = returnTo;
    this.say("");
    this.#part("about").textContent = about;
    this.#part("about").classList.toggle("visually-hidden", mark.range !== null); // the passage is seen beside
    this.#part("writing").hidden = mark.value.note === "";
    this.show();
    mark.answer.text.after(this.#root); // Tab leads from the text to the tools
    this.#root.showPopover();
    this.#follow();
  }

  /** Show what the open mark is now, but leave a note alone while it is written. */
  show() {
    const { isKept, range, value } = this.#mark;
    const note = this.#part("note");
    if (note !== document.activeElement) note.value = value.note;
    this.#part("dimension").value = value.dimension;
    this.#part("highlight").hidden = isKept || range === null;
    this.#part("write").hidden = !this.#part("writing").hidden;
    this.#part("remove").hidden = !isKept;
  }

  /** A dimension in words, by its key. */
  nameOf(key) {
    const options = [...this.#part("dimension").options];
    return key && (options.find(({ value }) => value === key)?.text ?? key);
  }

  say(problem) {
    this.#part("problem").textContent = problem;
  }

  highlight() {
    this.#change();
    if (!this.#mark.isKept) return;
    this.close();
    if (getSelection().rangeCount > 0) getSelection().collapseToEnd(); // so that the highlight is seen
  }

  write() {
    this.#part("writing").hidden = false;
    if (!this.#mark.isKept) this.#change();
    this.show();
    this.#part("note").focus();
  }

  close() {
    if (!this.#mark) return;
    const takesFocus = this.isInUse;
    this.#mark = null;
    this.#root.hidePopover();
    if (takesFocus) this.#returnTo()?.focus({ preventScroll: true });
  }

  #change() {
    const note = this.#part("note");
    this.say(note.value.length >= note.maxLength ? FULL : "");
    this.#onChange(this.#mark, { dimension: this.#part("dimension").value, note: note.value });
    this.show();
  }

  #remove() {
    const mark = this.#mark;
    this.#returnTo = () => null; // the offer to undo gets the focus
    this.close();
    this.#onRemove(mark);
  }

  #escape(event) {
    if (event.key !== "Escape" || !this.#mark) return;
    event.preventDefault();
    event.stopPropagation();
    this.close();
  }

  /** Stay beside the passage, whatever scrolls or opens meanwhile. */
  #follow() {
    cancelAnimationFrame(this.#following);
    if (!this.#mark) return;
    this.#place();
    this.#following = requestAnimationFrame(() => this.#follow());
  }

  /** Below the passage, or above it where there is no room; for a mere selection, away when that is out of view. */
  #place() {
    const { left, top, bottom } = this.#anchor();
    const { offsetWidth: width, offsetHeight: height, style } = this.#root;
    const gap = matchMedia("(pointer: coarse)").matches ? ROOM_FOR_HANDLES : EDGE;
    const below = bottom + gap;
    const wanted = below + height + EDGE > innerHeight ? top - height - gap : below;
    style.insetInlineStart = `${between(EDGE, left, innerWidth - width - EDGE)}px`;
    style.insetBlockStart = `${between(EDGE, wanted, innerHeight - height - EDGE)}px`;
    style.visibility = !this.isInUse && (bottom < 0 || top > innerHeight) ? "hidden" : "";
  }

  #part(name) {
    return this.#root.querySelector(`[data-mark-${name}]`);
  }
}

function between(least, wanted, most) {
  return Math.max(least, Math.min(wanted, most));
}
