// Type, lines and markers of a figure on the projector.

import { bokehFor } from "./own_bokeh.js";

// In pixels where the window has 1920 x 1080 of them; that of a desk is the smallest type of the pages.
export const PROJECTOR = { width: 1920, height: 1080, type: 28, line: 4, desk: 12, mark: 1.8 };

// What a model looked like before the projector, and what the projector made of it.
const deskLooks = new WeakMap();

/**
 * Type, lines and markers of a figure for the projector; as on the desk where no scale is given.
 * @param {any} plot @param {any} scale
 */
export function grow(plot, scale) {
  const sides = ["left", "below", "right", "above", "center"].flatMap((side) => plot[side]);
  const glyphs = plot.renderers.flatMap((/** @type {any} */ each) => [
    each.glyph,
    each.selection_glyph,
    each.nonselection_glyph,
    each.muted_glyph,
    each.hover_glyph,
    each,
  ]);
  for (const model of [plot, plot.title, ...sides, ...glyphs]) {
    if (typeof model !== "object" || model === null || model === "auto") continue;
    const kept = deskLooks.get(model) ?? {};
    /** @type {Record<string, any>} */
    const next = {};
    for (const { attr: name } of model) {
      const factor = grownBy(model, name, scale);
      if (!factor) continue;
      const now = model[name];
      const was = kept[name];
      if (was && same(was.set, now) && was.scale === scale) continue;
      const desk = was && same(was.set, now) ? was.desk : now;
      const set = scale ? resized(desk, factor, plot) : desk;
      kept[name] = { desk, set, scale };
      if (!same(set, now)) next[name] = set;
    }
    deskLooks.set(model, kept);
    if (Object.keys(next).length) model.setv(next, { sync: false });
  }
}

/**
 * Returns how a property grows; undefined if the property is not a size.
 * @param {any} model @param {string} name @param {number} [scale]
 */
function grownBy(model, name, scale = 1) {
  if (/font_size$/.test(name))
    return (/** @type {number} */ size) =>
      size && Math.max(PROJECTOR.type * scale, size * (PROJECTOR.type / PROJECTOR.desk) * scale);
  if (name === "min_border_right") return (/** @type {number} */ size) => 3 * size * scale;
  if (name === "size" && model.type === "Scatter") return (/** @type {number} */ size) => size * PROJECTOR.mark * scale;
  if (!/line_width$/.test(name)) return null;
  const least = /Line|Step|Segment|Ray/.test(model.type) ? PROJECTOR.line * scale : 0;
  return (/** @type {number} */ width) => width && Math.max(least, width * PROJECTOR.mark * scale);
}

/**
 * Sizes that a column has are what they were; what makes them larger is a model.
 * @param {any} a @param {any} b
 */
function same(a, b) {
  return (
    a === b ||
    (typeof a === "object" && a && b && a.field === b.field && a.value === b.value && a.transform === b.transform)
  );
}

/** @param {any} value @param {any} factor @param {any} plot @returns {any} */
function resized(value, factor, plot) {
  if (typeof value === "number") return factor(value);
  // Panel's Material sets titles in em.
  const [, size, unit] = /^([\d.]+)(px|em)$/.exec(value) ?? [];
  if (unit) return `${factor(Number(size) * (unit === "em" ? PROJECTOR.desk : 1)).toFixed(1)}px`;
  if (value?.field && !value.transform) {
    const x = [0, 0.01, 1, 2, 4, 8, 100];
    return { ...value, transform: new (bokehFor(plot).Models.get("LinearInterpolator"))({ x, y: x.map(factor) }) };
  }
  if (value && value.value !== undefined) return { ...value, value: resized(value.value, factor, plot) };
  return value;
}
