// @ts-check
// The pictures of the story as SVG: pure functions of settings, story and size.

import { areas, boundary, charge, deadZone, floorOf, misses, price, tangents } from "./example.js";
import { area, dot, graph, line, number, plotIn, scale, text } from "./svg.js";

/** @typedef {{ width: number, height: number }} Size */
/** @typedef {import("./svg.js").Box} Box */
/** @typedef {Record<string, any>} Settings */
/** @typedef {Record<string, any>} Story */

const AXIS_END = 0.08;
const NARROW = 560;
const GRAB = 30;
/** Half of the height of the plane in its units. */
const REACH = 2.6;

/**
 * The axis of prices: the price, below it the floor where there is one, and between them the gap, perhaps in shares.
 * @param {Size} size
 * @param {number} y
 * @param {number} high - the price
 * @param {number} [low] - the floor
 * @param {number[]} [shares]
 */
function prices({ width }, y, high, low, shares) {
  const X = scale([0, AXIS_END], [24, width - 24]);
  const at = (/** @type {number} */ value) => Math.min(Math.max(X(value), 10), width - 10);
  const parts = [];
  if (low === undefined) {
    parts.push(line([10, y], [X(high), y], "axis dashed"), line([X(high), y], [width - 12, y], "axis"));
    parts.push(text([8, y + 6], "◂", "muted"), text([X(high) / 2, y - 14], "?", "huge", "middle"));
    parts.push(text([X(high) / 2, y + 26], "lower prices: is there one?", "muted", "middle"));
  } else {
    parts.push(line([12, y], [width - 12, y], "axis"));
    let from = low;
    for (const [k, share] of (shares ?? [Math.max(high - low, 0)]).entries()) {
      const [start, end] = [at(from), at(from + share)];
      parts.push(`<rect x='${start}' y='${y - 9}' width='${end - start}' height='18' class='share s${k}'/>`);
      from += share;
    }
    parts.push(line([at(low), y - 13], [at(low), y + 13], "floor"));
    const side = at(low) < 90 ? "start" : at(low) > width - 90 ? "end" : "middle";
    parts.push(text([at(low), y + 46], `floor ${number(low)}`, "floor-text", side));
    for (const tick of [0, 0.02, 0.04, 0.06, 0.08])
      parts.push(line([X(tick), y], [X(tick), y + 5], "axis"), text([X(tick), y + 26], `${tick}`, "tick", "middle"));
  }
  parts.push(line([X(high), y - 18], [X(high), y + 13], "price"));
  parts.push(text([X(high), y - 26], `price ${number(high)}`, "price-text", "middle"));
  return parts.join("");
}

/**
 * The two samples, the line through zero, and its misses.
 * @param {Story} story
 * @param {Box} box
 */
function fit({ samples: { x, y, w } }, box) {
  const plot = plotIn(box, [-0.05, 1.25], [-0.05, 0.72]);
  const { X, Y } = plot;
  return [
    plot.ground,
    plot.axis,
    line([X(0), Y(0)], [X(1.2), Y(1.2 * w)], "blue"),
    ...x.map((/** @type {number} */ each, /** @type {number} */ i) =>
      [
        line([X(each), Y(y[i])], [X(each), Y(w * each)], `miss m${i}`),
        dot([X(each), Y(y[i])], `sample m${i}`, 7),
        text([X(each), Y(y[i]) - 14], `sample ${i + 1}`, "", "middle"),
        text([X(each) - 8, Y((y[i] + w * each) / 2) + 5], `miss ${number(y[i] - w * each, 2)}`, "miss-text", "end"),
      ].join(""),
    ),
    text([X(1.2), Y(0) - 10], "the line y = 0.32 x", "blue-text", "end"),
  ].join("");
}

/** @param {Size} size */
const whole = ({ width, height }) => ({ left: 6, top: 6, right: width - 6, bottom: height - 6 });

/**
 * The plot of the second screen.
 * @param {Size} size
 */
const stripPlot = (size) => plotIn(whole(size), [-0.32, 0.86], [-0.2, 0.19]);

/** @type {((settings: Settings, story: Story, size: Size) => string)[]} */
const PICTURES = [
  (_, story, size) => {
    const { width, height } = size;
    const box = { left: 6, top: 6, right: width - 6, bottom: height - 130 };
    return fit(story, box) + prices(size, height - 56, price(story.samples, story.samples.w));
  },
  ({ touch }, { samples }, size) => {
    const plot = stripPlot(size);
    const { X, Y } = plot;
    const { slope, above, below, floor } = tangents(samples, touch);
    const [low, high] = plot.x;
    const ends = (/** @type {number} */ intercept) =>
      /** @type {[number, number][]} */ ([low, high].map((u) => [X(u), Y(intercept + slope * u)]));
    const [top, bottom] = [ends(above), ends(below)];
    const { w } = samples;
    const inside = [
      area([...top, ...bottom.reverse()], floor > 0 ? "strip" : "none"),
      line([X(0), 0], [X(0), size.height], "axis"),
      line(top[0], top[1], "tangent"),
      line(bottom[0], bottom[1], "tangent"),
      graph(plot, (u) => misses(samples, u), "blue"),
      graph(plot, (u) => -charge(samples, u), "green"),
      line([X(w), Y(misses(samples, w))], [X(w), Y(-charge(samples, w))], "price"),
      line([X(0), Y(above)], [X(0), Y(below)], "floor"),
      dot([X(0), Y(above)], "floor-dot"),
      dot([X(0), Y(below)], "floor-dot"),
      dot([X(-slope / samples.lam), Y(-charge(samples, slope / samples.lam))], "touch"),
      dot([X(touch), Y(misses(samples, touch))], "handle", 11),
    ];
    return [
      plot.ground,
      plot.axis,
      plot.cut(inside.join("")),
      text([X(w) + 8, Y(-0.015)], `price ${number(price(samples, w))}`, "price-text"),
      text([X(0) - 8, Y((above + below) / 2) + 5], `floor ${number(floor)}`, "floor-text", "end"),
      text([X(0.86) - 8, Y(misses(samples, 0.86)) - 12], "misses", "blue-text", "end"),
      text([X(0.62), Y(-charge(samples, 0.62)) + 30], "charge, downwards", "green-text", "end"),
      text([X(0.86) - 8, Y(0) - 6], "w", "muted", "end"),
    ].join("");
  },
  handles,
  handles,
  ({ alpha_1, alpha_2 }, { samples }, size) => {
    const { x, y, lam, w } = samples;
    const alpha = [alpha_1, alpha_2];
    const { v, floor } = floorOf(samples, alpha);
    const isNarrow = size.width < NARROW;
    const width = (size.width - 24) / 3;
    // One unit is as long in all three, so that areas can be compared.
    const unit = Math.min(width / 0.66, (size.height - 150) / 0.56);
    const top = 26 + Math.max(size.height - 150 - 0.56 * unit, 0) / 2;
    const panels = alpha.map((each, i) => ({
      point: [w * x[i], each / 2],
      across: y[i] - each,
      from: y[i] - 0.63,
      value: (/** @type {number} */ u) => (y[i] - u) / 2,
      title: isNarrow ? `sample ${i + 1}` : `sample ${i + 1}: the point (w x, α/2)`,
    }));
    panels.push({
      point: [w, lam * v],
      across: v,
      from: 0,
      value: (u) => lam * u,
      title: isNarrow ? "weight" : "weight: the point (w, λv)",
    });
    const parts = panels.map(({ point: [u, level], across, from, value, title }, k) => {
      const left = 6 + k * (width + 6);
      const box = { left, top, right: left + width, bottom: top + 0.56 * unit };
      const plot = plotIn(box, [from, from + width / unit], [-0.06, 0.5]);
      const { X, Y } = plot;
      const triangle = /** @type {[number, number][]} */ ([
        [X(u), Y(level)],
        [X(u), Y(value(u))],
        [X(across), Y(level)],
      ]);
      const inside = area(triangle, `share s${k}`) + graph(plot, value, "muted-line") + dot(triangle[0], "handle", 6);
      return plot.ground + text([left + 4, top - 8], title, `s${k}-text`) + plot.axis + plot.cut(inside);
    });
    return parts.join("") + prices(size, size.height - 54, price(samples, w), floor, areas(samples, alpha));
  },
  (settings, { plane }, size) => {
    const { X, Y, ground, cut } = planePlot(size);
    const before = settings.point ? boundary(plane) : null;
    const moved = movedPlane(settings, plane);
    const { w, alpha } = boundary(moved);
    const half = (REACH * size.width) / size.height;
    // The line on which the prediction is a level, from edge to edge.
    const level = (/** @type {number[]} */ [a, b, c], /** @type {number} */ value, /** @type {string} */ name) => {
      const across = (/** @type {number} */ v) => (value - c - b * v) / a;
      return line([X(across(-2 * half)), Y(-2 * half)], [X(across(2 * half)), Y(2 * half)], name);
    };
    const inside = [
      before ? level(before.w, 0, "ghost") : "",
      level(w, 1, "margin"),
      level(w, -1, "margin"),
      level(w, 0, "boundary"),
      ...moved.x.map((/** @type {[number, number]} */ [a, b], /** @type {number} */ i) => {
        const place = /** @type {[number, number]} */ ([X(a), Y(b)]);
        const ring = alpha[i] > 1e-6 ? dot(place, "ring", 11 + 3 * alpha[i]) : "";
        return ring + marker(place, moved.y[i]) + dot(place, "grab", 18);
      }),
    ];
    const name = ["far", "support"].find((each) => plane[each].point === settings.point);
    const said = name ? `moved: ${name === "far" ? "a far point" : "a support vector"}` : "";
    return ground + cut(inside.join("")) + text([16, 28], said, "muted");
  },
  ({ lam }, { zone }, size) => {
    const { v, w } = deadZone(zone, lam);
    const { epsilon } = zone;
    const isNarrow = size.width < NARROW;
    const split = isNarrow ? size.width - 6 : size.width * 0.64;
    const plot = plotIn({ left: 6, top: 6, right: split, bottom: size.height - 6 }, [-2.3, 2.3], [-1.7, 1.7]);
    const { X, Y } = plot;
    const [low, high] = [Y(1.7), Y(-1.7)];
    const value = (/** @type {number} */ u) => Math.sign(u) * Math.max(Math.abs(u) - epsilon, 0);
    const dots = v.map((each, k) => dot([X(each), Y(w[k])], w[k] ? "live" : "dead", 7));
    const parts = [
      plot.ground,
      area(
        [
          [X(-epsilon), low],
          [X(epsilon), low],
          [X(epsilon), high],
          [X(-epsilon), high],
        ],
        "zone",
      ),
      plot.axis,
      plot.cut(graph({ ...plot, x: [-2.3, 2.3] }, value, "blue") + dots.join("")),
      text([X(0), low + 22], "dead zone", "floor-text", "middle"),
      text([X(2.3) - 8, Y(0) - 8], "v", "muted", "end"),
      text([X(-2.3) + 8, low + 22], "w = ∇h(v)", "blue-text"),
    ];
    if (isNarrow) return parts.join("");
    const bars = plotIn(
      { left: split + 12, top: 6, right: size.width - 6, bottom: size.height - 6 },
      [0, 12],
      [-1.7, 1.7],
    );
    const heights = w.map((each, k) =>
      each
        ? line([bars.X(k + 0.5), bars.Y(0)], [bars.X(k + 0.5), bars.Y(each)], "bar")
        : dot([bars.X(k + 0.5), bars.Y(0)], "dead", 4),
    );
    const title = text([bars.X(6), bars.Y(1.7) + 22], "the twelve weights", "muted", "middle");
    return [...parts, bars.ground, bars.axis, ...heights, title].join("");
  },
  ({ alpha_1, alpha_2 }, story, size) => {
    const { samples } = story;
    const { floor } = floorOf(samples, [alpha_1, alpha_2]);
    const box = { left: 6, top: 6, right: size.width - 6, bottom: size.height - 130 };
    return fit(story, box) + prices(size, size.height - 56, price(samples, samples.w), floor);
  },
];

/**
 * The curve and the tangent of each sample, and below them the axis with the floor.
 * @param {Settings} settings @param {Story} story @param {Size} size
 */
function handles({ alpha_1, alpha_2 }, { samples }, size) {
  const { x, y, w } = samples;
  const { intercepts, floor } = floorOf(samples, [alpha_1, alpha_2]);
  const width = (size.width - 18) / 2;
  const parts = [alpha_1, alpha_2].map((alpha, i) => {
    const left = 6 + i * (width + 6);
    const box = { left, top: 28, right: left + width, bottom: size.height - 118 };
    const plot = plotIn(box, [-0.14, 0.86], [-0.05, 0.2]);
    const { X, Y } = plot;
    const value = (/** @type {number} */ u) => 0.5 * (u - y[i]) ** 2;
    const tangent = (/** @type {number} */ u) => intercepts[i] - alpha * u;
    const inside = [
      line([X(0), 0], [X(0), size.height], "axis"),
      line([X(-0.2), Y(tangent(-0.2))], [X(0.9), Y(tangent(0.9))], "tangent"),
      graph(plot, value, `blue m${i}`),
      dot([X(w * x[i]), Y(value(w * x[i]))], "price-dot", 6),
      dot([X(0), Y(intercepts[i])], "floor-dot", 6),
    ];
    return [
      plot.ground,
      plot.axis,
      plot.cut(inside.join("")),
      text([left + 4, 20], `${size.width < NARROW ? "" : `sample ${i + 1}: `}intercept ${number(intercepts[i], 3)}`),
    ].join("");
  });
  return parts.join("") + prices(size, size.height - 54, price(samples, w), floor);
}

/** @param {[number, number]} place @param {number} label */
function marker([x, y], label) {
  if (label > 0) return dot([x, y], "plus", 6);
  return `<rect x='${(x - 5.5).toFixed(1)}' y='${(y - 5.5).toFixed(1)}' width='11' height='11' class='minus'/>`;
}

/** @param {Size} size */
function planePlot(size) {
  const half = (REACH * size.width) / size.height;
  return plotIn({ left: 0, top: 0, right: size.width, bottom: size.height }, [-half, half], [-REACH, REACH]);
}

/**
 * @param {Settings} settings
 * @param {Record<string, any>} plane
 * @returns {any}
 */
function movedPlane({ point, point_x, point_y }, plane) {
  const x = plane.x.map((/** @type {number[]} */ each, /** @type {number} */ i) =>
    i + 1 === point ? [point_x, point_y] : each,
  );
  return { ...plane, x };
}

/**
 * Returns the inside of the picture of a screen.
 * @param {Settings} settings
 * @param {Story} story
 * @param {Size} size
 */
export const picture = (settings, story, size) => PICTURES[settings.screen - 1](settings, story, size);

/**
 * Returns the numbers of a screen in words.
 * @param {Settings} settings
 * @param {Story} story
 */
export function sentence(settings, { samples, plane, zone }) {
  const { screen, touch, alpha_1, alpha_2, lam } = settings;
  const high = price(samples, samples.w);
  const { intercepts, v, floor } = floorOf(samples, [alpha_1, alpha_2]);
  const gap = `gap = ${number(high)} − ${number(floor)} = ${number(high - floor)}`;
  if (screen === 1)
    return `misses ${number(misses(samples, samples.w))} + charge ${number(charge(samples, samples.w))} = ${number(high)}`;
  if (screen === 2) {
    const { above, below, floor } = tangents(samples, touch);
    return `floor = ${number(above)} − ${number(below)} = ${number(floor)}, below the price ${number(high)}`;
  }
  if (screen === 3 || screen === 4) {
    const [first, second] = intercepts.map((each) => number(each, 3));
    return `floor = ½(${first} + ${second}) − ${number(charge(samples, v), 3)} = ${number(floor)}; ${gap}`;
  }
  if (screen === 5)
    return `${areas(samples, [alpha_1, alpha_2])
      .map((each) => number(each))
      .join(" + ")} = ${number(high - floor)}, the gap`;
  if (screen === 6) {
    const { alpha, gap } = boundary(movedPlane(settings, plane));
    const count = alpha.filter((each) => each > 1e-6).length;
    return `${count} of ${plane.y.length} points are support vectors; gap at most ${gap < 1e-9 ? "10⁻⁹" : gap.toExponential(1)} of the price`;
  }
  if (screen === 7) {
    const zeros = deadZone(zone, lam).w.filter((each) => each === 0).length;
    return `λ = ${number(lam, 2)}: ${zeros} of ${zone.c.length} weights are exactly 0`;
  }
  return `gap ${((100 * (high - floor)) / high).toFixed(4)} % of the price`;
}

/**
 * Returns what a hand takes at a place of the picture: the number of a point, 0 for the tangent, null for nothing.
 * @param {Settings} settings
 * @param {Story} story
 * @param {Size} size
 * @param {[number, number]} place
 */
export function grasp(settings, { plane }, size, [x, y]) {
  if (settings.screen === 2) return 0;
  if (settings.screen !== 6) return null;
  const { X, Y } = planePlot(size);
  const distances = movedPlane(settings, plane).x.map((/** @type {number[]} */ [a, b]) =>
    Math.hypot(X(a) - x, Y(b) - y),
  );
  const least = Math.min(...distances);
  return least < GRAB ? distances.indexOf(least) + 1 : null;
}

/**
 * Returns the settings that change where a hand drags what it took to a place.
 * @param {Settings} settings
 * @param {number} taken
 * @param {Size} size
 * @param {[number, number]} place
 * @returns {Record<string, number>}
 */
export function dragged({ screen }, taken, size, [x, y]) {
  const { X, Y } = screen === 2 ? stripPlot(size) : planePlot(size);
  const inverse = (
    /** @type {(value: number) => number} */ map,
    /** @type {number} */ pixel,
    /** @type {number} */ reach,
  ) => Math.min(Math.max((pixel - map(0)) / (map(1) - map(0)), -reach), reach);
  const rounded = (/** @type {number} */ value) => Number(value.toFixed(3));
  if (screen === 2) return { touch: rounded(Math.max(inverse(X, x, 0.85), -0.2)) };
  return { point: taken, point_x: rounded(inverse(X, x, 4)), point_y: rounded(inverse(Y, y, REACH - 0.1)) };
}
