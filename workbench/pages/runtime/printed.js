// The functions that `workbench.conjugates.derivations.sketches` printed for a drawing; each drawing is a module of its own.

/** @type {Record<string, any>} */
export const printed = {};

/**
 * What draws, once it has these functions.
 * @param {any} draw
 */
export function drawnBy(draw) {
  return (/** @type {any} */ functions) => {
    Object.assign(printed, functions);
    return draw;
  };
}
