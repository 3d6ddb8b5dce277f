// What a message to the engine may hold.

/**
 * A run that begins at given dual variables, each moved into the domain of its conjugate.
 * @param {any} run @param {any} alpha @param {number} n
 */
export function beginAt(run, alpha, n) {
  if (!run.begin) throw new Error("problem: alpha is taken by gauss-seidel alone; leave it out");
  if (alpha.length !== n) throw new Error(`problem: alpha has ${alpha.length} entries; give ${n}, one a sample`);
  if (!alpha.every(Number.isFinite))
    throw new Error("problem: alpha has an entry that is not a finite number; give numbers");
  run.begin(alpha);
}

/** @param {number} value @param {string} type @param {string} name @param {number} least @param {number} [most] */
export function whole(value, type, name, least, most = Infinity) {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const end = most < Infinity ? ` and at most ${most}` : "";
  throw new Error(`${type}: ${name} = ${value} is not a whole number of at least ${least}${end}`);
}

/** @param {any} message @param {any} known */
export function checkFields(message, known) {
  const unknown = Object.keys(message).find((name) => !known.includes(name));
  if (unknown)
    throw new Error(`${message.type}: ${unknown} is not known; use ${known.slice(3).join(", ") || "no fields"}`);
}
