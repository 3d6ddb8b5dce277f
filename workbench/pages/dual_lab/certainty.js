// The formula with its numbers in one line, and behind it the gauge, two tracks with the interval that holds the optimum,
// and the sum that tells why it does.

const GAUGE_MARKUP = `
<details class="wb-certainty"><summary><span data-html="formula"></span><u data-text="why"></u></summary>
  <p data-text="sentence"></p>
  <div class="ends"><span data-text="low"></span><span data-text="axis_label"></span><span data-text="high"></span></div>
  <div class="track" data-track="axis"><i class="fog"></i><i class="end dual"></i><i class="end primal"></i></div>
  <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><polygon></polygon></svg>
  <div class="track" data-track="lens"><i class="fog"></i><i class="end dual"></i><i class="end primal"></i></div>
  <div class="ends"><b data-text="dual"></b><span data-text="lens_label"></span><b data-text="primal"></b></div>
  <div data-html="terms"></div>
</details>`;

// Gauge and table within an element; the table's rows and the points of the figures light each other.
export class Certainty {
  /** @type {any} */ root;
  /** @type {any} */ fold;
  /** @type {any} */ formula;
  /** @type {any} */ terms;
  /** @type {any} */ marked;
  /** @type {any} */ stated;
  /** @type {any} */ written;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.root = document.createElement("div");
    this.root.innerHTML = GAUGE_MARKUP;
    element.append(this.root);
    [this.fold, this.formula, this.terms] = ["details", "[data-html=formula]", "[data-html=terms]"].map((name) =>
      this.root.querySelector(name),
    );
    this.terms.addEventListener("mouseover", (/** @type {{ target: any }} */ { target }) => {
      const sample = target.closest("[data-sample]")?.dataset.sample;
      light(sample === undefined ? null : Number(sample));
    });
    this.terms.addEventListener("mouseleave", () => light(null));
    // The figures' models have come once the document stands; a signal takes the same slot once.
    this.marked = () => this.mark();
    if (!this.follow()) for (const each of Bokeh.documents) each.idle.connect(() => this.follow());
  }

  follow() {
    return named("lit")?.change.connect(this.marked);
  }

  /**
   * Straight into the elements, so that they glide and the fold stays as it was.
   * @param {any} gauge
   */
  draw(gauge) {
    for (const element of this.root.querySelectorAll("[data-text]")) {
      const text = gauge[element.dataset.text] ?? "…";
      if (element.textContent !== text) element.textContent = text;
    }
    if (!gauge.axis) return;
    for (const track of this.root.querySelectorAll("[data-track]")) {
      const [dual, primal] = gauge[track.dataset.track];
      const [fog, below, above] = track.children;
      Object.assign(fog.style, { left: `${dual}%`, width: `${primal - dual}%` });
      below.style.left = `${dual}%`;
      above.style.left = `${primal}%`;
      // An end beyond the axis is not drawn.
      [below.hidden, above.hidden] = gauge.open;
    }
    const [start, end] = gauge.window;
    this.root.querySelector("polygon").setAttribute("points", `${start},0 ${end},0 100,10 0,10`);
  }

  /**
   * The formula with the numbers of a certificate.
   * @param {string} html
   */
  state(html) {
    if (this.stated !== html) this.formula.innerHTML = this.stated = html;
  }

  /** @param {string} html */
  write(html) {
    if (this.written === html) return;
    this.terms.innerHTML = this.written = html;
    this.mark();
  }

  // The row of the sample that is lit.
  mark() {
    const sample = String(named("lit")?.data.sample[0]);
    for (const row of this.terms.querySelectorAll("[data-sample]"))
      row.classList.toggle("lit", row.dataset.sample === sample);
  }
}

/** @param {string} name */
function named(name) {
  return Bokeh.documents.map((document) => document.get_model_by_name(name)).find((model) => model);
}

/** @param {any} sample */
function light(sample) {
  named("light")?.execute(null, { sample });
}
