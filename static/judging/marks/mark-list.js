// The list of an answer's notes and highlights, and the offer to take a removal back.

const MAX_QUOTE_LENGTH = 80; // characters
const TIME_TO_UNDO = 10_000;

export class MarkList {
  #panel;
  #rows = new Map(); // element by mark

  /** `on` has `whole()`, and `jump`, `edit` and `remove`, which are told the mark. */
  constructor(panel, on) {
    this.#panel = panel;
    panel.querySelector("[data-mark-whole]").addEventListener("click", on.whole);
    this.#part("list").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      const [mark] = [...this.#rows].find(([, row]) => row.contains(button)) ?? [];
      if (mark) on[button.dataset.does](mark);
    });
  }

  /** List `marks`, those of `answer`, in the text's order. `quote` and `dimension` say a mark in words. */
  show(answer, marks, { current, quote, dimension }) {
    this.#part("label").textContent = answer.label;
    this.#part("count").textContent = marks.length ? ` (${marks.length})` : "";
    this.#part("none").hidden = marks.length > 0;
    this.#rows = new Map(marks.map((mark) => [mark, this.#rows.get(mark) ?? this.#newRow()]));
    const [list, rows] = [this.#part("list"), [...this.#rows.values()]];
    const isSame = rows.length === list.children.length && rows.every((row, at) => row === list.children[at]);
    if (!isSame) list.replaceChildren(...rows); // else the focus stays where it is
    for (const [mark, row] of this.#rows) {
      fill(row, mark, mark === current, shortened(quote(mark)), dimension(mark));
    }
  }

  /** The button that opens a mark of the list for editing. */
  editButtonOf(mark) {
    return this.#rows.get(mark)?.querySelector("[data-does=edit]");
  }

  #newRow() {
    return this.#panel.querySelector("template").content.firstElementChild.cloneNode(true);
  }

  #part(name) {
    return this.#panel.querySelector(`[data-mark-${name}]`);
  }
}

function fill(row, mark, isCurrent, quote, dimension) {
  const part = (name) => row.querySelector(`[data-${name}]`);
  part("quote").textContent = quote;
  part("about").textContent = dimension;
  part("about").hidden = dimension === "";
  part("words").textContent = mark.value.note;
  part("words").hidden = mark.value.note === "";
  row.querySelector("[data-does=edit]").setAttribute("aria-label", `Edit: ${quote}`);
  row.querySelector("[data-does=remove]").setAttribute("aria-label", `Remove: ${quote}`);
  if (isCurrent) row.setAttribute("aria-current", "true");
  else row.removeAttribute("aria-current");
}

function shortened(quote) {
  return quote.length > MAX_QUOTE_LENGTH ? `${quote.slice(0, MAX_QUOTE_LENGTH).replace(/\s+\S*$/u, "")} …` : quote;
}

/** “Removed · Undo”, for ten seconds and for as long as somebody is at it. */
export class UndoOffer {
  #root;
  #timer;
  #undo;
  #returnTo;

  constructor(root) {
    this.#root = root;
    root.querySelector("button").addEventListener("click", () => {
      this.#undo();
      this.#end();
    });
  }

  /** `returnTo` gets the focus where the offer had it. */
  offer({ undo, returnTo }) {
    this.#undo = undo;
    this.#returnTo = returnTo;
    if (!this.#root.matches(":popover-open")) this.#root.showPopover();
    if (document.activeElement === document.body) this.#root.querySelector("button").focus();
    this.#endIn(TIME_TO_UNDO);
  }

  #endIn(milliseconds) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#root.matches(":hover, :focus-within")) this.#endIn(1000);
      else this.#end();
    }, milliseconds);
  }

  #end() {
    clearTimeout(this.#timer);
    const hadFocus = this.#root.contains(document.activeElement);
    this.#root.hidePopover();
    if (hadFocus) this.#returnTo.focus({ preventScroll: true });
  }
}
