// A run of PGS in the worker, each of its certificates kept.

// Steps that a run makes until one presses again.
const MOST_STEPS = 2 ** 17;

const paced = (Page) => class extends Page {
  count_of(type) { return type === "step" ? 1 : this.lab.epoch; }

  pace() { return 1; }

  further(request) { return this.engine.ask("paced_steps", request); }
};
