// What a judge has given, step by step, to be taken back and given again.
//
// A step is all that one act changes: a score, or the places that moving one card gives anew. Where a value was changed
// elsewhere since, it stays as it is.

const MAX_STEPS = 200; // steps that are known

export class Steps {
  #past = [];
  #future = [];
  #open = null; // the step that is being made: changes by field
  #value;
  #put;
  #changed;

  /**
   * `value(field)` is what is given now, `put(field, value)` gives it; `changed()` follows every change of what can be
   * done. `kept` are steps of before, as `kept` has told them.
   */
  constructor({ value, put, changed, kept }) {
    this.#value = value;
    this.#put = put;
    this.#changed = changed;
    if (Array.isArray(kept?.past)) this.#past = kept.past;
    if (Array.isArray(kept?.future)) this.#future = kept.future;
  }

  get kept() {
    return { past: this.#past, future: this.#future };
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Give a value, as a part of the step that is being made. */
  give(field, value) {
    const before = this.#value(field);
    this.#put(field, value);
    if (before === value) return;
    if (this.#open === null) queueMicrotask(() => this.#end());
    this.#open ??= new Map();
    this.#open.set(field, { before, ...this.#open.get(field), after: value });
  }

  /** Take the last step back. Returns its changes, each a { field, before, after, isDone }; null where there is none. */
  undo() {
    return this.#turn(this.#past, this.#future, ({ field, before, after }) => ({ field, before: after, after: before }));
  }

  redo() {
    return this.#turn(this.#future, this.#past, (change) => change);
  }

  #end() {
    const changes = [...this.#open].map(([field, change]) => ({ field, ...change }));
    this.#open = null;
    const step = changes.filter(({ before, after }) => before !== after);
    if (step.length === 0) return;
    this.#past.push(step);
    if (this.#past.length > MAX_STEPS) this.#past.shift();
    this.#future = [];
    this.#changed();
  }

  #turn(from, to, seen) {
    const step = from.pop();
    if (!step) return null;
    to.push(step);
    const changes = step.map(seen).map((change) => ({
      ...change,
      isDone: this.#value(change.field) === change.before,
    }));
    for (const { field, after, isDone } of changes) if (isDone) this.#put(field, after);
    this.#changed();
    return changes;
  }
}
