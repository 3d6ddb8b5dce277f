// The sliders and the other controls of a page.

import { numeralsOf } from "./figures.js";

// The sliders of the page: Bokeh's, Panel's, and those of a file. Each has ends, a value, its text, and can be set.
export function allSliders() {
  const models = Bokeh.documents.flatMap((each) => [...each._all_models.values()]);
  const found = [];
  for (const model of models) {
    if (model.type === "Slider" && !Bokeh.index.find_one(model)) continue;
    if (model.type === "Slider") {
      const { title: label, start, end, step, value } = model;
      found.push({
        label,
        start,
        end,
        step,
        value,
        text: numeralsOf(value),
        set: (/** @type {any} */ to) => {
          model.value = to;
        },
      });
    } else if (/Slider/.test(model.esm_constants?.[0] ?? model.class_name ?? "") || isPanelSlider(model)) {
      const { data } = model;
      const listed = Array.isArray(data.options) && data.options.length ? data.options : null;
      if (data.visible === false || data.disabled) continue;
      const [start, end, step] = listed
        ? [0, listed.length - 1, 1]
        : [data.start, data.end, data.step ?? (data.end - data.start) / 100];
      found.push({
        label: data.label ?? data.name,
        start,
        end,
        step,
        value: data.value,
        text: listed ? String(listed[data.value]) : numeralsOf(data.value),
        set: (/** @type {any} */ to) => data.setv({ value: to, value_throttled: to }),
      });
    }
  }
  for (const input of /** @type {any} */ (document.querySelectorAll(".x-control input[type=range]"))) {
    const label = input.labels?.[0]?.textContent.trim() ?? input.getAttribute("aria-label") ?? input.name;
    found.push({
      label,
      start: Number(input.min),
      end: Number(input.max),
      step: Number(input.step) || 1,
      value: Number(input.value),
      text: input.getAttribute("aria-valuetext") ?? input.value,
      set: (/** @type {any} */ to) => {
        input.value = to;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      },
    });
  }
  return found;
}

// The settings by their labels: sliders, and lists, fields and switches with what is chosen.
export function allSettings() {
  const found = new Map();
  /** @param {string} label @param {string} text @param {string} [said] */
  const add = (label, text, said = text) => found.set(label, { text, said });
  /** @param {string} label @param {number} value */
  const put = (label, value) =>
    label && add(label, String(value), typeof value === "boolean" ? `${label} ${value ? "on" : "off"}` : String(value));
  for (const model of Bokeh.documents.flatMap((each) => [...each._all_models.values()])) {
    const { data } = model;
    // A button has the value `true` for the moment of its press.
    if (
      data &&
      !("clicks" in data) &&
      ["string", "boolean"].includes(typeof data.value) &&
      data.visible !== false &&
      !data.disabled
    )
      put(data.label || data.name, data.value);
    if (model.type === "Toggle" && Bokeh.index.find_one(model)) put(model.label, model.active);
  }
  for (const list of /** @type {any} */ (document.querySelectorAll(".x-control select, #x-entry")))
    put(list.labels?.[0]?.textContent.trim() ?? list.name, list.selectedOptions[0].textContent);
  for (const { label, text } of allSliders())
    add(label, text, `${/^\S{1,2}(?=[ ,:]|$)/.exec(label)?.[0].replace(/[,:]$/, "") ?? label} = ${text}`);
  return found;
}

/** @param {{ data: any }} fields */
function isPanelSlider({ data }) {
  return Boolean(
    data && "value_throttled" in data && "start" in data && typeof data.value === "number" && "tooltips" in data,
  );
}
