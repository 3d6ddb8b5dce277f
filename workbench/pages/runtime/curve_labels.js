// Names beside their curves: where a curve runs in its figure, what it looks like, and where its name may stand.

import { element } from "./elements.js";

/** @type {Record<string, any>} */
const DRAWN_AS = { "": "solid", solid: "solid", 6: "dashed", dashed: "dashed", "2,4": "dotted", dotted: "dotted" };
const TRIED = 40;

/**
 * Where a curve runs in its figure, in pixels of it: points that lie close to each other, none of them outside.
 * @param {any} view @param {any} renderer @param {{ left: any, right: any, top: any, bottom: any }} fields
 */
export function curveSeen(view, renderer, { left, right, top, bottom }) {
  const { glyph } = renderer;
  const { sx, sy } = view.views.find_one(renderer)?.glyph ?? {};
  const { colour, dash } = looksOf(glyph);
  const isLine = dash !== null;
  const points = [];
  const count = sy ? sx.length : 0;
  const parts = isLine && count > 1 ? Math.max(1, Math.ceil(TRIED / count)) : 1;
  const stride = Math.max(1, Math.floor(count / 400));
  for (let k = 0; k < count; k += stride) {
    for (let part = 0; part < parts; part += 1) {
      const next = Math.min(k + stride, count - 1);
      const share = part / parts;
      const x = sx[k] + share * (sx[next] - sx[k]);
      const y = sy[k] + share * (sy[next] - sy[k]);
      if (x >= left && x <= right && y >= top && y <= bottom) points.push({ x, y });
    }
  }
  return { colour, dash, points };
}

/**
 * The boxes of the texts that a figure draws, in pixels of it; as high on both sides, however a text is placed.
 * @param {any} view @param {any} renderer
 */
export function textsSeen(view, renderer) {
  const { sx, sy, swidth, sheight } = view.views.find_one(renderer)?.glyph ?? {};
  if (renderer.glyph?.type !== "Text" || !renderer.visible || !sx || !swidth) return [];
  return Array.from(sx, (x, k) => {
    const [width, height] = [swidth[k], sheight[k]];
    return { x: x - width / 2, y: sy[k] - height, width, height: 2 * height };
  });
}

/**
 * The colour of a glyph, and the dash of a line.
 * @param {any} glyph
 */
export function looksOf(glyph) {
  const isLine = /Line|Step/.test(glyph.type);
  const dash = String(glyph.line_dash?.value ?? glyph.line_dash ?? "");
  return {
    colour: colourOf((isLine ? glyph.line_color : glyph.fill_color)?.value ?? glyph.line_color?.value),
    dash: isLine ? (DRAWN_AS[dash] ?? "solid") : null,
  };
}

const probe = new Map();

/** @param {string} text */
function colourOf(text) {
  if (typeof text !== "string") return null;
  if (!probe.has(text)) {
    const mark = element("i");
    mark.style.color = text.slice(0, 7);
    document.body.append(mark);
    probe.set(text, getComputedStyle(mark).color);
    mark.remove();
  }
  return probe.get(text);
}

/**
 * The box of a name beside its curve that meets the fewest points of curves and no other name; where it was, if it may.
 * @param {any[]} points
 * @param {any} label
 * @param {{ left: any, right: any, top: any, bottom: any }} fields
 * @param {any} taken
 * @param {any} boxes
 */
export function placed(points, label, { left, right, top, bottom }, taken, boxes) {
  const { offsetWidth: wide, offsetHeight: tall } = label.element;
  const gap = tall / 4;
  if (!wide) label.element.hidden = false;
  const width = label.element.offsetWidth || wide;
  const height = label.element.offsetHeight || tall;
  let best = null;
  for (let try_ = 0; try_ <= TRIED; try_ += 1) {
    const { x, y } = points[Math.round((1 - try_ / TRIED) * (points.length - 1))];
    for (const side of [0, 1, 2, 3]) {
      const box = { x: side % 2 ? x + gap : x - width - gap, y: side < 2 ? y - height - gap : y + gap, width, height };
      if (box.x < left || box.x + width > right || box.y < top || box.y + height > bottom) continue;
      if (boxes.some((/** @type {any} */ other) => meet(box, other))) continue;
      const at = 4 * try_ + side;
      const hit = taken.filter(
        (/** @type {any} */ point) =>
          point.x > box.x && point.x < box.x + width && point.y > box.y && point.y < box.y + height,
      ).length;
      const cost = hit + try_ / 8 - (label.at === at ? 4 : 0);
      if (!best || cost < best.cost) best = { ...box, at, cost };
    }
  }
  label.at = best?.at ?? null;
  return best;
}

/** @param {any} a @param {any} b */
function meet(a, b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
