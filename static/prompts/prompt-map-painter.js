// Paints a prompt map. Colours and shapes are those of the legend's marks in the page, so that style sheets decide.

import { isPrompt } from "./prompt-map-points.js";

const RING = "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z";

/** Colours and shapes as they are now: of each generator, and of scenarios. */
export function styleOf(stage) {
  const marks = [...document.querySelectorAll(".map-mark")];
  return {
    ink: getComputedStyle(stage).color,
    paper: getComputedStyle(stage).backgroundColor,
    ring: new Path2D(RING),
    generators: marks.map((mark) => ({
      colour: getComputedStyle(mark).color,
      shape: new Path2D(mark.querySelector("path").getAttribute("d")),
    })),
  };
}

/** Fit a canvas to the stage, in the pixels that the screen really has; its context, cleared. */
export function cleared(canvas, { width, height }) {
  const ratio = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** All that is seen: hulls, arms, marks, rings. */
export function paintMap(context, view, style, { points, hulls, arms }) {
  const prompts = points.filter(isPrompt);
  for (const [generator, { colour }] of style.generators.entries()) {
    context.fillStyle = context.strokeStyle = colour;
    if (hulls[generator]) paintHull(context, view, hulls[generator]);
    const own = prompts.filter((prompt) => prompt.generator === generator);
    if (arms) paintArms(context, view, own, Math.min(0.5, 4 / Math.sqrt(own.length)), 0.75);
  }
  paintMarks(context, view, style, prompts);
  context.strokeStyle = style.ink;
  context.lineWidth = 1.25;
  for (const point of points) if (!isPrompt(point)) paintRing(context, view, style, point);
}

/** One point with the rest of its star, above everything. */
export function paintStar(context, view, style, points, chosen) {
  const star = points.filter((point) => point.scenario === chosen.scenario);
  for (const [generator, { colour }] of style.generators.entries()) {
    context.strokeStyle = colour;
    paintArms(context, view, star.filter((point) => point.generator === generator), 1, 1.5);
  }
  for (const point of star) {
    const { colour, shape } = isPrompt(point) ? style.generators[point.generator] : { colour: style.paper, shape: style.ring };
    paintShape(context, view.toPixels(point), shape, point === chosen ? 2 : 1.3, colour, isPrompt(point) ? style.paper : style.ink);
  }
  const { x, y } = view.toPixels(chosen);
  context.strokeStyle = style.ink;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, 12, 0, 2 * Math.PI);
  context.stroke();
}

function paintHull(context, view, corners) {
  context.beginPath();
  for (const [x, y] of corners) {
    const pixel = view.toPixels({ x, y });
    context.lineTo(pixel.x, pixel.y);
  }
  context.closePath();
  context.globalAlpha = 0.06;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 1.5;
  context.stroke();
}

function paintArms(context, view, prompts, alpha, width) {
  context.globalAlpha = alpha;
  context.lineWidth = width;
  context.beginPath();
  for (const prompt of prompts) {
    const [from, to] = [view.toPixels(prompt.scenario), view.toPixels(prompt)];
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
  }
  context.stroke();
  context.globalAlpha = 1;
}

// Thousands of equal marks are stamped from a picture of one: that is several times as fast as filling each.
function paintMarks(context, view, style, prompts) {
  const stamps = style.generators.map(({ colour, shape }) => stampOf(colour, shape));
  for (const prompt of prompts) {
    const { x, y } = view.toPixels(prompt);
    context.drawImage(stamps[prompt.generator], x - 6, y - 6, 12, 12);
  }
}

function stampOf(colour, shape) {
  const ratio = window.devicePixelRatio || 1;
  const stamp = document.createElement("canvas");
  stamp.width = stamp.height = Math.ceil(12 * ratio);
  const context = stamp.getContext("2d");
  context.scale(stamp.width / 12, stamp.width / 12);
  context.translate(6, 6);
  context.globalAlpha = 0.75;
  context.fillStyle = colour;
  context.fill(shape);
  return stamp;
}

function paintRing(context, view, style, point) {
  const { x, y } = view.toPixels(point);
  context.beginPath();
  context.arc(x, y, 3.5, 0, 2 * Math.PI);
  context.stroke();
}

function paintShape(context, { x, y }, shape, size, fill, stroke) {
  context.save();
  context.translate(x, y);
  context.scale(size, size);
  context.fillStyle = fill;
  context.strokeStyle = stroke;
  context.lineWidth = 1;
  context.fill(shape);
  context.stroke(shape);
  context.restore();
}
