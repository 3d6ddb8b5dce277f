// Keyboard and address of a served page.

import { NAMED_MS, focusMain, nameChrome, reach, showPinned, skip, turnControls, turnDrawer } from "./chrome.js";
import { openProjector, pinCurves, pins, putProjector, unpinCurves } from "./document_stage.js";
import { LONGEST_STEP, chosenText, fromHash, hasCustomStory, readStory, storyText, toHash } from "./custom_story.js";
import { deep } from "./deep.js";
import { readFigures } from "./document_reading.js";
import { cardOf, figureNames, swap, unfold } from "./figures.js";
import { isWritten } from "./focus.js";
import { isTaken } from "./keys.js";
import { comeBack } from "./lost_server.js";
import { holdAllStill } from "./motion.js";
import { NOTHING_TO_PIN } from "./projector.js";
import { copy, download, embedCode, notebook, obey, save, toggle } from "./save.js";

/** @type {Record<string, any>} */
const SHORTCUTS = { " ": "space", ArrowRight: "right", r: "r" };

/** @type {Record<string, any>} */
const PRESSES = { space: "toggle", right: "step", r: "reset" };

/** @param {any} event @param {any} model */
function shortcut(event, model) {
  if ((event.ctrlKey || event.metaKey) && event.key === "z") return undo(event, model);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return closeHelp();
  if (event.key === "?") return isWritten(event) || toggleHelp(event);
  if (isTaken(event)) return;
  if (openProjector && onProjector(event, model)) return;
  if (moved(event)) return event.preventDefault();
  if (!(event.key in SHORTCUTS)) return;
  event.preventDefault();
  const name = SHORTCUTS[event.key];
  if (press(PRESSES[name])) model.send_msg({ key: name });
}

/**
 * A page's own undo, or the change before in the history of the page. In a field the browser undoes what was typed.
 * @param {any} event @param {any} model
 */
function undo(event, model) {
  const back = () => {
    if (history.state?.changes) history.back();
  };
  if (isWritten(event)) {
    const [field] = event.composedPath();
    const text = field.value;
    setTimeout(() => {
      if (field.value === text) back();
    }, TYPED_MS);
    return;
  }
  event.preventDefault();
  if (!press("undo")) return;
  if (model.undoes) model.send_msg({ key: "undo" });
  else back();
}

/**
 * A page that is drawn in the browser does it itself; whether nobody has.
 * @param {any} detail
 */
function press(detail) {
  return document.dispatchEvent(new CustomEvent("wb-press", { detail, cancelable: true }));
}

/**
 * Whether a run went a place back or on with an arrow.
 * @param {{ key: string }} fields
 */
function moved({ key }) {
  const detail = { ArrowLeft: -1, ArrowRight: 1 }[key];
  return detail !== undefined && !document.dispatchEvent(new CustomEvent("wb-move", { detail, cancelable: true }));
}

function closeHelp() {
  for (const help of deep("details.help[open]")) help.open = false;
}

/** @param {any} event */
function toggleHelp(event) {
  event.preventDefault();
  for (const help of deep("details.help")) help.open = !help.open;
}

// The figures that were chosen for the projector.
let chosen = "";

/**
 * The digits choose a figure for the left half, with Shift for the right one; whether the key was one of the projector's.
 * @param {any} event @param {any} model
 */
function onProjector(event, model) {
  const by = /** @type {Record<string, any>} */ ({ ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 })[event.key];
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  const name = digit && figureNames()[Number(digit) - 1];
  if (by) walk(model, by);
  else if (name) openProjector.choose(event.shiftKey ? 1 : 0, name);
  else if (!PROJECTOR_KEYS.some(([key]) => key === event.key)) return false;
  else pressOnProjector(event.key, model);
  event.preventDefault();
  return true;
}

const PROJECTOR_KEYS = [
  ["q", "Question", "the question"],
  ["p", "Pin", "pin the curves of both figures"],
  ["u", "", "unpin them"],
  ["a", "Add step", "keep this state and a sentence as a step of your own story"],
  ["c", "Controls", "all controls"],
  ["w", "Desk", "leave the projector"],
  ["f", "", "save your story"],
  ["o", "", "open a story"],
];
const UNSAID = "What is said at this step?";
const RESTORED_MS = 3000;

/** @param {string} key @param {any} model */
function pressOnProjector(key, model) {
  if (key === "q" && !openProjector.turnPanel("Predict first"))
    openProjector.say("This page has no question of its own.");
  if (key === "c") turnControls();
  if (key === "p" && !openProjector.shown.filter((/** @type {string} */ name) => pins.pin(name)).length)
    openProjector.say(NOTHING_TO_PIN);
  if (key === "u") openProjector.shown.forEach((/** @type {string} */ name) => pins.unpin(name));
  if (key === "a") addStep(model);
  if (key === "f" && hasCustomStory())
    download(new Blob([fromHash(location.hash)], { type: "application/json" }), `${pageName()}.story.json`);
  else if (key === "f") openProjector.say("There is no story of your own yet; “Add step” begins one.");
  if (key === "o") chosenText((text) => takeStory(model, text, true));
  if (key === "w") toggle({ dataset: { key: "projector", on: model.projector ? "on" : "off" } });
}

function pageName() {
  return location.pathname.split("/").at(-1);
}

/**
 * The present state as the next step of the lecturer's own story, which is in the address.
 * @param {any} model
 */
function addStep(model) {
  const caption = prompt(UNSAID)?.trim();
  if (!caption) return;
  const kept = hasCustomStory() ? steps : [];
  const search = new URL(location.href).search;
  const { shown } = openProjector;
  const text = storyText(pageName(), [...kept, { search, caption: caption.slice(0, LONGEST_STEP), figures: shown }]);
  const { steps: next, why } = readStory(text, pageName());
  if (next) {
    steps = next;
    step = steps.length;
    history.replaceState(history.state, "", toHash(text));
    showAddress(model);
  }
  openProjector.say(why || caption, `${step} / ${steps.length}`);
}

/**
 * A story of one's own in place of the page's, or a sentence where it is none; whether it is one.
 * @param {any} model @param {string} text @param {boolean} [isNew]
 */
function takeStory(model, text, isNew) {
  const { steps: found, why } = readStory(text, pageName());
  if (!found) openProjector.say(why);
  else [steps, step] = [found, Math.min(Math.max(step, 1), found.length)];
  if (found && isNew) {
    history.replaceState(history.state, "", toHash(text));
    step = 0;
    walk(model, 1);
  }
  return Boolean(found);
}

// The steps of the story: the page's, or the lecturer's own.
/** @type {any[]} */
let steps = [];

// The step of the story that is told, counted from 1, and what waits for its picture.
let step = 0;

/** @type {(words: string) => void} */
let restored = () => {};

/**
 * A step before or after: parameters move from where they are, and its caption comes with its picture.
 * @param {any} model @param {any} by
 */
async function walk(model, by) {
  const next = step + by;
  const entry = steps[next - 1];
  if (!entry) return;
  step = next;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  openProjector.halves.forEach((/** @type {any} */ half) => openProjector.capture(half));
  /** @param {string} words */
  const tell = (words) => openProjector.say(words, `${next} / ${steps.length}`);
  const done = new Promise((resolve) => {
    // A refusal that comes after its time is said all the same.
    restored = (words) => {
      resolve(words);
      if (words && step === next && openProjector) tell(words);
    };
    setTimeout(resolve, RESTORED_MS);
  });
  model.send_msg({ walk: entry.search, still });
  const refused = await done;
  if (step !== next || !openProjector) return;
  chosen = entry.figures.join(",");
  openProjector.names = entry.figures;
  openProjector.compose();
  tell(refused || entry.caption);
  showAddress(model);
}

/**
 * The state, and the figure that was chosen here; a change of the settings is one to which one may go back.
 * @param {any} model
 */
function showAddress(model) {
  const address = new URL(model.search || location.pathname, location.href);
  const changes = history.state?.changes ?? 0;
  if (chosen) address.searchParams.set("figure", chosen);
  if (step) address.searchParams.set("story", String(step));
  address.hash = location.hash;
  if (model.entry > entered && address.href !== location.href) history.pushState({ changes: changes + 1 }, "", address);
  else history.replaceState({ changes }, "", address);
  entered = model.entry;
}

// How many changes the history has.
let entered = 0;

/** @param {any} model */
function goBack(model) {
  if (model.restores) model.send_msg({ restore: location.search });
  else location.reload();
}

const WATCH_MS = 500;
const TYPED_MS = 50;

/** @param {any} model */
function putOnProjector(model) {
  ({ step, steps } = model);
  const pair = [...model.wanted.split(",").filter(Boolean), ...model.pair];
  const projector = putProjector({
    pair: [...new Set(pair)],
    said: model.said,
    keys: PROJECTOR_KEYS,
    press: (/** @type {string} */ key) => pressOnProjector(key, model),
    changed: (/** @type {string[]} */ names) => {
      chosen = names.join(",");
      showAddress(model);
    },
  });
  const isTold = !hasCustomStory() || takeStory(model, fromHash(location.hash));
  const entry = steps[step - 1];
  if (entry && isTold) projector.say(entry.caption, `${step} / ${steps.length}`);
  model.on("remove", () => projector.close());
}

// A telephone keeps the first figure in sight, above the sheet with the controls.
function pin() {
  if (innerWidth > 600) return;
  const card = cardOf(figureNames()[0]);
  if (card) Object.assign(card.style, { position: "sticky", top: "0", zIndex: 3 });
  else setTimeout(pin, 2 * WATCH_MS);
}

/**
 * The server makes the file, some of them within seconds.
 * @param {any} model @param {HTMLButtonElement} button
 */
function askFile(model, button) {
  button.disabled = true;
  const said = button.textContent;
  button.textContent = "It is being made …";
  taken = ({ file, name, refused }) => {
    Object.assign(button, { disabled: false, textContent: refused ?? said });
    if (file) download(new Blob([file], { type: "text/html" }), name);
  };
  model.send_msg({ file: true });
}

/** @type {(answer: any) => void} */
let taken = () => {};

/** @param {HTMLButtonElement} button */
async function share(button) {
  const text = button.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "It is in the address bar";
  }
  setTimeout(() => {
    button.textContent = text;
  }, 1600);
}

/** @param {any} model */
function stands(model) {
  document.body.classList.add("wb-stands");
  holdAllStill();
  focusMain();
  const drawn = () => {
    readFigures();
    pin();
    if (model.projector) putOnProjector(model);
  };
  if (!model.staged || "drawn" in document.body.dataset) drawn();
  else document.addEventListener("wb-drawn", drawn, { once: true });
}

/** @param {any} fields */
export function render({ model, el }) {
  el.style.display = "none";
  const [session] = Bokeh.documents; // figures may be documents of their own
  session.on_event("connection_lost", comeBack);
  if (session.is_idle) stands(model);
  else session.idle.connect(() => stands(model));
  model.on(
    "remove",
    obey({
      save,
      pin: pinCurves,
      unpin: unpinCurves,
      copy,
      embed: embedCode,
      toggle,
      notebook,
      file: (button) => askFile(model, button),
      share,
      unfold,
      swap,
      reach,
      skip,
    }),
  );
  document.documentElement.lang = "en";
  /** @param {any} event */
  const listener = (event) => shortcut(event, model);
  document.addEventListener("keydown", listener);
  if (innerWidth < 900) requestAnimationFrame(() => turnDrawer(false));
  const name = () =>
    requestAnimationFrame(() =>
      setTimeout(() => {
        nameChrome();
        showPinned();
        readFigures();
      }, 0),
    );
  name();
  // The drawer comes and goes with the width and its button.
  for (const moved of ["resize", "click"]) window.addEventListener(moved, () => setTimeout(name, NAMED_MS));
  // After `entry`, which comes with it.
  model.on("search", () => setTimeout(() => showAddress(model), 0));
  model.on("msg:custom", (/** @type {any} */ told) => ("walked" in told ? restored(told.walked) : taken(told)));
  entered = model.entry;
  const back = () => goBack(model);
  window.addEventListener("popstate", back);
  model.on("remove", () => window.removeEventListener("popstate", back));
  model.on("remove", () => document.removeEventListener("keydown", listener));
}
