// @ts-check
// The surface of the saddle, an image whose array stays: it knows its two sides.

/** The share of the heights that the colours tell apart. */
const SHARE = 0.8;

/**
 * Fills the image, and has the colours reach as far as most of its heights.
 * @param {any} figures
 * @param {{ weight: number[], dual: number[], surface: number[][] }} saddle
 */
export function fillSurface(figures, { weight, dual, surface }) {
  const source = figures.of("sources", "surface");
  const { image } = source.data;
  const flat = surface.flat();
  image[0].set(flat);
  const [left, right, low, high] = [weight[0], weight[weight.length - 1], dual[0], dual[dual.length - 1]];
  source.setv({ data: { image, x: [left], y: [low], dw: [right - left], dh: [high - low] } });
  source.change.emit();
  const height = quantile(flat.filter(Number.isFinite).map(Math.abs), SHARE) || 1;
  figures.of("mappers", "heights").setv({ low: -height, high: height });
}

/**
 * @param {number[]} values
 * @param {number} share
 */
function quantile(values, share) {
  if (!values.length) return 1;
  const sorted = values.sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const under = Math.floor(place);
  const above = sorted[Math.min(under + 1, sorted.length - 1)];
  return sorted[under] + (place - under) * (above - sorted[under]);
}
