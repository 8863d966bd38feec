// Dragging a card with mouse, pen or finger: into a tier, between two tiers, or back to those not yet placed.

const STILL_A_CLICK = 6; // px

export class TierDrag {
  #sheet;
  #list;
  #unplaced;
  #onDrop;

  /**
   * `onDrop(card, target)` is told where a card was let go: `{into: tier}`, `{before: tier}`, tiers by number, or
   * `{}` for none. A handle leaves no gesture to the browser (`touch-action`), so that a finger drags as well.
   */
  constructor(sheet, { onDrop }) {
    this.#sheet = sheet;
    this.#list = sheet.querySelector("[data-tier-list]");
    this.#unplaced = sheet.querySelector("[data-unplaced]");
    this.#onDrop = onDrop;
    sheet.addEventListener("pointerdown", (down) => {
      const handle = down.target.closest("[data-card] [data-open]");
      if (handle && down.button === 0 && down.isPrimary) this.#follow(down, handle);
    });
  }

  #follow(down, handle) {
    const card = handle.closest("[data-card]");
    const listening = new AbortController();
    const options = { signal: listening.signal, capture: true };
    const listen = (type, listener) => addEventListener(type, listener, options);
    let target = null;

    const end = () => {
      listening.abort();
      this.#mark(null);
      this.#sheet.classList.remove("is-dragging");
      card.classList.remove("is-dragged");
      card.style.transform = "";
    };
    listen("pointermove", ({ clientX, clientY }) => {
      const [x, y] = [clientX - down.clientX, clientY - down.clientY];
      if (!target && Math.hypot(x, y) < STILL_A_CLICK) return;
      handle.setPointerCapture(down.pointerId);
      this.#sheet.classList.add("is-dragging");
      card.classList.add("is-dragged");
      card.style.transform = `translate(${x}px, ${y}px)`;
      target = this.#targetAt(clientY);
      this.#mark(target);
    });
    listen("pointercancel", end);
    listen("keydown", ({ key }) => key === "Escape" && end());
    listen("pointerup", () => {
      end();
      if (!target) return;
      ignoreClick();
      this.#onDrop(card, target);
    });
  }

  /** What the height `y` means: the cards not yet placed, or the nearest of all tiers and the gaps around them. */
  #targetAt(y) {
    if (y > this.#unplaced.getBoundingClientRect().top) return {};
    const boxes = this.#tiers.map((tier) => tier.getBoundingClientRect());
    const targets = [
      ...boxes.map(({ top, bottom }, into) => ({ at: (top + bottom) / 2, target: { into } })),
      ...boxes.map(({ top }, before) => ({ at: top, target: { before } })),
      { at: boxes.at(-1)?.bottom ?? 0, target: { before: boxes.length } },
    ];
    return targets.reduce((best, other) => (Math.abs(other.at - y) < Math.abs(best.at - y) ? other : best)).target;
  }

  #mark(target) {
    for (const element of [this.#list, this.#unplaced, ...this.#tiers]) delete element.dataset.drop;
    if (!target) return;
    const { into, before } = target;
    const tiers = this.#tiers;
    if (into !== undefined) tiers[into].dataset.drop = "into";
    else if (before === undefined) this.#unplaced.dataset.drop = "into";
    else if (before < tiers.length) tiers[before].dataset.drop = "before";
    else (tiers.at(-1) ?? this.#list).dataset.drop = tiers.length ? "after" : "into";
  }

  get #tiers() {
    return [...this.#list.children];
  }
}

/** A drag that ends on the card it began on is no click on it. */
function ignoreClick() {
  const ignore = (event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener("click", ignore, { capture: true });
  setTimeout(() => removeEventListener("click", ignore, { capture: true }));
}
