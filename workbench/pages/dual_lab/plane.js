// @ts-check
// Points in the plane in the Dual lab: what is drawn of the certificates.

import { LiveFigures } from "../runtime/live_figures.js";

export class PlanePicture extends LiveFigures {
  /**
   * @param {any} figures - of the page, which were drawn just now
   * @param {Record<string, any>} facts
   * @param {boolean} isDark
   */
  constructor(figures, { texts, plane, colours }, isDark) {
    super((/** @type {string} */ id) => figures.document.get_model_by_id(id), figures.ids, texts);
    const own = (/** @type {any} */ value) => (isDark ? (colours[String(value).toLowerCase()] ?? value) : value);
    const entries = Object.entries(plane.looks).map(([name, value]) => [name, own(value)]);
    /** @type {Record<string, any>} */
    this.looks = Object.fromEntries(entries);
    const { looks } = this;
    const { half_width: h } = looks;
    this.corners = [
      [-h, -h],
      [h, -h],
      [h, h],
      [-h, h],
    ];
  }

  /**
   * Fills the sources from points and the states of the configurations, and gives the sentence below the figure.
   * @param {Record<string, any>} fields @param {any} A @param {any} B
   */
  show({ X, y }, A, B) {
    const {
      b,
      certificate: { alpha },
      problem: { loss },
    } = A;
    const w = Array.from(A.w);
    const value = X.map((/** @type {any[]} */ [u, v]) => u * w[0] + v * w[1] + b);
    const moves = w[0] !== 0 || w[1] !== 0 || b !== 0;
    const sides = moves
      ? [
          [this.cut(w, b)[0], { fill: this.looks.up }],
          [
            this.cut(
              w.map((each) => -each),
              -b,
            )[0],
            { fill: this.looks.down },
          ],
        ]
      : [];
    this.paths(
      "sides",
      sides.filter(([corners]) => /** @type {any} */ (corners).length > 2),
    );
    const ink = this.looks.ink;
    /** @type {[number, number, string][]} */
    const levels = [
      [-1, 1.2, "dashed"],
      [1, 1.2, "dashed"],
      [0, 2.8, "solid"],
    ];
    const lines = levels.map(([level, width, dash]) => [this.cut(w, b - level)[1], { width, dash, colour: ink }]);
    if (B) lines.push([this.cut(B.w, B.b)[1], { width: 2.4, dash: "dashed", colour: this.looks.second }]);
    this.paths(
      "lines",
      lines.filter(([ends]) => /** @type {any} */ (ends).length === 2),
      ["width", "dash", "colour"],
    );
    this.fill("arrow", this.arrow(w, b));
    const size = alpha.map(Math.abs);
    const largest = Math.max(...size, Number.MIN_VALUE);
    const edge = Array.from(y, (label) => (label > 0 ? this.looks.up : this.looks.down));
    this.fill("points", {
      x: X.map((/** @type {any[]} */ [u]) => u),
      y: X.map((/** @type {any[]} */ [, v]) => v),
      label: Array.from(y),
      alpha: Array.from(alpha),
      value,
      sample: Array.from(y.keys()),
      size: Array.from(size, (each) => this.looks.least + (this.looks.largest * each) / largest),
      fill: edge.map((colour, i) => (size[i] > 0 ? colour : this.looks.paper)),
      edge,
      marker: Array.from(y, (label) => this.looks.markers[label > 0 ? "up" : "down"]),
    });
    return this.sentence(
      w,
      b,
      value.filter((/** @type {any} */ each, /** @type {number} */ i) => y[i] * each <= 0).length,
      y.length,
      loss.kind === "margin",
    );
  }

  /**
   * The corners of the part of the square with w.x + b >= 0, and where w.x + b = 0 meets its edges.
   * @param {any} w @param {any} b
   */
  cut(w, b) {
    const values = this.corners.map((/** @type {any[]} */ [u, v]) => u * w[0] + v * w[1] + b);
    /** @type {any[]} */
    const corners = [];
    /** @type {any[]} */
    const crossings = [];
    values.forEach((/** @type {number} */ value, /** @type {number} */ k) => {
      const here = this.corners[k];
      const next = this.corners[(k + 1) % 4];
      const after = values[(k + 1) % 4];
      if (value >= 0) corners.push(here);
      if (value >= 0 === after >= 0) return;
      const share = value / (value - after);
      const crossing = here.map((/** @type {any} */ from, /** @type {number} */ j) => from + share * (next[j] - from));
      corners.push(crossing);
      crossings.push(crossing);
    });
    return [corners, crossings];
  }

  /**
   * Paths, each with what it looks like.
   * @param {string} name @param {any} pieces @param {any[]} [names]
   */
  paths(name, pieces, names = ["fill"]) {
    const columns = names.map((each) => [each, pieces.map((/** @type {any[]} */ [, style]) => style[each])]);
    /** @param {number} k */
    const along = (k) => pieces.map((/** @type {any[]} */ [path]) => path.map((/** @type {any} */ place) => place[k]));
    this.fill(name, { xs: along(0), ys: along(1), ...Object.fromEntries(columns) });
  }

  /**
   * w from the place of the boundary nearest to the origin, or the origin where that is out of sight.
   * @param {any} w @param {any} b
   */
  arrow(w, b) {
    const length = Math.hypot(...w);
    if (length === 0) return { x0: [], y0: [], x1: [], y1: [] };
    let start = w.map((/** @type {any} */ each) => (-b * each) / length ** 2);
    if (start.some((/** @type {any} */ each) => Math.abs(each) > this.looks.half_width)) start = [0, 0];
    const [u, v] = w.map(
      (/** @type {any} */ each, /** @type {number} */ j) => start[j] + each * Math.min(1, this.looks.longest / length),
    );
    return { x0: [start[0]], y0: [start[1]], x1: [u], y1: [v] };
  }

  /** @param {any} w @param {any} b @param {any} wrong @param {number} n @param {any} margin */
  sentence(w, b, wrong, n, margin) {
    const norm = Math.hypot(...w);
    const seen = norm === 0 || this.cut(w, b)[1].length > 0;
    const lines = this.say(seen ? (margin ? "plane_margin" : "plane_target") : "plane_outside");
    return this.say("plane", { norm, b: Math.abs(b) > this.looks.rounding * norm ? b : 0, wrong, n, lines });
  }
}
