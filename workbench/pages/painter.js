// Drawing at the browser's pace, of whatever runs in it.

// What extends it has `asked`, which tells one thing that is drawn from the next, `paint(asked)` and `refuse(error, turn)`.
class Painter {
  // Draws once the browser has time; what comes meanwhile is drawn next.
  async soon() {
    this.due = true;
    if (this.drawing) return;
    this.drawing = true;
    while (this.due) {
      this.due = false;
      const { turn } = this;
      try {
        await this.paint(this.asked);
      } catch (error) {
        this.refuse(error, turn);
      }
      await this.between();
    }
    this.drawing = false;
    this.keep();
  }

  // What is waited for after each picture, and what is done once there is none left to draw.
  between() {}

  keep() {}
}

function painted() { return new Promise((done) => requestAnimationFrame(() => setTimeout(done))); }
