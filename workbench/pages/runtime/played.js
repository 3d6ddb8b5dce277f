// A page whose pictures are the engine's answers (`played.py`), in a file and on a server: one script for every such page.

import { opened } from "../wasm/javascript/page.js";
import { LiveFigures } from "./live_figures.js";
import { SingleRun } from "./single_run.js";

class PlayedFigures extends LiveFigures {
  /** @param {{ picture: { models: any, keys: any } }} fields */
  show({ picture: { models, keys } }) {
    for (const [kind, named] of Object.entries(models)) {
      for (const [name, values] of Object.entries(named)) this.set(this.of(kind, name), values);
    }
    for (const [name, html] of Object.entries(keys)) this.mainKey(name, html);
  }

  /** @param {any} model @param {any} fields */
  set(model, { data, ...values }) {
    // A picture keeps its array, which knows its two sides.
    if (data?.image) {
      model.data.image[0].set(data.image);
      data = { ...data, image: model.data.image };
    }
    model.setv(data ? { data, ...values } : values, { sync: false });
    if (data?.image) model.change.emit();
  }

  /** @param {{ picture: any }} fields */
  captions({ picture }) {
    return picture.captions;
  }

  /** @param {{ picture: any }} fields */
  statistics({ picture }) {
    return picture.texts.numbers;
  }
}

export class Played extends SingleRun {
  /** @type {any} */ figures;
  /** @type {any} */ over = null;
  /** @type {any} */ lastSummary = null;
  /** @type {any} */ kept;
  /** @type {any} */ engine;

  /** @param {any} page @param {any} model @param {any} host */
  constructor(page, model, host) {
    super(page, model, host, Infinity);
    this.figures = new PlayedFigures(model, page.ids, page.texts);
  }

  // Its answers are those of a server or a file.
  get isAble() {
    return true;
  }

  /** @param {Settings} settings */
  askedOf(settings) {
    return Object.fromEntries(this.page.names.map((/** @type {string} */ name) => [name, settings[name]]));
  }

  /** @param {any} settings */
  looks(settings) {
    return JSON.stringify(this.page.views.map((/** @type {string} */ name) => settings[name]));
  }

  // --- the run

  /** @param {any} settings @param {() => boolean} isLeft */
  async begin(settings, isLeft) {
    const { page, host } = this;
    const { isHere } = page.runs ? { isHere: true } : await host.held(this, settings);
    const engine = await (page.runs ? (this.kept ??= KeptRuns.of(page)) : this.engineOf(page.name, isHere));
    if (isLeft()) return null;
    this.say(this.figures.say("loading", settings), false, "loading");
    await this.hold(engine, page.name, {});
    if (isLeft()) return null;
    const {
      rows: [row],
      code,
      summary,
      picture,
    } = await engine.ask("play_problem", { settings: this.askedOf(settings) });
    if (isLeft()) return null;
    this.engine = engine;
    this.over = null;
    this.picture = { ...picture, place: 0, looks: this.looks(settings) };
    host.tell({ began: summary });
    return { row, code };
  }

  /** @param {string} type */
  countOf(type) {
    return type;
  }

  /** @param {Record<string, any>} fields */
  passes({ count }) {
    return count === "epoch" ? this.page.leap : 1;
  }

  /** @param {{ count: number }} fields */
  async further({ count }) {
    const { settings } = this;
    const request = count ?? (this.slow ? "slow" : "run");
    const { rows, over, summary, picture } = await this.engine.ask("play_steps", {
      settings: this.askedOf(settings),
      request,
    });
    this.over = over;
    this.lastSummary = summary;
    return {
      rows,
      status: over,
      picture: { ...picture, place: this.rows.length + rows.length - 1, looks: this.looks(settings) },
    };
  }

  /**
   * The engine says what has ended.
   * @param {Row} row
   */
  ends(row) {
    return row === this.rows.at(-1) ? this.over : null;
  }

  came() {
    if (this.over) this.host.tell({ came: this.lastSummary });
  }

  // --- the picture

  // A row says in what its run is counted where runs of a page differ in that.
  get counted() {
    return this.rows[0]?.unit ?? this.page.unit;
  }

  get unit() {
    return this.page.unit === "epoch" && this.rows.at(-1).epoch < 1 ? "step" : this.counted;
  }

  /** @param {{ time: any }} fields */
  placeOf({ time }) {
    return time;
  }

  /** @param {any} lab */
  async seen(lab) {
    const { asked, at, settings } = this;
    const looks = this.looks(settings);
    if (this.picture?.place !== at || this.picture.looks !== looks) {
      const { picture } = await this.engine.ask("play_picture", { settings: this.askedOf(settings), place: at });
      if (asked !== this.asked) return null;
      this.picture = { ...picture, place: at, looks };
    }
    return { ...lab, picture: this.picture };
  }

  /** @param {any} frame @param {Row} row */
  speak(frame, row) {
    super.speak(frame, row);
    for (const [name, html] of Object.entries(frame.picture.texts)) this.host.put(name, html);
  }

  /**
   * The curves that are drawn, one after another with a break between.
   * @param {Row[]} rows
   */
  ghosts(rows) {
    const { step, epoch, unit } = /** @type {any} */ (rows.at(-1));
    /** @param {string} name */
    const columns = (name) => this.figures.of("sources", name).data;
    if (unit !== this.rows[0].unit) return {};
    return Object.fromEntries(
      Object.entries(this.page.ghosts).map(([figure, { sources, x, gap }]) => {
        /** @param {any} column */
        const joined = (column) =>
          sources.flatMap((/** @type {string} */ name) =>
            columns(name)[x].length ? [...columns(name)[column], NaN] : [],
          );
        const place = joined(x);
        return [
          figure,
          {
            step: place.map((/** @type {any} */ each) => Math.round((each * step) / epoch)),
            epoch: place,
            gap: joined(gap),
          },
        ];
      }),
    );
  }

  code() {
    return this.lab?.code ?? null;
  }
}

// The answers that a file has kept, of one run for each choice of its settings.
class KeptRuns {
  /** @type {any} */ runs;
  /** @type {any} */ controls;
  /** @type {any[]} */ pool = [];
  done = 0;

  /** @param {{ runs: any, controls: any }} fields */
  static async of({ runs, controls }) {
    return Object.assign(new KeptRuns(), await opened(runs), { controls });
  }

  /** @param {{ settings: Settings }} fields */
  run({ settings }) {
    return this.runs[
      Object.entries(this.controls).reduce(
        (at, [name, { values }]) => at * values.length + values.indexOf(settings[name]),
        0,
      )
    ];
  }

  /**
   * Values occur again and again and are kept once.
   * @param {{ pictures: any[] }} fields @param {any} place
   */
  picture({ pictures }, place) {
    const picture = pictures[place];
    const { sources } = picture.models;
    /** @param {any} group */
    const named = (group) => Object.fromEntries(Object.entries(group).map(([name, k]) => [name, this.pool[k]]));
    const filled = Object.entries(sources).map(([name, columns]) => [name, { data: drawable(named(columns)) }]);
    return {
      ...picture,
      models: { ...picture.models, sources: Object.fromEntries(filled) },
      texts: named(picture.texts),
      keys: named(picture.keys),
    };
  }

  /** @param {string} type @param {any} contents */
  async ask(type, contents) {
    if (type === "data") return {};
    const run = this.run(contents);
    const { rows, code, over } = run;
    if (type === "play_problem") {
      this.done = 1;
      return { rows: rows.slice(0, 1), code, picture: this.picture(run, 0) };
    }
    if (type === "play_picture") return { picture: this.picture(run, contents.place) };
    const first = this.done;
    this.done = Math.min(rows.length, first + (contents.request === "epoch" ? LEAP : 1));
    const isOver = this.done === rows.length;
    return {
      rows: rows.slice(first, this.done),
      over: isOver ? over : null,
      picture: this.picture(run, this.done - 1),
    };
  }

  close() {}
}

/**
 * A new array for each figure; what is not finite was kept as null.
 * @param {any} columns
 */
function drawable(columns) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, values]) => [name, values.map((/** @type {any} */ each) => each ?? NaN)]),
  );
}

// Places that a press of the button for many goes on in a file.
const LEAP = 10;
