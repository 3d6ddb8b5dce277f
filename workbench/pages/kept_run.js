// A file with one run whose certificates are kept, as kept_rows.js has them.

class KeptRun extends kept(LivePage) {
  // A run makes `most` steps until one presses again.
  constructor(page, model, engine, most) {
    super(page, model, engine);
    this.most = most;
  }

  ask(type) { return this.go(type); }

  toggle() {
    if (!this.playing) return this.run();
    this.pressed();
    return this.soon();
  }

  seek(place) {
    if (this.rows.length) this.look_back(place);
  }

  hear() {}
}
