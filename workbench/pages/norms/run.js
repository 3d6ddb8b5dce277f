// What the page of norms does alike in a file and on a server: steps in the worker, each with its gaps, and what one picture
// shows of them.
//
// What extends it has the `engine`, `settings`, and `samples(settings)`: names, groups and group_names of the features.

// Steps of a press of "10 steps", and those that a run makes until one presses again.
const AT_ONCE = 10, MOST_STEPS = 2000;

const norm_run = (Page) => class extends Page {
  looks({ intercept, best, ...settings }) { return { best: intercept && best, plane: this.plane(settings) }; }

  // Two different features of those that there are.
  plane({ first, second, ...settings }) {
    const size = this.samples(settings).names.length, one = Math.min(first, size - 1), other = Math.min(second, size - 1);
    return [one, one === other ? (one + 1) % size : other];
  }

  count_of(type) { return type === "step" ? 1 : AT_ONCE; }

  // Single steps first, later ever more for each picture.
  pace({ count }) { return count ?? 1 + Math.floor(this.at / AT_ONCE); }

  further({ from, limit, tolerance, count }) {
    const most = Math.min(this.pace({ count }), limit === null ? Infinity : limit - from);
    const asked = { from, tolerance, count: most, hurries: count === null };
    return this.engine.ask("norm_steps", { ...asked, ...this.looks(this.settings) });
  }

  // What one picture shows of the present row, where `lab` has lam, largest, is_norm and free; null where another problem
  // was asked for meanwhile.
  async seen(lab) {
    const { asked, at, settings } = this, { names, ...samples } = this.samples(settings);
    const { step } = this.rows[at], looks = this.looks(settings);
    if (this.picture?.row.step !== step || String(this.picture.plane) !== String(looks.plane)) {
      const { picture } = await this.engine.ask("norm_picture", { step, ...looks });
      if (asked !== this.asked) return null;
      this.picture = picture;
    }
    const { picture } = this, rows = [...this.rows.slice(0, at), picture.row];
    return {
      ...lab, rows, last: this.rows.at(-1).step, picture, weights: grouped({ names, ...samples }, picture.w),
      names: looks.plane.map((j) => names[j]), halving: settings.halving,
    };
  }
};

// The weights in the order of their groups, with the group of each.
function grouped({ groups, group_names, names }, w) {
  const order = groups.flat(), of = groups.flatMap((members, g) => members.map(() => g));
  return {
    place: order.map((_, k) => k), weight: order.map((j) => w[j]), name: order.map((j) => names[j]),
    group: of.map((g) => group_names[g]), odd: of.map((g) => g % 2),
    alive: groups.filter((members) => members.some((j) => w[j] !== 0)).length, groups: groups.length,
  };
}
