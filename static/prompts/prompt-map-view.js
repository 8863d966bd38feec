// Which part of a map is seen, and how large: between a map's coordinates (−1 to 1, upwards) and pixels.

const EDGE = 18; // pixels around the whole map
const CLOSEST = 40;

export class View {
  constructor() {
    this.resize(1, 1);
    this.whole();
  }

  resize(width, height) {
    [this.width, this.height] = [width, height];
  }

  whole() {
    this.zoom = 1;
    this.centre = { x: 0, y: 0 };
  }

  /** Pixels for one unit of the map. */
  get scale() {
    return this.zoom * Math.max(1, Math.min(this.width, this.height) / 2 - EDGE);
  }

  toPixels({ x, y }) {
    return {
      x: this.width / 2 + (x - this.centre.x) * this.scale,
      y: this.height / 2 - (y - this.centre.y) * this.scale,
    };
  }

  toMap({ x, y }) {
    return {
      x: this.centre.x + (x - this.width / 2) / this.scale,
      y: this.centre.y - (y - this.height / 2) / this.scale,
    };
  }

  /** Closer by `factor`; what is at the pixel stays there. */
  zoomBy(factor, pixel = { x: this.width / 2, y: this.height / 2 }) {
    const held = this.toMap(pixel);
    this.zoom = Math.min(CLOSEST, Math.max(1, this.zoom * factor));
    const moved = this.toMap(pixel);
    this.moveTo({ x: this.centre.x + held.x - moved.x, y: this.centre.y + held.y - moved.y });
  }

  /** By pixels, as something under the pointer is dragged. */
  drag(right, down) {
    this.moveTo({ x: this.centre.x - right / this.scale, y: this.centre.y + down / this.scale });
  }

  /** The map stays in the window: the whole of it in the middle, the closer one is the farther it may be moved. */
  moveTo({ x, y }) {
    const most = 1 - 1 / this.zoom;
    this.centre = { x: Math.min(most, Math.max(-most, x)), y: Math.min(most, Math.max(-most, y)) };
  }

  /** Move as far as is needed to see a point. */
  reveal(point) {
    const { x, y } = this.toPixels(point);
    if (x < EDGE || y < EDGE || x > this.width - EDGE || y > this.height - EDGE) this.moveTo(point);
  }
}
