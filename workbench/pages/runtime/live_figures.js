// @ts-nocheck
// How a page that solves in the browser fills Bokeh's figures: as `figures.py` does on the served page.

import { deep } from "./deep.js";
import { numerals } from "./numerals.js";
import { escaped, format_text } from "./wording.js";

export const MOST_POINTS = 400, LEAST_FILLED = 0.5, DIMMED = "0.35";
// Of a certificate's promise.
const WORTH_A_TICK = 0.01, MOST_PERCENT = 9999;

export class LiveFigures {
  // `model` gives a Bokeh model by its id; `ids` names those of sources, ranges and axes.
  constructor(model, ids, texts) {
    Object.assign(this, { texts, ids });
    this.of = (kind, name) => model(ids[kind][name]);
  }

  say(name, values = {}) { return format_text(this.texts[name], values); }

  // How far a run has come.
  elapsed(row) { return this.say(row.epoch < 1 ? "steps" : "epochs", row); }

  // What a certificate guarantees.
  promise(relative_gap) {
    if (!Number.isFinite(relative_gap)) return this.say("no_bound");
    const percent = Math.min(100 * relative_gap, MOST_PERCENT);
    return this.say(relative_gap > WORTH_A_TICK ? "wide" : "tick", { percent });
  }

  // The row of numbers above the figures: each with a name, a number and HTML below it.
  cards(entries) {
    const cards = entries.map(([name, value, below]) => (
      `<div class='wb-stat'><span>${name}</span><b>${value}</b>${below}</div>`));
    return `<div class='wb-stats'>${cards.join("")}</div>`;
  }

  // A sentence as `cards` takes it.
  note(name, values) { return `<em>${this.say(name, values)}</em>`; }

  // Whether the figure of a range is not folded away.
  is_shown(name) { return [...this.of("ranges", name).linked_plots].some((view) => view.is_displayed); }

  // The dotted line in the figures over time at a place of their axis; none where it is null.
  mark(location) {
    for (const name of Object.keys(this.ids.here)) {
      this.of("here", name).setv({ location: location ?? 0, visible: location !== null }, { sync: false });
    }
  }

  // The gaps of rows as a curve that stays in grey, with a break at its end.
  ghost(rows) {
    const kept = spread(rows.length, MOST_POINTS).map((k) => rows[k]);
    const gap = kept.map((row) => (row.gap > 0 && Number.isFinite(row.gap) ? row.gap : NaN));
    return { step: [...kept.map((row) => row.step), NaN], epoch: [...kept.map((row) => row.epoch), NaN], gap: [...gap, NaN] };
  }

  // Ghosts by figure, and the key of each figure, which says how far its ghost went, in epochs where there was one.
  leave_ghost(curves, counted = "epoch") {
    for (const name of Object.keys(this.ids.ghosts)) {
      const { step = [], epoch = [], gap = [] } = curves[name] ?? {};
      const last = { step: farthest(step), epoch: farthest(epoch) }, far = last.step > 0;
      last.round = last.pass = last.epoch;
      this.of("ghosts", name).setv({ data: far ? { step, epoch, gap } : { step: [], epoch: [], gap: [] } }, { sync: false });
      const unit = last.epoch < 1 ? "step" : counted;
      this.key(name, far ? this.texts.ghost.replace("{}", escaped(numerals(this.say(`before_${unit}`, { last: last[unit] })))) : "");
    }
  }

  key_of(name) { return deep(`.wb-save [data-figure="${name}"]`)[0]?.closest(".wb-head").querySelector(".wb-key"); }

  // The key of a figure that draws other things now.
  main_key(name, html) {
    const key = this.key_of(name), more = key?.querySelector(".wb-more-key");
    if (!key || key.wb_html === html) return;
    key.innerHTML = html;
    key.wb_html = html;
    if (more) key.append(more);
  }

  // What the key of a figure says beside what it always says.
  key(name, html) {
    const key = this.key_of(name);
    if (!key) return;
    key.querySelector(".wb-more-key")?.remove();
    if (html) key.insertAdjacentHTML("beforeend", html.replace("<span", "<span class='wb-more-key'"));
  }

  // Figures that show what is not chosen any more are pale.
  dim(is_dimmed) {
    for (const name of Object.keys(this.ids.figures)) {
      const plot = this.of("figures", name), { opacity, ...styles } = plot.styles;
      const wanted = is_dimmed ? DIMMED : undefined;
      if (opacity !== wanted) plot.setv({ styles: wanted === undefined ? styles : { ...styles, opacity: wanted } }, { sync: false });
    }
  }

  fill(name, data) { this.of("sources", name).setv({ data }); }

  range(name, start, end) {
    const bounds = this.of("ranges", name);
    if (bounds.start !== start || bounds.end !== end) bounds.setv({ start, end });
  }

  // A logarithmic range around positive values, between so many decades below the largest.
  decades(name, values, most, least_many) {
    if (!values.length) return;
    const highest = Math.max(...values), lowest = Math.min(...values);
    const low = Math.min(Math.max(lowest, highest * 10 ** -most), highest * 10 ** -least_many);
    this.range(name, 10 ** Math.floor(Math.log10(low)), 2 * highest);
  }

  // A range around the values, with zero in it where wanted; one that still fits stands still.
  around(name, all, margin, zero = false) {
    const values = Array.from(all).filter(Number.isFinite);
    if (!values.length || (zero && values.every((value) => value === 0))) return;
    let low = Math.min(...values), high = Math.max(...values);
    if (zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    const { start, end } = this.of("ranges", name);
    if (start <= low && high <= end && high - low >= LEAST_FILLED * (end - start)) return;
    const spread_of = high - low || Math.max(Math.abs(high), 1);
    this.range(name, low - margin * spread_of, high + margin * spread_of);
  }

  // A range of objective values: a first primal far above the rest would press both curves flat against the axis.
  objective(name, all, duals) {
    const [primal, dual] = [all, duals].map((values) => values.filter(Number.isFinite));
    if (!primal.length || !dual.length) return;
    const tail = all.slice(Math.floor(all.length / 3)).filter(Number.isFinite);
    const highest = Math.max(...primal), best = Math.max(...dual), settled = Math.max(...(tail.length ? tail : primal));
    const top = Math.min(highest, settled + 2 * Math.max(settled - best, 0.5 * Math.abs(settled)));
    const bottom = Math.max(Math.min(...dual), top - 3 * Math.max(top - best, Math.abs(top)));
    this.around(name, [bottom, top], 0.06);
  }
}

// The last place of curves with breaks.
function farthest(places) { return Math.max(...places.filter(Number.isFinite)); }

// At most so many places of so many, evenly spread, the first and the last among them.
export function spread(count, most) {
  const size = Math.min(most, count);
  const places = Array.from({ length: size }, (_, k) => (
    size === 1 ? 0 : k === size - 1 ? count - 1 : Math.floor(k * ((count - 1) / (size - 1)))));
  return [...new Set(places)];
}
