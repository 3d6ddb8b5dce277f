// @ts-check
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
  /**
   * @param {HTMLElement} element
   * @param {(sample: number | null) => void} light
   */
  constructor(element, light) {
    this.root = document.createElement("div");
    this.root.innerHTML = GAUGE_MARKUP;
    element.append(this.root);
    /** @param {string} name @returns {any} */
    const part = (name) => this.root.querySelector(name);
    this.fold = part("details");
    this.formula = part("[data-html=formula]");
    this.terms = part("[data-html=terms]");
    this.written = "";
    this.isDrawn = false;
    this.terms.addEventListener("mouseover", (/** @type {{ target: any }} */ { target }) => {
      const sample = target.closest("[data-sample]")?.dataset.sample;
      light(sample === undefined ? null : Number(sample));
    });
    this.terms.addEventListener("mouseleave", () => light(null));
  }

  /**
   * Straight into the elements, so that they glide and the fold stays as it was; nothing of it is seen while that is closed.
   * @param {any} gauge
   */
  draw(gauge) {
    if (!this.fold.open && this.isDrawn) return;
    this.isDrawn = true;
    for (const element of /** @type {NodeListOf<HTMLElement>} */ (this.root.querySelectorAll("[data-text]"))) {
      const text = gauge[element.dataset.text ?? ""] ?? "…";
      if (element.textContent !== text) element.textContent = text;
    }
    if (!gauge.axis) return;
    for (const track of /** @type {NodeListOf<any>} */ (this.root.querySelectorAll("[data-track]"))) {
      const [dual, primal] = gauge[track.dataset.track];
      const [fog, below, above] = track.children;
      Object.assign(fog.style, { left: `${dual}%`, width: `${primal - dual}%` });
      below.style.left = `${dual}%`;
      above.style.left = `${primal}%`;
      // An end beyond the axis is not drawn.
      [below.hidden, above.hidden] = gauge.open;
    }
    const [start, end] = gauge.window;
    this.root.querySelector("polygon")?.setAttribute("points", `${start},0 ${end},0 100,10 0,10`);
  }

  /** @param {string} html */
  write(html) {
    if (this.written === html) return;
    this.terms.innerHTML = this.written = html;
  }

  /**
   * Marks the row of the sample that is lit.
   * @param {number | null} sample
   */
  mark(sample) {
    for (const row of this.terms.querySelectorAll("[data-sample]"))
      row.classList.toggle("lit", row.dataset.sample === String(sample));
  }
}
