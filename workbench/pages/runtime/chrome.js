// What Panel's template and Material leave to do: drawers, names and roles, where the first stops of the Tab key lead.

import { deep } from "./deep.js";
import { cardOf, figureNames } from "./figures.js";
import { STOPS, setStops } from "./stops.js";

// The drawer with all controls, over the projector.
export function turnControls() {
  const drawers = deep(".MuiDrawer-root, .MuiDrawer-paper");
  const isOpen = drawers.some((each) => each.style.visibility === "visible");
  turnDrawer(!isOpen);
  for (const each of drawers) {
    if (isOpen) each.style.removeProperty("visibility");
    else each.style.setProperty("visibility", "visible", "important");
    if (each.matches(".MuiDrawer-paper")) each.style.setProperty("width", isOpen ? "" : "18rem", "important");
  }
}

// The sheet with the controls is as low as the window; the page goes to the figure that stays above it.
// While the page opens, a drawer may be on its way out.
let hadSheet = true;

export function showPinned() {
  const hasSheet = innerWidth <= 600 && deep(".MuiModal-root .MuiDrawer-paper").some((each) => each.checkVisibility());
  if (hasSheet && !hadSheet) cardOf(figureNames()[0])?.scrollIntoView({ block: "start" });
  hadSheet = hasSheet;
}

/**
 * A drawer over the page would hide it on a telephone.
 * @param {boolean} isOpen
 */
export function turnDrawer(isOpen) {
  for (const document of Bokeh.documents) {
    for (const { data } of document._all_models.values()) {
      if (data && "sidebar_open" in data) data.sidebar_open = isOpen;
    }
  }
}

/**
 * Opens the drawer at the control of this name.
 * @param {{ dataset: { control: any } }} fields
 */
export function reach({ dataset: { control } }) {
  turnDrawer(true);
  setTimeout(() => {
    const label = deep("label").find((each) => each.textContent.trim() === control);
    label?.scrollIntoView({ block: "center" });
    label?.querySelector("input")?.focus({ preventScroll: true });
  }, NAMED_MS);
}

export const NAMED_MS = 300;

// What Material leaves without a name or a role for those who hear the page.
export function nameChrome(/** @type {any} */ root = document) {
  for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) nameChrome(element.shadowRoot);
    if (element.matches(".MuiDrawer-paper[role=dialog]:not([aria-label])"))
      element.setAttribute("aria-label", "Controls");
    if (element.matches("h5") && !element.textContent.trim()) element.hidden = true;
    if (element.matches("[role=progressbar]:not([aria-label])")) element.setAttribute("aria-label", "Busy");
    if (element.matches("[aria-label='Resize sidebar']:not([role])")) element.setAttribute("role", "separator");
  }
}

// Where the first stops of the Tab key lead: to the first that shows of what can be reached there.
/** @type {Record<string, any>} */
const PLACES = {
  controls: [".sidebar", STOPS],
  figures: [".main-content", ".wb-save button, .wb-hand"],
  explanations: [".wb-aside", STOPS],
  menu: ["header", STOPS],
};

/** @param {{ dataset: { to: any } }} fields */
export function skip({ dataset: { to } }) {
  const isLater = to === "later controls";
  const isDrawn = isLater || to === "controls";
  const [place, stops] = PLACES[isDrawn ? "controls" : to];
  if (isDrawn) turnDrawer(true);
  setTimeout(
    () => {
      setStops();
      const [root] = deep(place);
      const found = deep(stops, root.shadowRoot ?? root).filter(
        (each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }),
      );
      found[isLater ? found.length >> 1 : 0]?.focus();
    },
    isDrawn ? NAMED_MS : 0,
  );
}

// The window itself does not scroll: its keys are for what has the focus.
export function focusMain() {
  const [main] = deep(".main-content");
  if (!main || document.activeElement !== document.body) return;
  Object.assign(main, { tabIndex: -1 }).style.outline = "none";
  main.focus({ preventScroll: true });
}
