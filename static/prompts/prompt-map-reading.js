// What a point of the map says, beside the map. Texts are asked for scenario by scenario, and once.

import { isPrompt } from "./prompt-map-points.js";

const PATIENCE = 80; // milliseconds that a pointer rests before its texts are asked for

export class Reading {
  constructor(pane, address) {
    this.pane = pane;
    this.hint = [...pane.childNodes];
    this.address = address;
    this.stars = new Map();
  }

  /** Show what is known of a point at once, and its text when that is here; null shows the hint again. */
  show(point) {
    clearTimeout(this.timer);
    this.point = point;
    if (!point) {
      this.pane.replaceChildren(...this.hint);
    } else if (this.stars.has(point.scenario)) {
      this.write(point, this.stars.get(point.scenario));
    } else {
      this.write(point, null);
      this.timer = setTimeout(() => this.ask(point), PATIENCE);
    }
  }

  /** Something about the map as a whole. */
  say(words) {
    this.pane.replaceChildren(line("p", "", words));
  }

  /** Where the point's own page is, as far as that is known. */
  addressOf(point) {
    return this.stars.get(point.scenario)?.prompts[point.id]?.address;
  }

  async ask({ scenario }) {
    let star;
    try {
      const response = await fetch(this.address.replace("/0.json", `/${scenario.id}.json`));
      if (!response.ok) throw new Error(response.statusText);
      star = await response.json();
      this.stars.set(scenario, star);
    } catch {
      star = { failed: true };
    }
    if (this.point?.scenario === scenario) this.write(this.point, star);
  }

  write(point, star) {
    const lines = [line("p", "soft small", whereIs(point))];
    if (star?.failed) lines.push(line("p", "", "Its text could not be fetched. Point at it again in a moment."));
    else if (star) lines.push(...(isPrompt(point) ? promptLines(star.prompts[point.id]) : scenarioLines(star.texts)));
    this.pane.replaceChildren(...lines);
  }
}

function whereIs({ scenario, generator, family, position }) {
  const where = `${scenario.key} · ${scenario.of}`;
  return generator === undefined ? `Scenario ${where}` : `${family}, prompt ${position} · ${where}`;
}

function promptLines({ label, text, address }) {
  const link = line("a", "", "Votes and comparisons");
  link.href = address;
  return [line("h3", "", label), line("p", "map-text", text), link];
}

function scenarioLines(texts) {
  return texts.flatMap(([name, text]) => [line("h3", "", name), line("p", "map-text", text)]);
}

function line(tag, kind, text) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.textContent = text;
  return element;
}
