// The figures, sliders and pins of a document that is one page: what stands around its projector.

import { deep } from "./deep.js";
import { cardAround, cardOf, figureNames, headOf } from "./figures.js";
import { watchPaint } from "./own_bokeh.js";
import { allSettings, allSliders } from "./page_controls.js";
import { Pins } from "./pins.js";
import { NOTHING_TO_PIN, Projector } from "./projector.js";
import { figures } from "./save.js";

const stage = {
  names: figureNames,
  headOf,
  cardOf,
  plotOf: figures,
  sliders: allSliders,
  cardTitled: (/** @type {string} */ title) =>
    cardAround(deep(".wb-card-title").find((each) => each.textContent === title)),
  title: () => document.title.split(" · ")[0],
  /** @param {HTMLElement} box */
  stand(box) {
    document.body.append(box);
    document.body.classList.add("wb-projector");
  },
  // Panel makes boxes of its own visible, whatever those around them are.
  settle() {
    for (const each of deep("[style*='visibility: visible']"))
      if (!each.style.position) each.style.visibility = "inherit";
  },
  leave() {
    openProjector = null;
    document.body.classList.remove("wb-projector");
  },
};

// The projector that stands, if one does.
/** @type {any} */
export let openProjector = null;

/** @param {any} page */
export function putProjector(page) {
  openProjector = new Projector(page, stage);
  return openProjector;
}

export const pins = new Pins({
  plotOf: figures,
  headOf,
  settings: allSettings,
  changed: () => openProjector?.composeSoon(),
});

/** @param {HTMLButtonElement} button */
export function pinCurves(button) {
  const text = button.textContent;
  if (pins.pin(button.dataset.figure)) return;
  button.textContent = NOTHING_TO_PIN;
  setTimeout(() => {
    button.textContent = text;
  }, 1600);
}

/** @param {HTMLButtonElement} button */
export function unpinCurves(button) {
  pins.unpin(button.dataset.figure);
}

try {
  watchPaint(Bokeh, ({ model }) => {
    openProjector?.painted(model);
    pins.painted(model);
  });
} catch {
  // Another version of Bokeh: names stay where they were first, and pins in the figure that has them.
}
