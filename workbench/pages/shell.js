// Keyboard and address of a page, after save.js; served with it, it reaches for nothing else.

const SHORTCUTS = {" ": "space", "ArrowRight": "right", "r": "r"};
const PRESSES = {space: "toggle", right: "step", r: "reset"};

function shortcut(event, model) {
  if ((event.ctrlKey || event.metaKey) && event.key === "z") return undo(event, model);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return closeHelp();
  if (event.key === "?") return is_written(event) || toggleHelp(event);
  if (is_taken(event)) return;
  if (open_projector && onProjector(event, model)) return;
  if (moved(event)) return event.preventDefault();
  if (!(event.key in SHORTCUTS)) return;
  event.preventDefault();
  const name = SHORTCUTS[event.key];
  if (press(PRESSES[name])) model.send_msg({key: name});
}

// A page's own undo, or the change before in the history of the page. In a field the browser undoes what was typed.
function undo(event, model) {
  const back = () => { if (history.state?.changes) history.back(); };
  if (is_written(event)) {
    const [field] = event.composedPath(), text = field.value;
    setTimeout(() => { if (field.value === text) back(); }, TYPED_MS);
    return;
  }
  event.preventDefault();
  if (!press("undo")) return;
  if (model.undoes) model.send_msg({key: "undo"});
  else back();
}

// A page that is drawn in the browser does it itself; whether nobody has.
function press(detail) { return document.dispatchEvent(new CustomEvent("wb-press", { detail, cancelable: true })); }

// Whether a run went a place back or on with an arrow.
function moved({ key }) {
  const detail = { ArrowLeft: -1, ArrowRight: 1 }[key];
  return detail !== undefined && !document.dispatchEvent(new CustomEvent("wb-move", { detail, cancelable: true }));
}

function closeHelp() {
  for (const help of deep("details.help[open]")) help.open = false;
}

function toggleHelp(event) {
  event.preventDefault();
  for (const help of deep("details.help")) help.open = !help.open;
}

// The figures that were chosen for the projector.
let chosen = "";

// The digits choose a figure for the left half, with Shift for the right one; whether the key was one of the projector's.
function onProjector(event, model) {
  const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1], name = digit && figure_names()[digit - 1];
  if (by) walk(model, by);
  else if (name) open_projector.choose(event.shiftKey ? 1 : 0, name);
  else if (!PROJECTOR_KEYS.some(([key]) => key === event.key)) return false;
  else pressOnProjector(event.key, model);
  event.preventDefault();
  return true;
}

const PROJECTOR_KEYS = [
  ["q", "Question", "the question"], ["p", "Pin", "pin the curves of both figures"], ["u", "", "unpin them"], ["a", "Add step", "keep this state and a sentence as a step of your own story"],
  ["c", "Controls", "all controls"], ["w", "Desk", "leave the projector"], ["f", "", "save your story"], ["o", "", "open a story"],
];
const UNSAID = "What is said at this step?";
const RESTORED_MS = 3000;

function pressOnProjector(key, model) {
  if (key === "q" && !open_projector.turn_panel("Predict first")) open_projector.say("This page has no question of its own.");
  if (key === "c") turnControls();
  if (key === "p" && !open_projector.shown.filter((name) => pins.pin(name)).length) open_projector.say(NOTHING_TO_PIN);
  if (key === "u") open_projector.shown.forEach((name) => pins.unpin(name));
  if (key === "a") addStep(model);
  if (key === "f" && has_custom_story()) download(new Blob([from_hash(location.hash)], { type: "application/json" }), `${page_name()}.story.json`);
  else if (key === "f") open_projector.say("There is no story of your own yet; “Add step” begins one.");
  if (key === "o") chosen_text((text) => takeStory(model, text, true));
  if (key === "w") toggle({ dataset: { key: "projector", on: model.projector ? "on" : "off" } });
}

// The drawer with all controls, over the projector.
function turnControls() {
  const drawers = deep(".MuiDrawer-root, .MuiDrawer-paper"), is_open = drawers.some((each) => each.style.visibility === "visible");
  turnDrawer(!is_open);
  for (const each of drawers) {
    if (is_open) each.style.removeProperty("visibility");
    else each.style.setProperty("visibility", "visible", "important");
    if (each.matches(".MuiDrawer-paper")) each.style.setProperty("width", is_open ? "" : "18rem", "important");
  }
}

function page_name() { return location.pathname.split("/").at(-1); }

// The present state as the next step of the lecturer's own story, which is in the address.
function addStep(model) {
  const caption = prompt(UNSAID)?.trim();
  if (!caption) return;
  const kept = has_custom_story() ? steps : [], search = new URL(location).search;
  const { shown } = open_projector, text = story_text(page_name(), [...kept, { search, caption: caption.slice(0, LONGEST_STEP), figures: shown }]);
  const { steps: next, why } = read_story(text, page_name());
  if (next) {
    steps = next;
    step = steps.length;
    history.replaceState(history.state, "", to_hash(text));
    showAddress(model);
  }
  open_projector.say(why || caption, `${step} / ${steps.length}`);
}

// A story of one's own in place of the page's, or a sentence where it is none; whether it is one.
function takeStory(model, text, is_new) {
  const { steps: found, why } = read_story(text, page_name());
  if (!found) open_projector.say(why);
  else [steps, step] = [found, Math.min(Math.max(step, 1), found.length)];
  if (found && is_new) {
    history.replaceState(history.state, "", to_hash(text));
    step = 0;
    walk(model, 1);
  }
  return Boolean(found);
}

// The steps of the story: the page's, or the lecturer's own.
let steps = [];

// The step of the story that is told, counted from 1, and what waits for its picture.
let step = 0, restored = () => {};

// A step before or after: parameters move from where they are, and its caption comes with its picture.
async function walk(model, by) {
  const next = step + by, entry = steps[next - 1];
  if (!entry) return;
  step = next;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  open_projector.halves.forEach((half) => open_projector.capture(half));
  const tell = (words) => open_projector.say(words, `${next} / ${steps.length}`);
  const done = new Promise((resolve) => {
    // A refusal that comes after its time is said all the same.
    restored = (words) => { resolve(words); if (words && step === next && open_projector) tell(words); };
    setTimeout(resolve, RESTORED_MS);
  });
  model.send_msg({ walk: entry.search, still });
  const refused = await done;
  if (step !== next || !open_projector) return;
  chosen = entry.figures.join(",");
  open_projector.names = entry.figures;
  open_projector.compose();
  tell(refused || entry.caption);
  showAddress(model);
}

// The state, and the figure that was chosen here; a change of the settings is one to which one may go back.
function showAddress(model) {
  const address = new URL(model.search || location.pathname, location), changes = history.state?.changes ?? 0;
  if (chosen) address.searchParams.set("figure", chosen);
  if (step) address.searchParams.set("story", step);
  address.hash = location.hash;
  if (model.entry > entered && address.href !== location.href) history.pushState({ changes: changes + 1 }, "", address);
  else history.replaceState({ changes }, "", address);
  entered = model.entry;
}

// How many changes the history has.
let entered = 0;

function goBack(model) {
  if (model.restores) model.send_msg({ restore: location.search });
  else location.reload();
}

const WATCH_MS = 500, TYPED_MS = 50;

function putOnProjector(model) {
  ({ step, steps } = model);
  const pair = [...model.wanted.split(",").filter(Boolean), ...model.pair];
  const projector = new Projector({
    pair: [...new Set(pair)], said: model.said, keys: PROJECTOR_KEYS, press: (key) => pressOnProjector(key, model),
    changed: (names) => { chosen = names.join(","); showAddress(model); },
  });
  const is_told = !has_custom_story() || takeStory(model, from_hash(location.hash)), entry = steps[step - 1];
  if (entry && is_told) projector.say(entry.caption, `${step} / ${steps.length}`);
  model.on("remove", () => projector.close());
}

// A telephone keeps the first figure in sight, above the sheet with the controls.
function pin() {
  if (innerWidth > 600) return;
  const card = card_of(figure_names()[0]);
  if (card) Object.assign(card.style, { position: "sticky", top: "0", zIndex: 3 });
  else setTimeout(pin, 2 * WATCH_MS);
}

// The sheet with the controls is as low as the window; the page goes to the figure that stays above it.
// While the page opens a drawer may be on its way out.
let had_sheet = true;

function showPinned() {
  const has_sheet = innerWidth <= 600 && deep(".MuiModal-root .MuiDrawer-paper").some((each) => each.checkVisibility());
  if (has_sheet && !had_sheet) card_of(figure_names()[0])?.scrollIntoView({ block: "start" });
  had_sheet = has_sheet;
}

// A drawer over the page would hide it from whoever opens it on a telephone.
function turnDrawer(is_open) {
  for (const document of Bokeh.documents) {
    for (const {data} of document._all_models.values()) {
      if (data && "sidebar_open" in data) data.sidebar_open = is_open;
    }
  }
}

// Opens the drawer at the control of this name.
function reach({ dataset: { control } }) {
  turnDrawer(true);
  setTimeout(() => {
    const label = deep("label").find((each) => each.textContent.trim() === control);
    label?.scrollIntoView({ block: "center" });
    label?.querySelector("input")?.focus({ preventScroll: true });
  }, NAMED_MS);
}

// The server makes the file, some of them within seconds.
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

let taken = () => {};

async function share(button) {
  const text = button.textContent;
  try {
    await navigator.clipboard.writeText(location.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = "It is in the address bar";
  }
  setTimeout(() => { button.textContent = text; }, 1600);
}

const NAMED_MS = 300;

// What Material leaves without a name or a role for those who hear the page.
function nameChrome(root = document) {
  for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) nameChrome(element.shadowRoot);
    if (element.matches(".MuiDrawer-paper[role=dialog]:not([aria-label])")) element.setAttribute("aria-label", "Controls");
    if (element.matches("h5") && !element.textContent.trim()) element.hidden = true;
    if (element.matches("[role=progressbar]:not([aria-label])")) element.setAttribute("aria-label", "Busy");
    if (element.matches("[aria-label='Resize sidebar']:not([role])")) element.setAttribute("role", "separator");
  }
}

// Where the first stops of the Tab key lead: to the first that shows of what can be reached there.
const PLACES = { controls: [".sidebar", STOPS], figures: [".main-content", ".wb-save button, .wb-hand"], explanations: [".wb-aside", STOPS], menu: ["header", STOPS] };

function skip({ dataset: { to } }) {
  const is_later = to === "later controls", is_drawn = is_later || to === "controls";
  const [place, stops] = PLACES[is_drawn ? "controls" : to];
  if (is_drawn) turnDrawer(true);
  setTimeout(() => {
    set_stops();
    const [root] = deep(place);
    const found = deep(stops, root.shadowRoot ?? root)
      .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility({ visibilityProperty: true }));
    found[is_later ? found.length >> 1 : 0]?.focus();
  }, is_drawn ? NAMED_MS : 0);
}

// A server that ended took its sessions with it; the address has the state, so the page begins anew.
const ASK_MS = 1000, STAGGER_MS = 1500;

function sayLost() {
  const note = document.createElement("div");
  note.className = "wb-lost";
  note.setAttribute("role", "alert");
  note.textContent = "The server does not answer. This page will reconnect by itself and keep its state.";
  document.body.append(note);
}

async function answers() {
  try {
    // A file, since to ask for the page would begin a session.
    return (await fetch("static/js/bokeh.min.js", {method: "HEAD", cache: "no-store"})).ok;
  } catch {
    return false;
  }
}

async function comeBack() {
  if (document.querySelector(".wb-lost")) return;
  sayLost();
  // A class does not come back all at once.
  const wait = ASK_MS + STAGGER_MS * Math.random();
  while (!await answers()) await new Promise((done) => { setTimeout(done, wait); });
  location.reload();
}

// The window itself does not scroll: its keys are for what has the focus.
function focusMain() {
  const [main] = deep(".main-content");
  if (!main || document.activeElement !== document.body) return;
  Object.assign(main, { tabIndex: -1 }).style.outline = "none";
  main.focus({ preventScroll: true });
}

function stands(model) {
  document.body.classList.add("wb-stands");
  hold_all_still();
  focusMain();
  const drawn = () => {
    read_figures();
    pin();
    if (model.projector) putOnProjector(model);
  };
  if (!model.staged || "drawn" in document.body.dataset) drawn();
  else document.addEventListener("wb-drawn", drawn, { once: true });
}

export function render({model, el}) {
  el.style.display = "none";
  const [session] = Bokeh.documents;  // figures may be documents of their own
  session.on_event("connection_lost", comeBack);
  if (session.is_idle) stands(model);
  else session.idle.connect(() => stands(model));
  model.on("remove", obey({ save, pin: pin_curves, unpin: unpin_curves, copy, embed: embed_code, toggle, notebook, file: (button) => askFile(model, button), share, unfold, swap, reach, skip }));
  document.documentElement.lang = "en";
  const listener = (event) => shortcut(event, model);
  document.addEventListener("keydown", listener);
  if (innerWidth < 900) requestAnimationFrame(() => turnDrawer(false));
  const name = () => requestAnimationFrame(() => setTimeout(() => {
    nameChrome();
    showPinned();
    read_figures();
  }, 0));
  name();
  // The drawer comes and goes with the width and its button.
  for (const moved of ["resize", "click"]) window.addEventListener(moved, () => setTimeout(name, NAMED_MS));
  // After `entry`, which comes with it.
  model.on("search", () => setTimeout(() => showAddress(model), 0));
  model.on("msg:custom", (told) => ("walked" in told ? restored(told.walked) : taken(told)));
  entered = model.entry;
  const back = () => goBack(model);
  window.addEventListener("popstate", back);
  model.on("remove", () => window.removeEventListener("popstate", back));
  model.on("remove", () => document.removeEventListener("keydown", listener));
}
