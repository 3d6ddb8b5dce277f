// A message of the served page's own: the state of a run, with which the server goes on; a certificate's dual variables
// meet the constraint, those of the run only at its end.
Engine.TYPES.state = [false, []];

Engine.prototype.state = function state({ id }) {
  const { alpha, s, moved, numbers } = this.solver.state;
  const multiplier = Float64Array.of(s.view[0], moved.view[0], ...numbers.view);
  this.answer(id, "state", { step: this.steps, alpha: alpha.copy(), multiplier });
};
