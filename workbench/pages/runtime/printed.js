// The functions that `workbench.conjugates.derivations.sketches` printed for a drawing; each drawing is a module of its own.

export const printed = {};

// What draws, once it has these functions.
export function drawn_by(draw) {
  return (functions) => {
    Object.assign(printed, functions);
    return draw;
  };
}
