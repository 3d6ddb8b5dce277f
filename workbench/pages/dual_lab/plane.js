// @ts-nocheck
// Points in the plane in the Dual lab: what is drawn of the certificates.

import { LiveFigures } from "../runtime/live_figures.js";

export class PlanePicture extends LiveFigures {
  constructor(model, { ids, looks }, texts) {
    super(model, ids, texts);
    Object.assign(this, looks);
    const { half_width: h } = looks;
    this.corners = [[-h, -h], [h, -h], [h, h], [-h, h]];
  }

  // Fills the sources from points and the states of the configurations, and gives the sentence below the figure.
  show({ X, y }, A, B) {
    const { b, event, certificate: { alpha }, problem: { loss } } = A, w = Array.from(A.w), sample = event?.index ?? null;
    const value = X.map(([u, v]) => u * w[0] + v * w[1] + b), moves = w[0] !== 0 || w[1] !== 0 || b !== 0;
    const sides = moves ? [
      [this.cut(w, b)[0], { fill: this.up }], [this.cut(w.map((each) => -each), -b)[0], { fill: this.down }],
    ] : [];
    this.paths("sides", sides.filter(([corners]) => corners.length > 2));
    const ink = this.ink, levels = [[-1, 1.2, "dashed"], [1, 1.2, "dashed"], [0, 2.8, "solid"]];
    const lines = levels.map(([level, width, dash]) => (
      [this.cut(w, b - level)[1], { width, dash, colour: ink }]));
    if (B) lines.push([this.cut(B.w, B.b)[1], { width: 2.4, dash: "dashed", colour: this.second }]);
    this.paths("lines", lines.filter(([ends]) => ends.length === 2), ["width", "dash", "colour"]);
    this.fill("arrow", this.arrow(w, b));
    const visited = sample === null || sample >= X.length ? [] : [X[sample]];
    this.fill("visited", { x: visited.map(([u]) => u), y: visited.map(([, v]) => v) });
    const size = alpha.map(Math.abs), largest = Math.max(...size, Number.MIN_VALUE);
    const edge = Array.from(y, (label) => (label > 0 ? this.up : this.down));
    this.fill("points", {
      x: X.map(([u]) => u), y: X.map(([, v]) => v), label: Array.from(y), alpha: Array.from(alpha), value, sample: Array.from(y.keys()),
      size: Array.from(size, (each) => this.least + (this.largest * each) / largest),
      fill: edge.map((colour, i) => (size[i] > 0 ? colour : this.paper)), edge,
      marker: Array.from(y, (label) => this.markers[label > 0 ? "up" : "down"]),
    });
    return this.sentence(w, b, value.filter((each, i) => y[i] * each <= 0).length, y.length, loss.kind === "margin");
  }

  // The corners of the part of the square with w.x + b >= 0, and where w.x + b = 0 meets its edges.
  cut(w, b) {
    const values = this.corners.map(([u, v]) => u * w[0] + v * w[1] + b), corners = [], crossings = [];
    values.forEach((value, k) => {
      const here = this.corners[k], next = this.corners[(k + 1) % 4], after = values[(k + 1) % 4];
      if (value >= 0) corners.push(here);
      if (value >= 0 === after >= 0) return;
      const share = value / (value - after), crossing = here.map((from, j) => from + share * (next[j] - from));
      corners.push(crossing);
      crossings.push(crossing);
    });
    return [corners, crossings];
  }

  // Paths, each with what it looks like.
  paths(name, pieces, names = ["fill"]) {
    const columns = names.map((each) => [each, pieces.map(([, style]) => style[each])]);
    const along = (k) => pieces.map(([path]) => path.map((place) => place[k]));
    this.fill(name, { xs: along(0), ys: along(1), ...Object.fromEntries(columns) });
  }

  // w from the place of the boundary nearest to the origin, or the origin where that is out of sight.
  arrow(w, b) {
    const length = Math.hypot(...w);
    if (length === 0) return { x0: [], y0: [], x1: [], y1: [] };
    let start = w.map((each) => (-b * each) / length ** 2);
    if (start.some((each) => Math.abs(each) > this.half_width)) start = [0, 0];
    const [u, v] = w.map((each, j) => start[j] + each * Math.min(1, this.longest / length));
    return { x0: [start[0]], y0: [start[1]], x1: [u], y1: [v] };
  }

  sentence(w, b, wrong, n, margin) {
    const norm = Math.hypot(...w), seen = norm === 0 || this.cut(w, b)[1].length > 0;
    const lines = this.say(seen ? (margin ? "plane_margin" : "plane_target") : "plane_outside");
    return this.say("plane", { norm, b: Math.abs(b) > this.rounding * norm ? b : 0, wrong, n, lines });
  }
}
