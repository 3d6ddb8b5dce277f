// A page on a server: its settings are those of Panel's controls, its sentences stand in Panel's panes, its figures are
// a document of their own, as in a file. `Page` computes and draws here, where the browser can, and has the server answer else.

const LOST = "The server does not answer; the picture stays as it is.";

class ServedHost {
  constructor(model, el) {
    Object.assign(this, { model, el, page: model.page, boxes: {}, frame: null, asked: 0, waiting: new Map(), kept: new Map() });
    Object.assign(this, { sockets: new Map(), changes: new Map() });
  }

  send(message) { this.model.send_msg(message); }

  // What is asked of the server once for each key: data, and the facts of terms.
  ask(need, key) {
    const name = JSON.stringify([need, key]);
    if (!this.kept.has(name)) {
      const id = ++this.asked;
      const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
      answer.catch(() => this.kept.delete(name));
      this.kept.set(name, answer);
      this.send({ need, id, key });
    }
    return this.kept.get(name);
  }

  take(told, live) {
    const { id, engine, answer, failed, want, compiling } = plain(told);
    // What the server needs of the picture, as the point that it is of.
    if (want !== undefined) return this.send({ given: id, value: live[want] });
    if (compiling !== undefined) live.say(compiling, false, "loading");
    else if (engine !== undefined) this.sockets.get(engine)?.take(answer);
    else if (failed !== undefined) this.waiting.get(id)?.reject(new Error(failed));
    else this.waiting.get(id)?.resolve(answer);
    this.waiting.delete(id);
    return undefined;
  }

  // A slider that is a number and nothing else says so before the server has heard of it.
  get settings() {
    const settings = plain(this.model.settings);
    for (const [name, { id, values }] of Object.entries(plain(this.model.sliders))) {
      const data = by_id(id)?.data;
      // While a slider gets other places the server's value stands.
      if (data?.options.length === values.length && data.value in values) settings[name] = values[data.value];
    }
    for (const [name, value] of this.changes) {
      if (settings[name] === value) this.changes.delete(name);
      else settings[name] = value;
    }
    return settings;
  }

  // A setting that has no control, as points by hand: it holds at once, and from the server's answer on it is the model's.
  change(name, value) {
    if (this.settings[name] === value) return;
    this.changes.set(name, value);
    this.send({ change: { [name]: value } });
  }

  is_slider(model) { return Object.values(plain(this.model.sliders)).some(({ id }) => by_id(id)?.data === model); }

  // Where a part of the page stands that draws itself: the component's own place.
  place() {
    this.el.style.display = "";
    return this.el;
  }

  on_settings() {}

  keep() {}

  // The text of one of the page's panes, whose model holds it escaped.
  put(name, html) {
    const pane = by_id(this.model.panes[name]), text = escaped(name === "code" ? html : typeset(html));
    if (pane && pane.text !== text) pane.setv({ text }, HERE);
  }

  line(name, text) { this.put(`line-${name}`, `<div class='wb-line'>${escaped(numerals(text))}</div>`); }

  say(text, is_error, status) {
    const said = escaped(is_error ? text : numerals(text)), style = is_error ? "wb-status bad" : "wb-status";
    this.put("status", `<div class='${style}' role='status'>${said}</div>`);
    document.body.dataset.status = status;
  }

  // Where the run stands among its rows, for the scrub bar: the present row and the last, in a unit of theirs.
  stand(rows, row, unit) {
    const at = rows.findIndex(({ step }) => step === row.step), places = rows.length;
    const detail = { at, places, unit, now: rows[at][unit], last: rows.at(-1)[unit] };
    document.dispatchEvent(new CustomEvent("wb-stands", { detail }));
  }

  // Who computes, the data and the terms: this browser, where it can and has what it needs, else the server.
  async held(live, settings) {
    const named = Object.fromEntries(this.model.data_names.map((name) => [name, settings[name]]));
    const is_able_here = is_able() && this.model.engine !== "" && !settings.elsewhere;
    const known = is_able_here || live.draws_data ? await (live.given(settings) ?? this.asked_for(named, settings)) : null;
    const is_here = is_able_here && known !== null && !known.is_large, key = JSON.stringify(named);
    const found = is_here ? known : { data: named, terms: settings.texts };
    return this.computed({ key, ...found, is_here, known }, live);
  }

  // The data and the terms that the server gives; null where it keeps one of them.
  async asked_for(named, { texts }) {
    const [data, terms] = await Promise.all([this.ask("data", named), this.ask("terms", { ...named, ...texts })]);
    return data && terms ? { data: { data, losses: {}, regularizers: {} }, terms, is_large: data.large ?? false } : null;
  }

  // Says who computes.
  computed(held, live) {
    document.body.dataset.engine = held.is_here ? "browser" : "server";
    this.put("engine", `<div class='wb-note'>${escaped(live.figures.say(held.is_here ? "here" : "there"))}</div>`);
    return held;
  }

  texts(_live, settings) { return settings.texts; }

  // What the server goes by once a run rests.
  tell(contents) { this.send({ rests: contents }); }

  // The engine of a name: in a worker with its kernels, or the server's.
  async engine(name, is_here) {
    if (is_here) {
      const { source, kernels, functions } = await (this.packed ??= this.fetched());
      return Object.assign(new WorkbenchEngine(source + (this.page.messages ?? "")), { facts: { kernels, functions } });
    }
    const engine = new SocketEngine(name, (message) => this.send(message));
    this.sockets.set(name, engine);
    return engine;
  }

  // The compiled scalars, for this thread; null where the server computes alone.
  async kernels() {
    if (this.model.engine === "") return null;
    const { kernels, functions } = await (this.packed ??= this.fetched());
    return Kernels.load(kernels, functions);
  }

  // Moves a slider to one of its values.
  move(name, value) {
    const { id, values } = plain(this.model.sliders)[name], place = values.indexOf(value);
    if (place >= 0) by_id(id)?.data.setv({ value: place, value_throttled: place });
  }

  async fetched() {
    const { source, kernels, functions } = await (await fetch(this.model.engine)).json();
    return { source, kernels: await inflated(kernels), functions };
  }

  lost() {
    for (const { reject } of this.waiting.values()) reject(new Error(LOST));
    for (const each of this.sockets.values()) each.fail(LOST);
  }
}

// HTML with its numbers as a book prints them; formulas keep theirs.
function typeset(html) { return html.split(/(<wb-tex.*?<\/wb-tex>)/s).map((part, k) => (k % 2 ? part : numerals(part))).join(""); }

// Stands the page's figures, a document that no server follows, in the panes that are their places.
async function stand(drawn, places) {
  const boxes = drawn.roots().map(({ id }) => {
    const box = Object.assign(document.createElement("div"), { className: "wb-figure" });
    Bokeh.index.find_one(by_id(places[id])).shadow_el.append(box);
    return box;
  });
  await Bokeh.embed.add_document_standalone(drawn, document.body, boxes);
}

export function render({ model, el }) {
  el.style.display = "none";
  const [session] = Bokeh.documents, drawn = session.constructor.from_json(JSON.parse(model.figures));
  const host = new ServedHost(model, el), live = new Page(model.page, by_id, host), listeners = [];
  const hear = (name, act) => {
    const listener = (event) => { if (act(event.detail) !== false) event.preventDefault(); };
    document.addEventListener(name, listener);
    listeners.push(() => document.removeEventListener(name, listener));
  };
  hear("wb-seek", (place) => live.seek(place));
  hear("wb-press", (name) => live.press(name));
  hear("wb-pace", (is_slow) => live.pace(is_slow));
  // A figure that has just been unfolded has no scale yet.
  hear("wb-tap", (tap) => Number.isFinite(tap) && host.send({ tap }));
  let hidden = [];
  const hide = () => {
    for (const id of hidden) by_id(id).setv({ visible: true }, HERE);
    hidden = [...model.hidden];
    for (const id of hidden) by_id(id).setv({ visible: false }, HERE);
  };
  hide();
  model.on("hidden", hide);
  model.on("msg:custom", (message) => host.take(message, live));
  // Something else is chosen: the model's settings are news, or a slider is.
  let chosen = "";
  const follow = () => {
    const settings = JSON.stringify(live.settings);
    if (settings === chosen) return;
    chosen = settings;
    live.chosen();
  };
  model.on("settings", follow);
  model.on("refusal", () => {
    live.refusal = model.refusal || null;
    if (model.refusal) live.report("");
  });
  const moved = ({ model: slider, attr, sync }) => { if (sync && attr === "value" && host.is_slider(slider)) follow(); };
  globalThis.wb_page = live;
  const open = async () => {
    await stand(drawn, model.places);
    document.body.dataset.drawn = "";
    document.dispatchEvent(new CustomEvent("wb-drawn"));
    session.on_change(moved);
    follow();
  };
  model.on("remove", () => {
    for (const leave of listeners) leave();
    session.remove_on_change(moved);
    live.close();
  });
  session.on_event("connection_lost", () => host.lost());
  if (session.is_idle) open();
  else session.idle.connect(open);
}
