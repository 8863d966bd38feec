// The live ranking: who stands where, with ties in bands and what each dimension contributes.

const ANNOUNCE_AFTER_MS = 1000; // so that it follows, and does not cut off, the value just given
const SVG = "http://www.w3.org/2000/svg";

export class RankingPanel {
  #form;
  #announce;
  #most; // points that an answer can have
  #announced = null;
  #announcing;

  /** `announce(text)` tells a person who does not see the panel. */
  constructor(form, { announce }) {
    this.#form = form;
    this.#announce = announce;
    this.#most = highestSum(form);
  }

  /** Show `rows` (see `ScoreSheet.rows`), best first; while there are none, only that `given` values are there. */
  show(rows, given) {
    const complete = rows.length > 0;
    for (const table of this.#form.querySelectorAll("[data-ranking]")) this.#fill(table, rows);
    for (const element of this.#form.querySelectorAll("[data-ranking-shown]")) element.hidden = !complete;
    this.#part("ranking-wait").hidden = complete;
    this.#part("given").textContent = given;
    this.#part("finish").disabled = !complete;
    this.#tell(rows);
  }

  #fill(table, rows) {
    const opener = table.contains(document.activeElement) && document.activeElement.dataset.open;
    const copy = table.nextElementSibling.content.firstElementChild;
    for (const body of [...table.tBodies]) body.remove();
    table.append(...rows.map((row) => this.#band(row, copy)));
    if (opener) table.querySelector(`[data-open="${opener}"]`)?.focus();
  }

  /** The answers that share a rank. */
  #band(row, copy) {
    const band = document.createElement("tbody");
    band.classList.toggle("is-tie", row.labels.length > 1);
    band.append(...row.labels.map((label) => this.#line(row, label, copy.cloneNode(true))));
    return band;
  }

  #line({ rank, labels, sum, mean, parts }, label, line) {
    const put = (name, content) => line.querySelector(`[data-${name}]`)?.replaceChildren(content);
    put("rank", labels.length > 1 ? `${rank}=` : rank);
    const link = line.querySelector("[data-open]");
    if (link) {
      link.href = `#answer-${label}`;
      link.dataset.open = label;
    }
    (link ?? line.querySelector("[data-label]")).textContent = label;
    if (parts) {
      put("sum", sum);
      put("mean", mean);
      put("parts", bar(parts[label], this.#most));
    }
    return line;
  }

  #tell(rows) {
    const text = rows.map(spoken).join("; ");
    const isFirst = this.#announced === null;
    clearTimeout(this.#announcing);
    if (isFirst) this.#announced = text;
    if (!text || text === this.#announced) return;
    this.#announcing = setTimeout(() => {
      this.#announced = text;
      this.#announce(isOfOne(rows) ? "All scores are given." : `Ranking. ${text}.`);
    }, ANNOUNCE_AFTER_MS);
  }

  #part(name) {
    return this.#form.querySelector(`[data-${name}]`);
  }
}

const isOfOne = (rows) => rows.length === 1 && rows[0].labels.length === 1;

function spoken({ rank, labels }) {
  return labels.length > 1 ? `${rank}: ${labels.join(" and ")}, tied` : `${rank}: ${labels[0]}`;
}

/** What an answer would have with the highest value everywhere: the full length of a bar. */
function highestSum(form) {
  const dimensions = form.querySelector("[data-scores]")?.querySelectorAll("[data-dimension]") ?? [];
  const highest = ({ max, value }) => Number(max || value);
  return [...dimensions].reduce((sum, part) => sum + highest([...part.querySelectorAll("input")].at(-1)), 0);
}

/** `parts` ({name, value} each) end to end; the classes of its pieces follow the order of the dimensions. */
function bar(parts, most) {
  const drawing = drawn("svg", { class: "parts-bar", role: "img", "aria-label": described(parts) });
  let start = 0;
  for (const part of parts) {
    const [x, width] = [start / most, Math.max(part.value, 0) / most].map(percent);
    const piece = drawn("rect", { x, width, height: "100%" });
    piece.append(drawn("title", {}, described([part])));
    drawing.append(piece);
    start += part.value;
  }
  return drawing;
}

const described = (parts) => parts.map(({ name, value }) => `${name} ${value}`).join(", ");
const percent = (share) => `${(100 * share).toFixed(2)}%`;

function drawn(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return element;
}
