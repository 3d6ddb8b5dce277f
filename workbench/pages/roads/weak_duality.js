// The point that a hand moves over the saddle, its way up to the best α and along to the best w, and the three values.

/**
 * The value of a column at a place between those of an axis, which are evenly spaced.
 * @param {any} column @param {number[]} axis @param {any} at
 */
function between(column, axis, at) {
  const reached = (at - axis[0]) / (axis[1] - axis[0]);
  const k = Math.min(Math.max(Math.floor(reached), 0), axis.length - 2);
  const share = reached - k;
  return share === 0 ? column[k] : (1 - share) * column[k] + share * column[k + 1];
}

/** @param {number} value */
function signed(value) {
  return `${value < 0 ? "" : "+"}${value.toPrecision(3)}`.replaceAll("-", "−");
}

/**
 * @param {{ plot: any, surface: any, valley: any, ridge: any, star: any, hand: any, best: any }} fields
 * @param {any} origin
 */
export default function move({ plot, surface, valley, ridge, star, hand, best }, origin) {
  const [weights, duals] = [ridge.data.weight, valley.data.dual].map((each) => Array.from(each));
  if (weights.length < 2 || duals.length < 2) return;
  /** @param {number} value @param {number[]} axis */
  const isInside = (value, axis) => value >= axis[0] && value <= /** @type {any} */ (axis.at)(-1);
  const [wNow] = hand.data.weight;
  const [aNow] = hand.data.dual;
  const first = weights[0] + 0.3 * (weights.at(-1) - weights[0]);
  /** @param {any} w */
  const upTo = (w) => between(ridge.data.dual, weights, w);
  // A new window begins with a point of its own, where R is finite.
  const begun = [first, 0.5 * (upTo(first) + star.data.dual[0])];
  const stays = isInside(wNow, weights) && isInside(aNow, duals);
  const [w, a] = origin.event_name ? [origin.x, origin.y] : stays ? [wNow, aNow] : begun;
  const image = Array.from(surface.data.image[0]);
  const wide = weights.length;
  const R = between(
    duals.map((_, k) => between(image.slice(k * wide, (k + 1) * wide), weights, w)),
    duals,
    a,
  );
  const P = between(ridge.data.most, weights, w);
  const least = between(valley.data.least, duals, a);
  hand.data = { weight: [w], dual: [a] };
  best.data = { weight: [w, w, between(valley.data.weight, duals, a)], dual: [upTo(w), a, a] };
  // Beyond the domain of k, R is minus infinity; the best w of an α may lie beyond the window.
  const lower = Number.isNaN(R) ? "R −∞" : `R ${signed(R)} ≥ −D${Number.isNaN(least) ? "" : ` ${signed(least)}`}`;
  plot.title.text = `Above ☆: P ${signed(P)} ≥ ${lower}`;
}
