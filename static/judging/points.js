// Scores on a long scale: a number field is what counts; a track beside it takes pointers and shows where a score lies.

const PAUSE = 600; // ms without a figure after which what was typed is kept
const LEAP = 5; // points, with Shift or a page key

const isField = (element) => element.matches?.(".points > input[type=number]");
const trackOf = (field) => field.parentElement.querySelector("[data-track]");

/**
 * Make all fields for points within `form` take arrow keys, pauses and pointers. `onEnter(field)` goes on after a score.
 * `begin(field, figure)` starts to type there; `show(field)` follows a value that came from elsewhere.
 */
export function pointFields(form, { onEnter }) {
  const pauses = new Map(); // by field with figures that are not kept yet

  const keep = (field) => {
    clearTimeout(pauses.get(field));
    if (pauses.delete(field) && field.value !== "") changed(field);
  };
  const typed = (field) => {
    show(field);
    clearTimeout(pauses.get(field));
    pauses.set(field, setTimeout(keep, PAUSE, field));
  };
  const give = (field, value) => {
    clearTimeout(pauses.get(field));
    pauses.delete(field);
    if (field.value === String(value)) return;
    field.value = value;
    changed(field);
  };

  form.addEventListener("input", ({ target }) => isField(target) && typed(target));
  form.addEventListener("change", ({ target }) => {
    if (!isField(target)) return;
    clearTimeout(pauses.get(target));
    pauses.delete(target);
  });
  form.addEventListener("keydown", (event) => {
    const { target: field, key, ctrlKey, metaKey, altKey } = event;
    if (!isField(field) || altKey) return;
    const step = stepOf(event);
    if (step) {
      event.preventDefault();
      give(field, stepped(field, step));
    } else if (key === "Enter" && !ctrlKey && !metaKey) {
      event.preventDefault();
      keep(field);
      if (field.value !== "" && field.validity.valid) onEnter(field);
    } else if (key.length === 1 && !/[0-9]/.test(key)) {
      keep(field); // the key is the room's
    }
  });
  const keepAll = () => [...pauses.keys()].forEach(keep);
  document.addEventListener("visibilitychange", keepAll, { capture: true });
  addEventListener("pagehide", keepAll, { capture: true });
  pointAt(form, { onPreview: showValue, onDrop: give });
  for (const band of form.querySelectorAll("[data-points]")) band.style.flexGrow = band.dataset.points;
  for (const field of form.querySelectorAll(".points > input")) show(field);

  return {
    show,
    begin(field, figure) {
      field.focus();
      field.value = figure;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      return true;
    },
  };
}

function changed(field) {
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** How far a key moves a score; 0 for any other key. */
function stepOf({ key, shiftKey, ctrlKey, metaKey }) {
  if (ctrlKey || metaKey) return 0;
  if (key === "ArrowUp") return shiftKey ? LEAP : 1;
  if (key === "ArrowDown") return shiftKey ? -LEAP : -1;
  return { PageUp: LEAP, PageDown: -LEAP }[key] ?? 0;
}

/** The score so many points on; where there is none yet, the end from which the key leads. */
function stepped(field, step) {
  const [least, most] = [Number(field.min), Number(field.max)];
  if (field.value === "") return step > 0 ? least : most;
  return Math.min(Math.max(Number(field.value) + step, least), most);
}

function show(field) {
  showValue(field, field.value !== "" && field.validity.valid ? Number(field.value) : null);
}

/** Mark `value`, or none, on the track, and the band that holds it. */
function showValue(field, value) {
  const track = trackOf(field);
  if (!track) return;
  const share = (value - Number(field.min)) / (Number(field.max) - Number(field.min));
  track.classList.toggle("has-value", value !== null);
  track.querySelector("[data-marker]").style.insetInlineStart = `${share * 100}%`;
  for (const band of field.parentElement.querySelectorAll("[data-band]")) {
    const isHeld = value !== null && value >= Number(band.dataset.least) && value <= Number(band.dataset.most);
    band.classList.toggle("is-held", isHeld);
  }
}

/** Let mouse, pen or finger point at a track; what is under it shows, and is given on letting go. */
function pointAt(form, { onPreview, onDrop }) {
  form.addEventListener("pointerdown", (down) => {
    const track = down.target.closest("[data-track]");
    if (!track || down.button !== 0 || !down.isPrimary) return;
    const field = track.parentElement.querySelector("input");
    const valueAt = ({ clientX }) => {
      const { left, width } = track.getBoundingClientRect();
      const share = Math.min(Math.max((clientX - left) / width, 0), 1);
      return Math.round(Number(field.min) + share * (Number(field.max) - Number(field.min)));
    };
    const move = (moved) => {
      if (moved.pointerId === down.pointerId) onPreview(field, valueAt(moved));
    };
    const end = (ended) => {
      if (ended.pointerId !== down.pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      if (ended.type === "pointercancel") {
        show(field); // a finger that scrolls
        return;
      }
      field.focus({ preventScroll: true });
      onDrop(field, valueAt(ended));
    };
    track.setPointerCapture(down.pointerId);
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  });
}
