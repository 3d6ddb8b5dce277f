// @ts-check
// The functions that Python printed of a derivation's formulas, which a page's frame evaluates.

/** @type {Map<string, Record<string, (...numbers: any[]) => number>>} */
const COMPILED = new Map();
const MOST = 40;

/**
 * Returns the functions of a printed script by name; each script is compiled once.
 * @param {{ script: string, functions: string[] }} answer
 * @returns {Record<string, (...numbers: any[]) => number>}
 */
export function compiled({ script, functions }) {
  const known = COMPILED.get(script);
  if (known) return known;
  const made = new Function(`"use strict";\n${script}\nreturn { ${functions.join(", ")} };`)();
  if (COMPILED.size >= MOST) COMPILED.clear();
  COMPILED.set(script, made);
  return made;
}
