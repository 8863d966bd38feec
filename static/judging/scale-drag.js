// Dragging along a scale with mouse, pen or finger: the value under the pointer shows, and is kept on letting go.

/**
 * Make every `[data-scale]` within `room` take drags. `onPreview(button)` is told of each value passed, with its
 * radio button checked, `onDrop(button)` of the one it ends on. What begins as a tap stays a tap, and a finger that
 * moves up or down scrolls: the scale's `touch-action` leaves that to the browser.
 */
export function dragAlong(room, { onPreview, onDrop }) {
  room.addEventListener("pointerdown", (down) => {
    const scale = down.target.closest("[data-scale]");
    if (!scale || down.button !== 0 || !down.isPrimary) return;
    const buttons = [...scale.querySelectorAll("input")];
    const first = buttonUnder(down, scale, buttons);
    let last = null;

    const move = (moved) => {
      if (moved.pointerId !== down.pointerId) return;
      const button = buttonUnder(moved, scale, buttons);
      if (button === (last ?? first)) return;
      if (!last) scale.setPointerCapture(down.pointerId); // earlier it would take the click from the label
      last = button;
      button.checked = true;
      onPreview(button);
    };
    const end = (ended) => {
      if (ended.pointerId !== down.pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (last) onDrop(last);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });
}

/** The button whose share of the scale the pointer is at; beyond the ends, the first or the last. */
function buttonUnder({ clientX }, scale, buttons) {
  const { left, width } = scale.getBoundingClientRect();
  const index = Math.floor(((clientX - left) / width) * buttons.length);
  return buttons[Math.min(Math.max(index, 0), buttons.length - 1)];
}
