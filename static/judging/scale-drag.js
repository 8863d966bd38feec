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
    const first = buttonUnder(down, buttons);
    let last = null;

    const move = (moved) => {
      if (moved.pointerId !== down.pointerId) return;
      const button = buttonUnder(moved, buttons);
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

/** The button that the pointer is over, or the nearest one: a scale may stand in two rows. */
function buttonUnder({ clientX, clientY }, buttons) {
  const distances = buttons.map((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    return Math.hypot(Math.max(left - clientX, clientX - right, 0), Math.max(top - clientY, clientY - bottom, 0));
  });
  return buttons[distances.indexOf(Math.min(...distances))];
}
