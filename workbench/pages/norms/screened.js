// @ts-check
// What runs of coordinate descent discard, as `screened.py` and `dual_plane.py` tell it, at an epoch of theirs.

/**
 * @typedef {Record<string, any>} Fields
 * @typedef {import("../runtime/hosts/joined.js").Part} Part
 */

/** Marks in a row, and those that are drawn of more. */
const ROW = 20;
const DRAWN = 240;
const [MIN_BOUND, MAX_BOUND] = [0.05, 1e4];
const KINDS = ["discarded", "open", "nonzero", "kept"];
const RING = Array.from({ length: 361 }, (_, k) => (Math.PI * k) / 180);
/** Corners of an ellipse, how close to a point they come, and the length of a line in windows. */
const CORNERS = 240;
const NEAREST = 1e-12;
const BEYOND = 40;
const ROUNDING = 1e-9;
const EMPTY = [
  "marks",
  "reach",
  "disc",
  "shadow",
  "first",
  "second",
  "optima",
  "both",
  "plain",
  "unscreened",
  "lambdas",
];

/**
 * Returns the place of the last entry that is not beyond an epoch.
 * @param {ArrayLike<number>} epochs
 * @param {number} epoch
 */
export function placeAt(epochs, epoch) {
  const after = Array.from(epochs).findIndex((value) => value > epoch + ROUNDING);
  return after < 0 ? epochs.length - 1 : Math.max(after - 1, 0);
}

/**
 * Returns the number of blocks that are discarded after some epochs, or at the end of a run that ended before.
 * @param {any} screening
 * @param {number} epochs
 */
export const countAt = ({ epoch, discarded }, epochs) => discarded[placeAt(epoch, epochs)];

/**
 * Returns the parts of a picture.
 * @param {Fields} fields
 * @returns {Part[]}
 */
export function screenedParts({ screened, settings, epoch, aspect, words, facts }) {
  const { screening, plane, path, refused } = screened;
  const empty = Object.fromEntries(EMPTY.map((name) => [name, null]));
  const waits = refused || words.say("screening_asked");
  const sentences = { marks: waits, reach: waits, sphere: waits, epochs: waits, left: waits, path: waits };
  const nothing = { sources: empty, ranges: [], sentences };
  if (!screening) return [nothing];
  const at = placeAt(screening.epoch, epoch);
  const fields = { screening, at, settings, words, facts };
  return [
    nothing,
    marks(fields),
    courses(fields, epoch),
    ...(plane ? [ball({ ...fields, plane, aspect })] : []),
    path ? lambdas({ ...fields, path }) : { sources: {}, ranges: [], sentences: { path: words.say("path_asked") } },
  ];
}

/** @param {Fields} fields */
function marks({ screening, at, words, facts }) {
  const { names, since, total, has_ridge, runs } = screening;
  const epoch = Math.min(screening.epoch[at], runs.both.epoch[runs.both.epoch.length - 1]);
  const count = names.length;
  const kinds = Array.from(screening.kinds.slice(at * count, (at + 1) * count), (kind) => KINDS[kind]);
  const bounds = Array.from(screening.bound.slice(at * count, (at + 1) * count));
  const places = Array.from(kinds.keys());
  const rows = Math.ceil(count / ROW);
  const says = kinds.map((kind) => facts.kinds[kind]);
  const shown = bounds.map((bound) => Math.min(Math.max(Number(bound), MIN_BOUND), MAX_BOUND));
  const [discarded, certain, nonzero] = ["discarded", "certain", "nonzero"].map((name) => screening[name][at]);
  const things = words.say(screening.is_grouped ? "groups" : "features");
  const cut = total > DRAWN ? words.say("marks_cut", { drawn: DRAWN }) : "";
  const note = certain ? words.say("certain", { certain }) : has_ridge ? "" : words.say("no_ridge");
  return {
    sources: {
      marks: {
        x: places.map((k) => k % ROW),
        y: places.map((k) => -Math.floor(k / ROW)),
        size: places.map(() => (rows === 1 ? 18 : rows <= 12 ? 11 : 9)),
        name: names,
        bound: bounds,
        kind: kinds,
        since: places.map((k) => (since[k] <= epoch ? words.say("since", { since: since[k] }) : "")),
        says,
      },
      reach: { place: places.map((k) => k + 1), bound: shown, name: names, kind: kinds, says },
    },
    ranges: [
      ["range", "marks_x", -1, Math.min(count, ROW)],
      // Few rows stand close together.
      ["range", "marks_y", -0.5 - Math.max(rows - 0.5, 3), Math.max(0.7, (4 - rows) / 2)],
      ["range", "reach_x", 1 - 0.03 * count, 1.03 * count + 1],
      ["range", "reach_y", Math.min(0.2, 0.6 * Math.min(...shown)), Math.max(2, 1.6 * Math.max(...shown))],
    ],
    sentences: {
      marks: words.say("marks", {
        discarded,
        total,
        things,
        epoch,
        first: screening.discarded[0],
        nonzero,
        cut,
      }),
      reach: words.say("reach", { count: total - discarded - certain, radius: screening.radius[at], note }),
    },
  };
}

/**
 * Gaps, and what is left in the solvers, over the epochs of all of a run.
 * @param {Fields} fields
 * @param {number} now
 */
function courses({ screening: { runs, total, is_grouped }, words }, now) {
  const names = Object.keys(runs);
  const positive = (/** @type {number} */ gap) => (gap > 0 ? gap : NaN);
  const column = (/** @type {string} */ name) => ({
    epoch: Array.from(runs[name].epoch),
    left: Array.from(runs[name].left),
    gap: Array.from(runs[name].gap, positive),
  });
  const last = (/** @type {ArrayLike<number>} */ values) => values[values.length - 1];
  const longest = 1.02 * Math.max(...names.map((name) => last(runs[name].epoch))) || 1;
  const gaps = names.flatMap((name) => Array.from(runs[name].gap)).filter((gap) => Number(gap) > 0);
  const at = (/** @type {string} */ name, /** @type {string} */ what) =>
    runs[name][what][placeAt(runs[name].epoch, now)];
  const [gap, other] = ["both", "plain"].map((name) => at(name, "gap"));
  const [epoch, other_epoch] = ["both", "plain"].map((name) => at(name, "epoch"));
  const things = words.say(is_grouped ? "groups" : "features");
  return {
    sources: Object.fromEntries(names.map((name) => [name, column(name)])),
    ranges: [
      ["range", "epochs_x", 0, longest],
      ["range", "left_x", 0, longest],
      ["decades", "epochs_y", gaps, 12, 4],
      ["range", "left_y", 0, 1.06 * total],
    ],
    sentences: {
      epochs: words.say("course", { gap, epoch, other, other_epoch }),
      left: words.say("left_line", { epoch, left: at("both", "left"), all: runs.unscreened.left[0], things }),
    },
  };
}

/** @param {Fields} fields */
function ball({ screening, plane, at, aspect, words, facts }) {
  const centre = (/** @type {string} */ name) => plane.balls[name].slice(2 * at, 2 * at + 2);
  const [x, y, half] = plane.windows.slice(3 * at, 3 * at + 3);
  const ring = (/** @type {string} */ name) => {
    const [u, v] = centre(name);
    const radius = plane.radii[name][at];
    return {
      x: RING.map((angle) => u + radius * Math.cos(angle)),
      y: RING.map((angle) => v + radius * Math.sin(angle)),
    };
  };
  const points = [Array.from(centre("both")), ...(plane.optimum ? [Array.from(plane.optimum)] : [])];
  const edges = plane.edges[at];
  const radius = plane.radii.both[at];
  const count = screening.names.length;
  const said = edges.map((/** @type {any} */ edge, /** @type {number} */ k) => {
    const name = plane.names[k];
    if (!edge) return words.say("never_reached", { name });
    const kind = KINDS[screening.kinds[at * count + plane.blocks[k]]];
    const known = { discarded: "is_discarded", kept: "is_kept" }[kind];
    const verdict = words.say(known ?? (edge.distance <= radius ? "may_be" : "not_out"));
    return words.say("edge_away", { name, distance: edge.distance, verdict });
  });
  const [across, up] = aspect > 1 ? [half * aspect, half] : [half, half / aspect];
  return {
    sources: {
      disc: ring("both"),
      shadow: ring("plain"),
      first: segments(edges[0], [x, y], half),
      second: segments(edges[1], [x, y], half),
      optima: { x: points.map(([u]) => u), y: points.map(([, v]) => v), says: facts.points.slice(0, points.length) },
    },
    ranges: [
      ["range", "sphere_x", x - across, x + across],
      ["range", "sphere_y", y - up, y + up],
    ],
    sentences: {
      sphere: words.say("sphere", { radius, other: plane.radii.plain[at], first: said[0], second: said[1] }),
    },
  };
}

/**
 * The points of an edge as one line, exact near a point; two lines have a gap between.
 * @param {any} edge - its points are `middle` + `vectors` (`lengths` u) of a unit vector u; of a line the second length is
 *   infinite
 * @param {number[]} point
 * @param {number} half - of the window
 */
function segments(edge, [x, y], half) {
  if (!edge) return { x: [], y: [] };
  const { middle, vectors, lengths, nearest } = edge;
  const [a, b, c, d] = vectors;
  if (lengths[1] < Infinity) {
    const near = Array.from({ length: CORNERS }, (_, k) => NEAREST * (Math.PI / 2 / NEAREST) ** (k / (CORNERS - 1)));
    const even = Array.from({ length: CORNERS + 1 }, (_, k) => -Math.PI + (2 * Math.PI * k) / CORNERS);
    const angles = [...even, ...near.flatMap((angle) => [nearest - angle, nearest + angle])].sort((u, v) => u - v);
    const at = (/** @type {number} */ angle) => [lengths[0] * Math.cos(angle), lengths[1] * Math.sin(angle)];
    const units = angles.map(at);
    return {
      x: units.map(([u, v]) => middle[0] + a * u + b * v),
      y: units.map(([u, v]) => middle[1] + c * u + d * v),
    };
  }
  // In the columns of `vectors`: away from the lines, and along them.
  const share = b * (x - middle[0]) + d * (y - middle[1]);
  const reach = BEYOND * half;
  const ends = [1, -1].flatMap((sign) => [
    ...[-reach, reach].map((step) => [
      middle[0] + b * (share + step) + sign * lengths[0] * a,
      middle[1] + d * (share + step) + sign * lengths[0] * c,
    ]),
    ...(sign > 0 ? [[NaN, NaN]] : []),
  ]);
  return { x: ends.map(([u]) => u), y: ends.map(([, v]) => v) };
}

/** @param {Fields} fields */
function lambdas({ path, screening: { total }, settings: { ratio }, words }) {
  const last = Object.fromEntries(
    Object.entries(path).map(([name, values]) => [name, /** @type {any} */ (values)[values.length - 1]]),
  );
  const { nonzero: _, ...columns } = path;
  return {
    sources: {
      lambdas: Object.fromEntries(
        Object.entries(columns).map(([name, values]) => [name, Array.from(/** @type {ArrayLike<number>} */ (values))]),
      ),
    },
    ranges: [
      ["range", "path_x", 1.1, Math.min(0.5, 0.9 * ratio)],
      ["range", "path_y", -0.04 * total, 1.06 * total],
    ],
    sentences: { path: words.say("path_line", last) },
  };
}
