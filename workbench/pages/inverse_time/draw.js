// Training samples in the worker, as `data/examples/gaussians.py` draws them: NumPy's PCG64 and its normal numbers.

// The multiplier of the generator as eight digits of 16 bits, the lowest first.
const MULTIPLIER = Float64Array.of(0xf645, 0x9fcc, 0xdf64, 0x4385, 0x5da4, 0x1fc6, 0xed05, 0x2360);
const DIGIT = 65536;
const TAIL = 3.6541528853610088;
const HALF_DOUBLE = 2 ** 53;

class Drawing {
  /** @type {any} */ s;
  /** @type {any} */ increment;
  /** @type {any} */ nextS;
  /** @type {any} */ strips;
  /** @type {any} */ low;
  /** @type {any} */ high;

  /**
   * `state` and `increment` of 32 hexadecimal digits; `strips` (256,) are the strips of the ziggurat, over 2^52.
   * @param {any[]} place @param {any} strips
   */
  constructor([state, increment], strips) {
    /** @param {string} text */
    const digits = (text) =>
      Float64Array.from({ length: 8 }, (_, k) => parseInt(text.slice(28 - 4 * k, 32 - 4 * k), 16));
    this.s = digits(state);
    this.increment = digits(increment);
    this.nextS = new Float64Array(8);
    this.strips = strips;
  }

  // Sixty-four bits into `high` and `low`.
  next() {
    const { s, increment, nextS } = this;
    let carry = 0;
    for (let k = 0; k < 8; k++) {
      let sum = increment[k] + carry;
      for (let j = 0; j <= k; j++) sum += s[j] * MULTIPLIER[k - j];
      carry = Math.floor(sum / DIGIT);
      nextS[k] = sum - carry * DIGIT;
    }
    [this.s, this.nextS] = [nextS, s];
    let low = ((nextS[0] ^ nextS[4]) | ((nextS[1] ^ nextS[5]) << 16)) >>> 0;
    let high = ((nextS[2] ^ nextS[6]) | ((nextS[3] ^ nextS[7]) << 16)) >>> 0;
    let turn = nextS[7] >>> 10;
    if (turn >= 32) [low, high, turn] = [high, low, turn - 32];
    this.low = turn ? ((low >>> turn) | (high << (32 - turn))) >>> 0 : low;
    this.high = turn ? ((high >>> turn) | (low << (32 - turn))) >>> 0 : high;
  }

  uniform() {
    this.next();
    return (this.high * 2 ** 21 + (this.low >>> 11)) / HALF_DOUBLE;
  }

  // Marsaglia and Tsang's ziggurat of 256 strips.
  normal() {
    const { strips } = this;
    for (;;) {
      this.next();
      const { low, high } = this;
      const strip = low & 255;
      const sign = (low >>> 8) & 1;
      const part = ((high >>> 9) & 0xfffff) * 2 ** 32 + (((low >>> 9) | (high << 23)) >>> 0);
      const x = sign ? -part * strips[strip] : part * strips[strip];
      if (part < this.inside[strip]) return x;
      if (strip === 0) {
        for (;;) {
          const beyond = -Math.log1p(-this.uniform()) / TAIL;
          const y = -Math.log1p(-this.uniform());
          if (y + y > beyond * beyond) return (part >>> 8) & 1 ? -(TAIL + beyond) : TAIL + beyond;
        }
      }
      const [above, below] = [this.density[strip - 1], this.density[strip]];
      if ((above - below) * this.uniform() + below < Math.exp(-0.5 * x * x)) return x;
    }
  }

  // The part of each strip that lies under the next one, over 2^52, and the density at the end of each.
  get inside() {
    const { strips } = this;
    /** @param {number} k */
    const share = (k) => (k === 0 ? strips[255] / strips[0] : k === 1 ? 0 : strips[k - 1] / strips[k]);
    return this.keep(
      "inside",
      Float64Array.from(strips, (_, k) => Math.floor(share(k) * 2 ** 52)),
    );
  }

  get density() {
    return this.keep(
      "density",
      this.strips.map((/** @type {any} */ strip, /** @type {number} */ k) =>
        k === 0 ? 1 : Math.exp(-0.5 * (strip * 2 ** 52) ** 2),
      ),
    );
  }

  /** @param {string} name @param {any} value */
  keep(name, value) {
    Object.defineProperty(this, name, { value });
    return value;
  }
}

/**
 * m samples of two Gaussians: rows of the design one after another, and the classes.
 * @param {{ mean: any, deviation: any }} fields @param {number} m @param {any} state @param {any} strips
 */
export function twoGaussians({ mean, deviation }, m, state, strips) {
  const drawing = new Drawing(state, strips);
  const d = mean.length;
  const values = new Float64Array(m * d);
  const y = Float64Array.from({ length: m }, () => (drawing.uniform() < 0.5 ? 1 : -1));
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < d; j++) values[i * d + j] = y[i] * mean[j] + deviation[j] * drawing.normal();
  }
  return { values, y, d };
}
