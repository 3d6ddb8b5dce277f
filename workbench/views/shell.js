// Keyboard and address of a page, after save.js; served with it, it reaches for nothing else.

const SHORTCUTS = {" ": "space", "ArrowRight": "right", "r": "r"};
const TAKES_KEYS = "input, textarea, select, button, a, summary, [role=slider], [role=combobox], [role=option], [role=menuitem], [contenteditable]";

function shortcut(event, model) {
  const target = event.composedPath()[0];
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in SHORTCUTS)) return;
  if (target instanceof Element && target.matches(TAKES_KEYS)) return;
  event.preventDefault();
  model.send_msg({key: SHORTCUTS[event.key]});
}

function toggle({dataset: {key, on}}) {
  const address = new URL(location);
  if (address.searchParams.get(key) === on) address.searchParams.delete(key);
  else address.searchParams.set(key, on);
  location.assign(address);
}

// A drawer over the page would hide it from whoever opens it on a telephone.
function closeDrawer() {
  for (const document of Bokeh.documents) {
    for (const {data} of document._all_models.values()) {
      if (data && "sidebar_open" in data) data.sidebar_open = false;
    }
  }
}

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

// What Material leaves without a name or a role for those who hear the page.
function nameChrome(root = document) {
  for (const element of root.querySelectorAll("*")) {
    if (element.shadowRoot) nameChrome(element.shadowRoot);
    if (element.matches("[role=progressbar]:not([aria-label])")) element.setAttribute("aria-label", "Busy");
    if (element.matches("[aria-label='Resize sidebar']:not([role])")) element.setAttribute("role", "separator");
  }
}

// A server that ended took its sessions with it; the address has the state, so the page begins anew.
const ASK_MS = 1000, STAGGER_MS = 1500;

function sayLost() {
  const note = document.createElement("div");
  note.className = "wb-lost";
  note.setAttribute("role", "alert");
  note.textContent = "The server does not answer. This page comes back by itself, as it is, when it does.";
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

function stands() {
  document.body.classList.add("wb-stands");
}

export function render({model, el}) {
  el.style.display = "none";
  for (const document of Bokeh.documents) {
    document.on_event("connection_lost", comeBack);
    if (document.is_idle) stands();
    else document.idle.connect(stands);
  }
  model.on("remove", obey({save, copy, toggle, share}));
  document.documentElement.lang = "en";
  const listener = (event) => shortcut(event, model);
  document.addEventListener("keydown", listener);
  if (innerWidth < 900) requestAnimationFrame(closeDrawer);
  requestAnimationFrame(() => setTimeout(nameChrome, 0));
  model.on("search", () => history.replaceState(null, "", model.search || location.pathname));
  model.on("frame", () => {
    const frame = model.frame;
    requestAnimationFrame(() => setTimeout(() => model.send_msg({seen: frame}), 0));
  });
  model.on("remove", () => document.removeEventListener("keydown", listener));
}
