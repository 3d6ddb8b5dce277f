// A page whose pictures are the engine's answers (`played.py`), in a file and on a server: one script for every such page.

import { opened } from "../wasm/javascript/page.js";
import { LiveFigures } from "./live_figures.js";
import { SingleRun } from "./single_run.js";

class PlayedFigures extends LiveFigures {
  show({ picture: { models, keys } }) {
    for (const [kind, named] of Object.entries(models)) {
      for (const [name, values] of Object.entries(named)) this.set(this.of(kind, name), values);
    }
    for (const [name, html] of Object.entries(keys)) this.main_key(name, html);
  }

  set(model, { data, ...values }) {
    // A picture keeps its array, which knows its two sides.
    if (data?.image) {
      model.data.image[0].set(data.image);
      data = { ...data, image: model.data.image };
    }
    model.setv(data ? { data, ...values } : values, { sync: false });
    if (data?.image) model.change.emit();
  }

  captions({ picture }) { return picture.captions; }

  statistics({ picture }) { return picture.texts.numbers; }
}

export class Played extends SingleRun {
  constructor(page, model, host) {
    super(page, model, host, Infinity);
    this.figures = new PlayedFigures(model, page.ids, page.texts);
    Object.assign(this, { over: null, last_summary: null });
  }

  // Its answers are those of a server or a file.
  get is_able() { return true; }

  asked_of(settings) { return Object.fromEntries(this.page.names.map((name) => [name, settings[name]])); }

  looks(settings) { return JSON.stringify(this.page.views.map((name) => settings[name])); }

  // --- the run

  async begin(settings, is_left) {
    const { page, host } = this, { is_here } = page.runs ? { is_here: true } : await host.held(this, settings);
    const engine = await (page.runs ? (this.kept ??= KeptRuns.of(page)) : this.engine_of(page.name, is_here));
    if (is_left()) return null;
    this.say(this.figures.say("loading", settings), false, "loading");
    await this.hold(engine, page.name, {});
    if (is_left()) return null;
    const { rows: [row], code, summary, picture } = await engine.ask("play_problem", { settings: this.asked_of(settings) });
    if (is_left()) return null;
    Object.assign(this, { engine, over: null, picture: { ...picture, place: 0, looks: this.looks(settings) } });
    host.tell({ began: summary });
    return { row, code };
  }

  count_of(type) { return type; }

  passes({ count }) { return count === "epoch" ? this.page.leap : 1; }

  async further({ count }) {
    const { settings } = this, request = count ?? (this.slow ? "slow" : "run");
    const { rows, over, summary, picture } = await this.engine.ask("play_steps", { settings: this.asked_of(settings), request });
    Object.assign(this, { over, last_summary: summary });
    return { rows, status: over, picture: { ...picture, place: this.rows.length + rows.length - 1, looks: this.looks(settings) } };
  }

  // The engine says what has ended.
  ends(row) { return row === this.rows.at(-1) ? this.over : null; }

  came() { if (this.over) this.host.tell({ came: this.last_summary }); }

  // --- the picture

  // A row says in what its run is counted where runs of a page differ in that.
  get counted() { return this.rows[0]?.unit ?? this.page.unit; }

  get unit() { return this.page.unit === "epoch" && this.rows.at(-1).epoch < 1 ? "step" : this.counted; }

  place_of({ time }) { return time; }

  async seen(lab) {
    const { asked, at, settings } = this, looks = this.looks(settings);
    if (this.picture?.place !== at || this.picture.looks !== looks) {
      const { picture } = await this.engine.ask("play_picture", { settings: this.asked_of(settings), place: at });
      if (asked !== this.asked) return null;
      this.picture = { ...picture, place: at, looks };
    }
    return { ...lab, picture: this.picture };
  }

  speak(frame, row) {
    super.speak(frame, row);
    for (const [name, html] of Object.entries(frame.picture.texts)) this.host.put(name, html);
  }

  // The curves that are drawn, one after another with a break between.
  ghosts(rows) {
    const { step, epoch, unit } = rows.at(-1), columns = (name) => this.figures.of("sources", name).data;
    if (unit !== this.rows[0].unit) return {};
    return Object.fromEntries(Object.entries(this.page.ghosts).map(([figure, { sources, x, gap }]) => {
      const joined = (column) => sources.flatMap((name) => (columns(name)[x].length ? [...columns(name)[column], NaN] : []));
      const place = joined(x);
      return [figure, { step: place.map((each) => Math.round(each * step / epoch)), epoch: place, gap: joined(gap) }];
    }));
  }

  code() { return this.lab?.code ?? null; }
}

// The answers that a file has kept, of one run for each choice of its settings.
class KeptRuns {
  static async of({ runs, controls }) { return Object.assign(new KeptRuns(), await opened(runs), { controls }); }

  run({ settings }) {
    return this.runs[Object.entries(this.controls).reduce((at, [name, { values }]) => (
      at * values.length + values.indexOf(settings[name])), 0)];
  }

  // Values occur again and again and are kept once.
  picture({ pictures }, place) {
    const picture = pictures[place], { sources } = picture.models;
    const named = (group) => Object.fromEntries(Object.entries(group).map(([name, k]) => [name, this.pool[k]]));
    const filled = Object.entries(sources).map(([name, columns]) => [name, { data: drawable(named(columns)) }]);
    return {
      ...picture, models: { ...picture.models, sources: Object.fromEntries(filled) },
      texts: named(picture.texts), keys: named(picture.keys),
    };
  }

  async ask(type, contents) {
    if (type === "data") return {};
    const run = this.run(contents), { rows, code, over } = run;
    if (type === "play_problem") {
      this.done = 1;
      return { rows: rows.slice(0, 1), code, picture: this.picture(run, 0) };
    }
    if (type === "play_picture") return { picture: this.picture(run, contents.place) };
    const first = this.done;
    this.done = Math.min(rows.length, first + (contents.request === "epoch" ? LEAP : 1));
    const is_over = this.done === rows.length;
    return { rows: rows.slice(first, this.done), over: is_over ? over : null, picture: this.picture(run, this.done - 1) };
  }

  close() {}
}

// A new array for each figure; what is not finite was kept as null.
function drawable(columns) {
  return Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.map((each) => each ?? NaN)]));
}

// Places that a press of the button for many goes on in a file.
const LEAP = 10;
