// Keyboard and address of a page, after save.js; served with it, it reaches for nothing else.

const SHORTCUTS = {" ": "space", "ArrowRight": "right", "r": "r"};
const PRESSES = {space: "toggle", right: "step", r: "reset"};

function shortcut(event, model) {
  if ((event.ctrlKey || event.metaKey) && event.key === "z") return undo(event, model);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return closeHelp();
  if (event.key === "?") return is_written(event) || toggleHelp(event);
  if (is_taken(event)) return;
  if (model.wall && onWall(event, model)) return;
  if (moved(event)) return event.preventDefault();
  if (!(event.key in SHORTCUTS)) return;
  event.preventDefault();
  // A page that is drawn in the browser does it itself.
  const name = SHORTCUTS[event.key], press = new CustomEvent("wb-press", { detail: PRESSES[name], cancelable: true });
  if (document.dispatchEvent(press)) model.send_msg({key: name});
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
  if (model.undoes) model.send_msg({key: "undo"});
  else back();
}

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

// The figure that a digit put on the wall.
let chosen = "";

// The arrows walk the story, a digit puts another figure on the wall; whether the key was one of these.
function onWall(event, model) {
  if (/^(Arrow(Left|Right)|Page(Up|Down))$/.test(event.key)) {
    event.preventDefault();
    const step = step_of(event.key, model.step, model.steps.length);
    if (step) location.assign(location.pathname + model.steps[step - 1]);
    return true;
  }
  const name = figure_names()[Number(event.key) - 1];
  if (!/^[1-9]$/.test(event.key) || !name) return false;
  chosen = name;
  fill_wall(name);
  showAddress(model);
  return true;
}

// The state, and the figure that was chosen here; a change of the settings is one to which one may go back.
function showAddress(model) {
  const address = new URL(model.search || location.pathname, location), changes = history.state?.changes ?? 0;
  if (chosen) address.searchParams.set("figure", chosen);
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

function shownOnWall(model) {
  const names = figure_names();
  return [chosen, model.wanted].find((name) => names.includes(name)) ?? names[0];
}

function putOnWall(model) {
  fill_wall(shownOnWall(model));
}

// A telephone keeps the first figure in sight, above the sheet with the controls.
function pin() {
  if (innerWidth > 600) return;
  const card = card_of(figure_names()[0]);
  if (card) Object.assign(card.style, { position: "sticky", top: "0", zIndex: 3 });
  else setTimeout(pin, 2 * WATCH_MS);
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
  const text = button.textContent, address = new URL(location), { vote } = button.dataset;
  if (vote) address.searchParams.set("vote", vote);
  try {
    await navigator.clipboard.writeText(address.href);
    button.textContent = "Copied";
  } catch {
    button.textContent = vote ? address.href : "It is in the address bar";
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

// Figures by the titles of their cards. Those that were made before this script was read are stops of the Tab key still.
function nameFigures() {
  for (const name of figure_names()) {
    const view = Bokeh.index.find_one(figures(name)), title = deep(`.wb-save [data-figure="${name}"]`)[0].closest(".wb-head");
    view?.el.setAttribute("role", "img");
    view?.el.setAttribute("aria-label", title.querySelector("h2").textContent);
  }
  for (const each of deep(".bk-events")) each.tabIndex = -1;
}

// The controls stand after the figures; this leads to the first of them that shows.
function skip() {
  turnDrawer(true);
  setTimeout(() => {
    const controls = deep("input, button, [role=combobox]", deep(".sidebar")[0]);
    controls.find((each) => each.tabIndex >= 0 && each.checkVisibility())?.focus();
  }, NAMED_MS);
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
  focusMain();
  nameFigures();
  pin();
  if (!model.wall) return;
  putOnWall(model);
  setTimeout(() => putOnWall(model), 400); // what stands above has its height then
  const watch = setInterval(() => { is_alone(shownOnWall(model)) || putOnWall(model); }, WATCH_MS);
  model.on("remove", () => clearInterval(watch));
  window.addEventListener("resize", () => putOnWall(model));
}

export function render({model, el}) {
  el.style.display = "none";
  for (const document of Bokeh.documents) {
    document.on_event("connection_lost", comeBack);
    if (document.is_idle) stands(model);
    else document.idle.connect(() => stands(model));
  }
  model.on("remove", obey({ save, copy, toggle, notebook, file: (button) => askFile(model, button), share, unfold, reach, skip }));
  document.documentElement.lang = "en";
  const listener = (event) => shortcut(event, model);
  document.addEventListener("keydown", listener);
  if (innerWidth < 900) requestAnimationFrame(() => turnDrawer(false));
  const name = () => requestAnimationFrame(() => setTimeout(() => {
    nameChrome();
    nameFigures();
  }, 0));
  name();
  // The drawer comes and goes with the width and its button.
  for (const moved of ["resize", "click"]) window.addEventListener(moved, () => setTimeout(name, NAMED_MS));
  // After `entry`, which comes with it.
  model.on("search", () => setTimeout(() => showAddress(model), 0));
  model.on("msg:custom", (told) => taken(told));
  entered = model.entry;
  const back = () => goBack(model);
  window.addEventListener("popstate", back);
  model.on("remove", () => window.removeEventListener("popstate", back));
  model.on("frame", () => {
    const frame = model.frame;
    requestAnimationFrame(() => setTimeout(() => model.send_msg({seen: frame}), 0));
  });
  model.on("remove", () => document.removeEventListener("keydown", listener));
}
