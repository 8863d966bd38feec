// A map of prompts: pointing at a mark, or the arrow keys, show what it says; the form above says what is seen.

import { cleared, paintMap, paintStar, styleOf } from "./prompt-map-painter.js";
import { further, isPrompt, nearest, neighbour, pointsOf, visible } from "./prompt-map-points.js";
import { Reading } from "./prompt-map-reading.js";
import { View } from "./prompt-map-view.js";

const REACH = { mouse: 14, pen: 18, touch: 26 }; // pixels from a mark within which it is meant
const SLIP = 4; // pixels that a click may move
const CLOSER = 1.4;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const STEPS = { "[": -1, "]": 1 };
const ZOOMS = {
  in: (view) => view.zoomBy(CLOSER),
  out: (view) => view.zoomBy(1 / CLOSER),
  all: (view) => view.whole(),
};
const ZOOM_KEYS = { "+": "in", "=": "in", "-": "out", 0: "all" };

class PromptMap {
  constructor(stage, controls, reading, drawing) {
    this.stage = stage;
    this.controls = controls;
    this.hulls = drawing.generators.map(([, , , hull]) => hull);
    this.all = pointsOf(drawing);
    this.view = new View();
    this.reading = reading;
    [this.ground, this.above] = stage.querySelectorAll("canvas");
    this.choose(null);
    this.filter();
    this.listen();
    stage.ariaBusy = "false";
  }

  listen() {
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.controls.addEventListener("change", () => this.filter());
    this.stage.addEventListener("keydown", (event) => this.press(event));
    this.stage.addEventListener("pointermove", (event) => this.move(event));
    this.stage.addEventListener("pointerdown", (event) => this.grab(event));
    this.stage.addEventListener("pointerup", (event) => this.release(event));
    this.stage.addEventListener("pointerleave", () => this.hover(null));
    this.stage.addEventListener("pointercancel", () => (this.held = null));
    this.stage.addEventListener("wheel", (event) => this.pinch(event), { passive: false });
    document.addEventListener("click", (event) => this.zoom(event.target.closest("[data-zoom]")?.dataset.zoom));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.restyle());
    new MutationObserver(() => this.restyle()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  // -- what is seen ------------------------------------------------------------------------------------------

  filter() {
    const said = new FormData(this.controls);
    const generators = new Set(said.getAll("generator").map(Number));
    const stratum = said.get("stratum") ? Number(said.get("stratum")) : null;
    this.seen = {
      points: visible(this.all, { generators, stratum }),
      hulls: this.hulls.map((hull, generator) => (said.has("hulls") && generators.has(generator) ? hull : null)),
      arms: said.has("arms"),
    };
    if (!this.seen.points.includes(this.chosen)) this.choose(null);
    this.paint();
  }

  resize() {
    this.view.resize(this.stage.clientWidth, this.stage.clientHeight);
    this.paint();
  }

  restyle() {
    this.style = null;
    this.paint();
  }

  zoom(how, pixel) {
    if (!(how in ZOOMS)) return;
    ZOOMS[how](this.view, pixel);
    this.paint();
  }

  paint() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.style ??= styleOf(this.stage);
      this.stage.classList.toggle("is-close", this.view.zoom > 1);
      paintMap(cleared(this.ground, this.view), this.view, this.style, this.seen);
      this.paintAbove();
    });
  }

  paintAbove() {
    const context = cleared(this.above, this.view);
    const point = this.hovered ?? this.chosen;
    if (point && this.style) paintStar(context, this.view, this.style, this.seen.points, point);
  }

  // -- what is read ------------------------------------------------------------------------------------------

  /** Until another one is chosen. */
  choose(point) {
    this.chosen = point;
    this.hovered = null;
    this.reading.show(point);
  }

  /** While the pointer is there. */
  hover(point) {
    if (point === this.hovered) return;
    this.hovered = point;
    this.reading.show(point ?? this.chosen);
    this.paintAbove();
  }

  // -- keys --------------------------------------------------------------------------------------------------

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ZOOM_KEYS) this.zoom(ZOOM_KEYS[event.key]);
    else if (event.key in ARROWS || event.key in STEPS) this.go(event.key);
    else if (event.key === "Enter") this.open();
    else return;
    event.preventDefault();
  }

  go(key) {
    const { points } = this.seen;
    const from = this.hovered ?? this.chosen;
    let to;
    if (!from) to = nearest(points, this.view.centre, Infinity);
    else to = key in ARROWS ? neighbour(points, from, ARROWS[key]) : further(points, from, STEPS[key]);
    if (!to) return;
    this.choose(to);
    this.view.reveal(to);
    this.paint();
  }

  open() {
    const address = this.chosen && isPrompt(this.chosen) && this.reading.addressOf(this.chosen);
    if (address) location.assign(address);
  }

  // -- pointers ----------------------------------------------------------------------------------------------

  grab(event) {
    if (event.button === 0) this.held = { at: pixelOf(event), from: pixelOf(event), hasMoved: false };
  }

  move(event) {
    const pixel = pixelOf(event);
    if (!this.held) {
      if (event.pointerType !== "touch") this.hover(this.under(event));
      return;
    }
    const { at, from } = this.held;
    this.held.hasMoved ||= Math.hypot(pixel.x - from.x, pixel.y - from.y) > SLIP;
    if (this.held.hasMoved) {
      this.stage.setPointerCapture(event.pointerId);
      this.view.drag(pixel.x - at.x, pixel.y - at.y);
      this.paint();
    }
    this.held.at = pixel;
  }

  release(event) {
    if (this.held && !this.held.hasMoved) {
      this.choose(this.under(event));
      this.paintAbove();
    }
    this.held = null;
  }

  /** Two fingers on a touchpad, or the wheel with Ctrl; the wheel alone moves the page. */
  pinch(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.view.zoomBy(Math.exp(-event.deltaY / 200), pixelOf(event));
    this.paint();
  }

  under(event) {
    return nearest(this.seen.points, this.view.toMap(pixelOf(event)), REACH[event.pointerType] / this.view.scale);
  }
}

function pixelOf(event) {
  return { x: event.offsetX, y: event.offsetY };
}

async function begin(stage) {
  const reading = new Reading(document.querySelector("[data-reading]"), stage.dataset.texts);
  try {
    const response = await fetch(stage.dataset.promptMap);
    if (!response.ok) throw new Error(response.statusText);
    new PromptMap(stage, document.querySelector("#map-controls"), reading, await response.json());
  } catch (error) {
    reading.say("The map could not be fetched. Load this page again in a moment.");
    throw error;
  }
}

begin(document.querySelector("[data-prompt-map]"));
