// The served page on SVM gaps in the browser: its runs, and the solution for each place of a point in hand.

// What the browser does itself while it has the points; their other events are the server's.
const GESTURES = ["panstart", "pan", "panend"];

class ServedRun extends LentRun {
  async hold({ problem, solver, grid, plane, looks, most }) {
    const { packed, kernels, functions } = this, facts = await opened(problem), plot = by_id(plane);
    Object.assign(this, { looks, plot, begun: 0, figures: new SvmFigures(by_id, this.ids, this.texts, looks) });
    this.hand ??= new Hand(this, plot, { half_width: looks.half_width, most });
    this.run = new PairRun({
      engine: this.engine, second: () => WorkbenchEngine.start({ ...packed, problem }), facts, solver, grid,
      half_width: looks.half_width, changed: () => this.soon(), failed: (error) => this.refuse(error),
    });
    await this.engine.ask("data", { kernels, functions, ...facts });
  }

  close() {
    super.close();
    this.run?.other?.close();
  }

  // A problem at zero or, by the same steps, where the server has left it; `rows` are what is known of them.
  start({ X, y, rows, hands, ...posed }) {
    const points = Array.from({ length: y.length }, (_, i) => [X[2 * i], X[2 * i + 1]]);
    Object.assign(this, { asked: ++this.begun, hands, posed: { ...posed, X: points, y }, is_dragged: false });
    this.hand.forget();
    for (const name of GESTURES) this.plot.subscribed_events.delete(name);
    this.begins = this.run.begin(this.posed, { rows: read_rows(rows, ROW) }).catch((error) => this.refuse(error));
  }

  halt() { this.run.pressed(); }

  leave() {
    super.leave();
    this.hand.forget();
    for (const name of GESTURES) this.plot.subscribed_events.add(name);
  }

  // Once the problem has begun, unless another one has by then; before that there is nothing to draw of it.
  async press(order) {
    const { asked } = this, orders = {
      run: () => this.run.run(this.tolerance), step: () => this.run.step(1), epoch: () => this.run.step(AT_ONCE),
    };
    this.pressing = true;
    await this.begins;
    if (asked !== this.asked) return;
    this.pressing = false;
    if (this.still) return;
    this.run.is_slow = this.slow;
    (orders[order] ?? (() => this.run.pause()))();
  }

  // --- points by hand

  get present() { return this.asked === Infinity || this.pressing ? null : this.run.lab; }

  take_hands({ hands }) { this.hands = hands; }

  async move({ X, y }) {
    const { asked, turn } = this;
    try {
      if (asked === Infinity) return;
      this.is_dragged = true;
      if (await this.run.begin({ ...this.posed, X, y }, { tolerance: this.tolerance }) && asked === this.asked) await this.paint(asked);
    } catch (error) {
      this.refuse(error, turn);
    }
  }

  // The server has the last word on what the points are.
  let_go(edited, is_full) { this.send({ points: write_points(edited, this.looks.half_width), full: is_full }); }

  // --- the picture

  async paint(asked) {
    const { run, turn, sought } = this;
    if (asked !== this.asked || this.pressing || this.still) return;
    if (sought !== null && run.rows.length) {
      this.sought = null;
      const place = Math.min(sought, run.rows.length - 1);
      run.pressed();
      await run.fill(place);
      if (asked !== this.asked || this.still) return;
      run.seek(place);
    }
    const { frame } = run, { lab, status, ended } = run, rests = status !== "running" && !run.waiting && !this.is_dragged;
    this.figures.show(frame);
    document.body.dataset.engine = "browser";
    if (rests || performance.now() - this.spoken > READ_MS) {
      this.speak(frame, status);
      this.stand(run.rows, frame.step, "step");
    }
    if (!rests) return;
    const { step, a, event } = frame, alpha = a.map((value, i) => (lab.y[i] * value) / lab.C);
    // The server draws no more of them either.
    const rows = flat_rows(spread(run.at + 1, MOST_POINTS).map((k) => run.rows[k]), ROW);
    this.report(turn, { step, status: ended, alpha, rows, event });
  }

  between() { return painted(); }

  speak(frame, status) {
    const { step: steps, found: { gap, violation } } = frame, said_of = this.is_dragged ? "dragging" : status;
    const sentence = this.figures.say(said_of, { steps, gap, violation });
    this.write(this.figures.captions(frame), this.figures.statistics(frame), sentence);
  }
}
