// The point that a hand moves over the saddle, its way up to the best α and along to the best w, and the three values.

// The value of a column at a place between those of an axis, which are evenly spaced.
function between(column, axis, at) {
  const reached = (at - axis[0]) / (axis[1] - axis[0]), k = Math.min(Math.max(Math.floor(reached), 0), axis.length - 2), share = reached - k;
  return share === 0 ? column[k] : (1 - share) * column[k] + share * column[k + 1];
}

function signed(value) { return `${value < 0 ? "" : "+"}${value.toPrecision(3)}`.replaceAll("-", "−"); }

export default function move({ plot, surface, valley, ridge, star, hand, best }, origin) {
  const [weights, duals] = [ridge.data.weight, valley.data.dual].map((each) => Array.from(each));
  if (weights.length < 2 || duals.length < 2) return;
  const is_inside = (value, axis) => value >= axis[0] && value <= axis.at(-1), [w_now] = hand.data.weight, [a_now] = hand.data.dual;
  const first = weights[0] + 0.3 * (weights.at(-1) - weights[0]), up_to = (w) => between(ridge.data.dual, weights, w);
  // A new window begins with a point of its own, where R is finite.
  const begun = [first, 0.5 * (up_to(first) + star.data.dual[0])], stays = is_inside(w_now, weights) && is_inside(a_now, duals);
  const [w, a] = origin.event_name ? [origin.x, origin.y] : stays ? [w_now, a_now] : begun;
  const image = Array.from(surface.data.image[0]), wide = weights.length;
  const R = between(duals.map((_, k) => between(image.slice(k * wide, (k + 1) * wide), weights, w)), duals, a);
  const P = between(ridge.data.most, weights, w), least = between(valley.data.least, duals, a);
  hand.data = { weight: [w], dual: [a] };
  best.data = { weight: [w, w, between(valley.data.weight, duals, a)], dual: [up_to(w), a, a] };
  // Beyond the domain of k, R is minus infinity; the best w of an α may lie beyond the window.
  const lower = Number.isNaN(R) ? "R −∞" : `R ${signed(R)} ≥ −D${Number.isNaN(least) ? "" : ` ${signed(least)}`}`;
  plot.title.text = `Above ☆: P ${signed(P)} ≥ ${lower}`;
}
