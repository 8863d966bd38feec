// What a dimension's name opens: without a script on pressing it, with it also on pointing at it or reaching it.

const POINTING = 250; // ms of resting on a name before it counts

/** Let every `.term` within `room` show the popover it names while it is pointed at or has the focus. */
export function openDefinitions(room) {
  let pointing;

  const shownBy = (target) => {
    const term = target.closest?.(".term");
    return term && { term, definition: document.getElementById(term.getAttribute("popovertarget")) };
  };
  const show = ({ term, definition }) => {
    if (!definition.matches(":popover-open")) definition.showPopover();
    place(definition, term);
  };
  const shown = () => document.querySelector(".definition:popover-open");
  const hideUnless = (target) => {
    const open = shown();
    if (!open || open.contains(target) || shownBy(document.activeElement)?.definition === open) return;
    const [term] = target.closest?.("[data-dimension]")?.getElementsByClassName("term") ?? [];
    if (!term || shownBy(term).definition !== open) open.hidePopover();
  };

  room.addEventListener("click", (event) => {
    const found = shownBy(event.target);
    if (!found) return;
    event.preventDefault(); // pressing a name whose definition is shown already leaves it shown
    show(found);
  });
  room.addEventListener("focusin", ({ target }) => {
    const found = shownBy(target);
    if (found && target.matches(":focus-visible")) show(found);
  });
  room.addEventListener("focusout", ({ target }) => shownBy(target)?.definition.hidePopover());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !shown()) return;
    event.preventDefault(); // this is what it closes, and nothing else
    shown().hidePopover();
  }, { capture: true });
  document.addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType === "touch") return;
    clearTimeout(pointing);
    hideUnless(target);
    const found = shownBy(target);
    if (found) pointing = setTimeout(show, POINTING, found);
  });
}

/**
 * Beside the dimension, or above or below it where there is no room: never on its name or scale, and with no gap to
 * cross. Where all three are too small for it, it scrolls.
 */
function place(definition, term) {
  const { left, top, bottom } = term.closest("[data-dimension]").getBoundingClientRect();
  const below = innerHeight - bottom;
  const isBeside = left > definition.offsetWidth;
  definition.style.maxBlockSize = isBeside ? "" : `${Math.max(top, below)}px`;
  const { offsetHeight: height, offsetWidth: width } = definition;
  if (isBeside) moveTo(definition, left - width, Math.max(Math.min(top, innerHeight - height), 0));
  else moveTo(definition, Math.min(left, innerWidth - width), top >= below ? top - height : bottom);
}

function moveTo(element, left, top) {
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
}
