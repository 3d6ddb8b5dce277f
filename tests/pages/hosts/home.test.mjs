// The examples and pictures of Home's story, as pure functions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const room = new URL("../../../workbench/pages/home/", import.meta.url);
const { areas, boundary, deadZone, floorOf, price, tangents } = await import(`${room}example.js`);
const { dragged, grasp, picture, sentence } = await import(`${room}frame.js`);
const story = JSON.parse(readFileSync(new URL("story.json", room), "utf-8"));
const { samples, plane, zone, screens } = story;
const usual = { touch: 0.05, alpha_1: 0.02, alpha_2: 0.08, point: 0, point_x: 0, point_y: 0, lam: 0.1 };
const size = { width: 760, height: 480 };
const at = (screen, changes = {}) => ({ ...usual, ...screens[screen - 1].state, screen, ...changes });
const isClose = (one, other, tolerance = 1e-12) => assert.ok(Math.abs(one - other) <= tolerance, `${one} ${other}`);
/** The least value of a function of one number on a fine grid. */
const least = (value, low, high) =>
  Math.min(...Array.from({ length: 20001 }, (_, k) => value(low + ((high - low) * k) / 20000)));

test("no price lies below a floor, and the best tangent meets the least price", () => {
  const best = least((w) => price(samples, w), -1, 2);
  for (let touch = -0.3; touch <= 1; touch += 0.01) assert.ok(tangents(samples, touch).floor <= best + 1e-12);
  isClose(tangents(samples, samples.w).floor, best, 1e-5);
  for (let a = -0.1; a <= 0.6; a += 0.05)
    for (let b = -0.1; b <= 0.6; b += 0.05) assert.ok(floorOf(samples, [a, b]).floor <= best + 1e-12);
});

test("two tangents lie between the curves and their intercepts are one floor apart", () => {
  const { slope, above, below, floor } = tangents(samples, 0.2);
  isClose(above - below, floor);
  const { x, y, lam } = samples;
  const misses = (w) => (0.5 * x.map((each, i) => (w * each - y[i]) ** 2).reduce((a, b) => a + b)) / 2;
  assert.ok(least((w) => misses(w) - above - slope * w, -2, 2) >= -1e-12);
  isClose(least((w) => below + slope * w + 0.5 * lam * w * w, -2, 2), 0, 1e-6);
});

test("areas add up to the gap", () => {
  for (const alpha of [[0, 0], [0.5, 0.45], [0.24, 0.26], [-0.1, 0.6]]) {
    const total = areas(samples, alpha).reduce((a, b) => a + b);
    isClose(total, price(samples, samples.w) - floorOf(samples, alpha).floor);
  }
});

test("the price is 0.0620, certified to 0.01 %, by the misses", () => {
  const { alpha_1, alpha_2 } = screens.at(-1).state;
  const high = price(samples, samples.w);
  assert.equal(high.toFixed(4), "0.0620");
  assert.ok((high - floorOf(samples, [alpha_1, alpha_2]).floor) / high <= 1e-4);
  samples.x.forEach((x, i) => isClose([alpha_1, alpha_2][i], samples.y[i] - samples.w * x));
});

/** The gap of a boundary, from its weights and dual variables. */
function gapOf({ x, y, lam }, { w, alpha }) {
  const n = y.length;
  const rows = x.map((each) => [...each, 1]);
  const inner = (a, b) => a.reduce((sum, value, k) => sum + value * b[k], 0);
  const v = [0, 1, 2].map((k) => rows.reduce((sum, row, i) => sum + (alpha[i] * y[i] * row[k]) / (lam * n), 0));
  const primal = rows.reduce((sum, row, i) => sum + Math.max(0, 1 - y[i] * inner(row, w)) / n, (lam / 2) * inner(w, w));
  return (primal - (alpha.reduce((a, b) => a + b) / n - (lam / 2) * inner(v, v))) / primal;
}

test("a far point leaves the boundary where it is, a support vector turns it", () => {
  const before = boundary(plane);
  assert.ok(Math.abs(gapOf(plane, before)) < 1e-9);
  const moved = ["far", "support"].map((name) => {
    const { point, point_x, point_y } = plane[name];
    const other = { ...plane, x: plane.x.map((each, i) => (i + 1 === point ? [point_x, point_y] : each)) };
    const result = boundary(other);
    assert.ok(Math.abs(gapOf(other, result)) < 1e-9, name);
    assert.equal(before.alpha[point - 1] > 1e-6, name === "support");
    return Math.max(...result.w.map((value, k) => Math.abs(value - before.w[k])));
  });
  assert.ok(moved[0] < 1e-6, `${moved}`);
  assert.ok(moved[1] > 0.3, `${moved}`);
});

test("weights of the dead zone are optimal, and a larger lambda has more zeros", () => {
  let zeros = 0;
  for (const lam of [0.1, 0.5, 1.5, 3]) {
    const { v, w } = deadZone(zone, lam);
    w.forEach((each, k) => {
      const value = (u) => 0.5 * (u - zone.c[k]) ** 2 + lam * (0.5 * u * u + zone.epsilon * Math.abs(u));
      assert.ok(value(each) <= least(value, -2, 2) + 1e-12);
      isClose(each, Math.sign(v[k]) * Math.max(Math.abs(v[k]) - zone.epsilon, 0));
    });
    const count = w.filter((each) => each === 0).length;
    assert.ok(count >= zeros);
    zeros = count;
  }
  assert.ok(zeros >= zone.c.length - 1);
});

test("each screen has a picture of numbers at every size", () => {
  for (let screen = 1; screen <= screens.length; screen += 1)
    for (const sides of [size, { width: 350, height: 270 }]) {
      const text = picture(at(screen), story, sides);
      assert.ok(text.length > 500, `${screen}`);
      assert.ok(!/NaN|undefined|Infinity/.test(text), `${screen}`);
      assert.ok(!/NaN|undefined/.test(sentence(at(screen), story)));
    }
});

test("a hand moves the tangent and the nearest point, and nothing elsewhere", () => {
  assert.equal(grasp(at(1), story, size, [10, 10]), null);
  assert.equal(grasp(at(2), story, size, [10, 10]), 0);
  const one = dragged(at(2), 0, size, [300, 100]).touch;
  assert.ok(dragged(at(2), 0, size, [400, 100]).touch > one);
  const centre = [size.width / 2, size.height / 2];
  assert.equal(grasp(at(6), story, size, centre), null);
  const place = dragged(at(6), 3, size, centre);
  assert.deepEqual({ ...place }, { point: 3, point_x: 0, point_y: 0 });
  assert.equal(grasp(at(6, place), story, size, centre), 3);
});
