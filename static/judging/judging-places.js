// Where the judge is in each text. A place is a share of the text's height, which differs from view to view and from
// window to window. Only the judge's scrolling changes it: where a text fits as a whole or ends too early, it is kept
// until the text can be scrolled there again.

export class Places {
  #answers;
  #kept;
  #moved;
  #laid = new Map(); // by answer: how it was laid out when it was last looked at, and how far it was scrolled then

  /** `kept` are the places by label, which change with scrolling; `moved()` is called each time. */
  constructor(answers, kept, moved) {
    this.#answers = answers;
    this.#kept = kept;
    this.#moved = moved;
    const resizes = new ResizeObserver(() => this.#settle());
    for (const answer of answers) {
      answer.text.addEventListener("scroll", () => this.#scrolled(answer), { passive: true });
      resizes.observe(answer.text);
      resizes.observe(proseOf(answer));
    }
  }

  /** Take down how far each text is scrolled, before the layout changes: scroll events come a frame late. */
  note() {
    for (const answer of this.#answers) if (!this.#isLaidOutAnew(answer)) this.#note(answer);
  }

  /** Scroll each text to its place, or as near to it as it goes. */
  putBack() {
    for (const answer of this.#answers) this.#put(answer);
  }

  /** The window, the question or the scores have taken room from the texts, or given some back. */
  #settle() {
    for (const answer of this.#answers) if (this.#isLaidOutAnew(answer)) this.#put(answer);
  }

  /** A text that gets more room may scroll by itself. */
  #scrolled(answer) {
    if (this.#isLaidOutAnew(answer)) this.#put(answer);
    else this.#note(answer);
  }

  #note(answer) {
    const { label, text } = answer;
    if (Math.abs(text.scrollTop - this.#laid.get(answer).top) < 1) return;
    this.#kept[label] = text.scrollTop / proseOf(answer).offsetHeight;
    this.#look(answer);
    this.#moved();
  }

  #put(answer) {
    const { label, text } = answer;
    const place = (this.#kept[label] ?? 0) * proseOf(answer).offsetHeight;
    if (Math.abs(text.scrollTop - place) >= 1) text.scrollTop = place;
    this.#look(answer);
  }

  #look(answer) {
    this.#laid.set(answer, { layout: layoutOf(answer), top: answer.text.scrollTop });
  }

  #isLaidOutAnew(answer) {
    return this.#laid.get(answer)?.layout !== layoutOf(answer);
  }
}

/** Without the padding, which makes room for notices as they come and go. */
function proseOf({ text }) {
  return text.querySelector(".prose");
}

function layoutOf({ text }) {
  return `${text.clientHeight} of ${text.scrollHeight}`;
}
