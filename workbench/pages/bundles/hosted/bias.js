// Made of workbench/pages/bias/page.js and what it imports: change those, and run: python -m workbench.pages.bundling
"use strict";
var workbenchPage = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: true });
  };
  var __copyProps = (to, from, except, desc) => {
    if (from && typeof from === "object" || typeof from === "function") {
      for (let key of __getOwnPropNames(from))
        if (!__hasOwnProp.call(to, key) && key !== except)
          __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    }
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: true }), mod);

  // page.js
  var page_exports = {};
  __export(page_exports, {
    page: () => page
  });

  // frame.js
  var frame_exports = {};
  __export(frame_exports, {
    code: () => code,
    complete: () => complete,
    frame: () => frame,
    ghosts: () => ghosts,
    needs: () => needs,
    nothing: () => nothing,
    question: () => question,
    row: () => row,
    runs: () => runs,
    termTexts: () => termTexts
  });

  // ../runtime/deep.js
  function deep(selector, root = document, found = []) {
    found.push(...root.querySelectorAll(selector));
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) deep(selector, element.shadowRoot, found);
    return found;
  }

  // ../runtime/numerals.js
  var RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  var NOISE_EXPONENT = -17;
  function numerals(text) {
    return text.replace(/(?<![\w.'"])([-−]?)(\d+(?:\.\d+)?)e([-+−]?)0*(\d+)(?![\w.]*\w)/g, (_, sign, mantissa, below, digits) => {
      const minus = sign && "−", exponent = (below && below !== "+" ? -1 : 1) * Number(digits);
      if (Number(mantissa) === 0) return "0";
      if (exponent <= NOISE_EXPONENT) return "0 to rounding";
      if (exponent >= -1 && exponent <= 2) return minus + shifted(mantissa, exponent);
      const power = `10${exponent < 0 ? "⁻" : ""}${Array.from(digits, (digit) => RAISED[digit]).join("")}`;
      return minus + (Number(mantissa) === 1 ? "" : `${mantissa}·`) + power;
    }).replace(/(?<![\w.)\]'"])-(?=\.?\d|∞|inf\b)/g, "−").replace(/(?<![\w.,·])1 (outer )?(step|epoch|pass(?=es))(?:e?s)\b/g, "1 $1$2");
  }
  function shifted(mantissa, places) {
    const [whole, part = ""] = mantissa.split(".");
    const at = whole.length + places, point = Math.max(at, 1);
    const digits = at < 1 ? "0".repeat(1 - at) + whole + part : (whole + part).padEnd(at, "0");
    return digits.length > point ? `${digits.slice(0, point)}.${digits.slice(point)}` : digits;
  }

  // ../runtime/wording.js
  function format_text(template, values) {
    return template.replace(/\{\{|\}\}|\{(\w+)(?::([^}]*))?\}/g, (found, name, form) => name === void 0 ? found[0] : written(values[name], form));
  }
  function written(value, form = "") {
    const found = /^(\+?)(,?)(?:\.(\d+))?([efg]?)$/.exec(form);
    if (!found) throw new Error(`'${form}' is no format that sentences use: [+][,][.digits][efg]`);
    const [, sign, grouped, digits, kind] = found;
    if (typeof value !== "number") return String(value);
    const plus = sign && value >= 0 ? "+" : "";
    if (!Number.isFinite(value)) return plus + (Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
    if (grouped) return plus + grouped_thousands(kind === "f" ? fixed(value, Number(digits)) : String(value));
    if (kind === "f") return plus + fixed(value, Number(digits));
    if (kind === "e") return plus + exponential(value, Number(digits));
    if (kind === "g") return plus + general(value, Number(digits ?? 6) || 1);
    return plus + String(value);
  }
  function fixed(value, digits) {
    return even_of_ties(value.toFixed(digits), value.toFixed(Math.min(100, digits + 60)), digits);
  }
  function even_of_ties(rounded, exact, digits) {
    const end = exact.indexOf(".") + (digits && 1 + digits), cut = exact.slice(0, end);
    return /^\.?50*$/.test(exact.slice(end)) && "02468".includes(cut[cut.length - 1]) ? cut : rounded;
  }
  function exponential(value, digits) {
    const [rounded, exponent] = value.toExponential(digits).split("e");
    const [exact, same] = value.toExponential(Math.min(100, digits + 60)).split("e");
    const mantissa = same === exponent ? even_of_ties(rounded, exact, digits) : rounded;
    return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  }
  function general(value, digits) {
    if (value === 0) return "0";
    const text = exponential(value, digits - 1), [mantissa, power] = text.split("e"), exponent = Number(power);
    if (exponent >= -4 && exponent < digits) return trimmed(fixed(value, Math.max(0, digits - 1 - exponent)));
    return `${trimmed(mantissa)}e${power}`;
  }
  function trimmed(text) {
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  }
  function grouped_thousands(text) {
    return text.replace(/\B(?=(\d{3})+$)/g, ",");
  }
  function escaped(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;").replace(/'/g, "&#x27;");
  }
  function quoted(text) {
    const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
    return mark + text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\t/g, "\\t").replaceAll(mark, `\\${mark}`) + mark;
  }

  // ../runtime/live_figures.js
  var MOST_POINTS = 400;
  var LEAST_FILLED = 0.5;
  var DIMMED = "0.35";
  var WORTH_A_TICK = 0.01;
  var MOST_PERCENT = 9999;
  var LiveFigures = class {
    // `model` gives a Bokeh model by its id; `ids` names those of sources, ranges and axes.
    constructor(model, ids, texts) {
      Object.assign(this, { texts, ids });
      this.of = (kind, name) => model(ids[kind][name]);
    }
    say(name, values = {}) {
      return format_text(this.texts[name], values);
    }
    // How far a run has come.
    elapsed(row2) {
      return this.say(row2.epoch < 1 ? "steps" : "epochs", row2);
    }
    // What a certificate guarantees.
    promise(relative_gap) {
      if (!Number.isFinite(relative_gap)) return this.say("no_bound");
      const percent = Math.min(100 * relative_gap, MOST_PERCENT);
      return this.say(relative_gap > WORTH_A_TICK ? "wide" : "tick", { percent });
    }
    // The row of numbers above the figures: each with a name, a number and HTML below it.
    cards(entries) {
      const cards = entries.map(([name, value, below]) => `<div class='wb-stat'><span>${name}</span><b>${value}</b>${below}</div>`);
      return `<div class='wb-stats'>${cards.join("")}</div>`;
    }
    // A sentence as `cards` takes it.
    note(name, values) {
      return `<em>${this.say(name, values)}</em>`;
    }
    // Whether the figure of a range is not folded away.
    is_shown(name) {
      return [...this.of("ranges", name).linked_plots].some((view) => view.is_displayed);
    }
    // The dotted line in the figures over time at a place of their axis; none where it is null.
    mark(location) {
      for (const name of Object.keys(this.ids.here)) {
        this.of("here", name).setv({ location: location ?? 0, visible: location !== null }, { sync: false });
      }
    }
    // The gaps of rows as a curve that stays in grey, with a break at its end.
    ghost(rows) {
      const kept = spread(rows.length, MOST_POINTS).map((k) => rows[k]);
      const gap = kept.map((row2) => row2.gap > 0 && Number.isFinite(row2.gap) ? row2.gap : NaN);
      return { step: [...kept.map((row2) => row2.step), NaN], epoch: [...kept.map((row2) => row2.epoch), NaN], gap: [...gap, NaN] };
    }
    // Ghosts by figure, and the key of each figure, which says how far its ghost went, in epochs where there was one.
    leave_ghost(curves, counted = "epoch") {
      for (const name of Object.keys(this.ids.ghosts)) {
        const { step = [], epoch = [], gap = [] } = curves[name] ?? {};
        const last = { step: farthest(step), epoch: farthest(epoch) }, far = last.step > 0;
        last.round = last.pass = last.epoch;
        this.of("ghosts", name).setv({ data: far ? { step, epoch, gap } : { step: [], epoch: [], gap: [] } }, { sync: false });
        const unit = last.epoch < 1 ? "step" : counted;
        this.key(name, far ? this.texts.ghost.replace("{}", escaped(numerals(this.say(`before_${unit}`, { last: last[unit] })))) : "");
      }
    }
    key_of(name) {
      return deep(`.wb-save [data-figure="${name}"]`)[0]?.closest(".wb-head").querySelector(".wb-key");
    }
    // The key of a figure that draws other things now.
    main_key(name, html) {
      const key = this.key_of(name), more = key?.querySelector(".wb-more-key");
      if (!key || key.wb_html === html) return;
      key.innerHTML = html;
      key.wb_html = html;
      if (more) key.append(more);
    }
    // What the key of a figure says beside what it always says.
    key(name, html) {
      const key = this.key_of(name);
      if (!key) return;
      key.querySelector(".wb-more-key")?.remove();
      if (html) key.insertAdjacentHTML("beforeend", html.replace("<span", "<span class='wb-more-key'"));
    }
    // Figures that show what is not chosen any more are pale.
    dim(is_dimmed) {
      for (const name of Object.keys(this.ids.figures)) {
        const plot = this.of("figures", name), { opacity, ...styles } = plot.styles;
        const wanted = is_dimmed ? DIMMED : void 0;
        if (opacity !== wanted) plot.setv({ styles: wanted === void 0 ? styles : { ...styles, opacity: wanted } }, { sync: false });
      }
    }
    fill(name, data) {
      this.of("sources", name).setv({ data });
    }
    range(name, start, end) {
      const bounds = this.of("ranges", name);
      if (bounds.start !== start || bounds.end !== end) bounds.setv({ start, end });
    }
    // A logarithmic range around positive values, between so many decades below the largest.
    decades(name, values, most, least_many) {
      if (!values.length) return;
      const highest = Math.max(...values), lowest = Math.min(...values);
      const low = Math.min(Math.max(lowest, highest * 10 ** -most), highest * 10 ** -least_many);
      this.range(name, 10 ** Math.floor(Math.log10(low)), 2 * highest);
    }
    // A range around the values, with zero in it where wanted; one that still fits stands still.
    around(name, all, margin, zero = false) {
      const values = Array.from(all).filter(Number.isFinite);
      if (!values.length || zero && values.every((value) => value === 0)) return;
      let low = Math.min(...values), high = Math.max(...values);
      if (zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
      const { start, end } = this.of("ranges", name);
      if (start <= low && high <= end && high - low >= LEAST_FILLED * (end - start)) return;
      const spread_of = high - low || Math.max(Math.abs(high), 1);
      this.range(name, low - margin * spread_of, high + margin * spread_of);
    }
    // A range of objective values: a first primal far above the rest would press both curves flat against the axis.
    objective(name, all, duals) {
      const [primal, dual] = [all, duals].map((values) => values.filter(Number.isFinite));
      if (!primal.length || !dual.length) return;
      const tail = all.slice(Math.floor(all.length / 3)).filter(Number.isFinite);
      const highest = Math.max(...primal), best = Math.max(...dual), settled = Math.max(...tail.length ? tail : primal);
      const top = Math.min(highest, settled + 2 * Math.max(settled - best, 0.5 * Math.abs(settled)));
      const bottom = Math.max(Math.min(...dual), top - 3 * Math.max(top - best, Math.abs(top)));
      this.around(name, [bottom, top], 0.06);
    }
  };
  function farthest(places) {
    return Math.max(...places.filter(Number.isFinite));
  }
  function spread(count, most) {
    const size = Math.min(most, count);
    const places = Array.from({ length: size }, (_, k) => size === 1 ? 0 : k === size - 1 ? count - 1 : Math.floor(k * ((count - 1) / (size - 1))));
    return [...new Set(places)];
  }

  // ../runtime/hosts/python.js
  var pythonText = quoted;
  function pythonNumber(value) {
    if (value === true) return "True";
    if (value === false) return "False";
    if (Number.isInteger(value)) return Math.abs(value) < 1e16 ? `${value}.0` : String(value);
    return Math.abs(value) < 1e-4 ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : String(value);
  }

  // frame.js
  var MOST_DECADES = 12;
  var TAIL = 30;
  var PARAMETERS = ["mu", "update", "order", "scale", "rate", "eta", "passes"];
  function termTexts(settings, facts) {
    const entries = ["loss", "regularizer"].map((kind) => {
      const { text, parameter, control, separator } = facts.terms[kind][settings[kind]];
      return [
        kind,
        control ? `${text}${separator}${parameter}=${format_text("{value:g}", { value: settings[control] })}` : text
      ];
    });
    return Object.fromEntries(entries);
  }
  function needs(settings, facts) {
    const { loss, regularizer } = termTexts(settings, facts);
    const { source, constraint } = settings;
    return {
      python: { data: { source, constraint }, terms: { loss, regularizer } },
      data: { type: "data", source },
      terms: {
        loss: { type: "loss", name: loss },
        regularizer: { type: "regularizer", source, name: regularizer }
      }
    };
  }
  function runs(settings, facts) {
    const { algorithms, lam, seed } = settings;
    return facts.shown[algorithms].map((name) => ({
      name,
      problem: { lam, seed, solver: solver(name, settings, facts) }
    }));
  }
  function solver(algorithm, settings, facts) {
    const usual = facts.solvers[algorithm];
    const names = PARAMETERS.filter((name) => name in usual);
    return { ...usual, ...Object.fromEntries(names.map((name) => [name, settings[name]])) };
  }
  function question(facts) {
    return { type: "profile", contents: facts.profile, figure: "profile" };
  }
  var nothing = { place: [], value: [], at: [], height: [] };
  function row(answer, before) {
    const { step, epoch, primal, dual, gap, relative_gap, b, multipliers } = answer;
    const [multiplier, seen, residual, moved] = ["s", "pull", "residual", "moved"].map(
      (name) => multipliers[name][0]
    );
    return {
      ...{ step, epoch, primal, dual, gap, relative_gap, multiplier, seen, residual, moved },
      best: ArrayBuffer.isView(b) ? (
        /** @type {any} */
        b[0]
      ) : b,
      mu: multipliers.mu,
      fixed: multipliers.gap,
      feasibility: Math.abs(residual),
      outer: before?.outer
    };
  }
  function complete(rows) {
    rows.forEach((each, k) => {
      const before = rows[k - 1] ?? { ...each, outer: 0 };
      each.outer ??= before.outer + (each.multiplier !== before.multiplier || each.mu !== before.mu ? 1 : 0);
    });
  }
  function ghosts(curves, facts) {
    return Object.fromEntries(curves.map(([algorithm, rows]) => [facts.parts[algorithm], rows]));
  }
  function frame(settings, shown, facts) {
    const words = new LiveFigures(() => null, {}, facts.texts);
    const isPast = shown.row.step < shown.last.step;
    const drawn = [];
    const sources = {};
    for (const [algorithm, part] of Object.entries(facts.parts)) {
      const run = shown.runs[algorithm];
      const columns = run ? columnsOf(run, shown.unit, isPast) : null;
      if (columns) drawn.push(columns);
      for (const name of ["curves", "profile", "points", "here"])
        sources[`${part}_${name}`] = columns?.[name] ?? null;
    }
    return {
      sources,
      ranges: rangesOf(drawn, shown),
      axes: Object.fromEntries(["full", "small", "multiplier"].map((name) => [`${name}_x`, shown.unit])),
      sentences: { ...captions(shown, facts, words), why: why(settings, shown, facts, words) },
      numbers: numbers(shown, facts, words),
      status: status(settings, shown, facts, words)
    };
  }
  function columnsOf({ rows, row: now, shown: { place, value, at, height } }, unit, isPast) {
    const kept = spread(rows.length, MOST_POINTS).map((k) => rows[k]);
    const finite = (name) => kept.map((each) => Number.isFinite(each[name]) ? each[name] : NaN);
    const positive = (name) => finite(name).map((each) => each > 0 ? each : NaN);
    return {
      curves: {
        time: kept.map((each) => each[unit]),
        certified: positive("gap"),
        fixed: positive("fixed"),
        feasibility: positive("feasibility"),
        multiplier: finite("multiplier"),
        best: finite("best"),
        residual: finite("residual"),
        outer: kept.map((each) => each.outer)
      },
      profile: { place, value },
      points: { at, height, marker: ["circle", "square"].slice(0, at.length) },
      here: { multiplier: isPast ? [now.multiplier] : [], residual: isPast ? [now.residual] : [] }
    };
  }
  function rangesOf(drawn, { unit, last }) {
    const together = (kind, ...names) => drawn.flatMap((columns) => names.flatMap((name) => columns[kind][name]));
    const tails = (name) => drawn.flatMap(({ curves, here }) => [
      ...curves[name].slice(-Math.max(TAIL, Math.floor(curves.time.length / 2))),
      ...here[name]
    ]);
    const gaps = together("curves", "certified", "fixed", "feasibility").filter((value) => value > 0);
    return [
      // As wide as the whole run, wherever one looks into it.
      ["range", "full_x", 0, 1.01 * last[unit] || 1],
      ["decades", "full_y", gaps, MOST_DECADES, 0],
      ["around", "multiplier_y", together("curves", "multiplier"), 0.08],
      ["around", "spiral_x", tails("multiplier"), 0.08],
      ["around", "spiral_y", tails("residual"), 0.08, true],
      ["around", "profile_x", together("profile", "place"), 0],
      ["around", "profile_y", together("profile", "value"), 0.08]
    ];
  }
  function captions({ runs: all }, facts, words) {
    const texts = {};
    const listed = Object.entries(all);
    for (const [algorithm, part] of Object.entries(facts.parts)) {
      const run = all[algorithm];
      const name = run?.reason ? "gaps_diverged" : "gaps";
      texts[part] = run ? words.say(name, { ...run.row, reason: run.reason }) : words.say("not_running", { algorithm });
    }
    for (const name of ["multiplier", "spiral"]) {
      texts[name] = listed.map(([algorithm, run]) => words.say(name, { algorithm, ...run.row })).join(" ");
    }
    texts.spiral += ` ${words.say("rest")}`;
    texts.profile = listed.map(([algorithm, run]) => depth(algorithm, run.shown.height, words)).join(" ");
    return texts;
  }
  function depth(algorithm, [present, least], words) {
    if (least === void 0) return words.say("no_best", { algorithm });
    return words.say("depth", { algorithm, depth: Math.max(0, present - least) });
  }
  function numbers({ runs: all }, facts, words) {
    const [[first, run], second] = Object.entries(all);
    const promise = words.promise(run.row.relative_gap);
    return words.cards(
      facts.texts.numbers.map(([name, value, note]) => [
        second ? `${name}, ${first}` : name,
        format_text(value, run.row),
        format_text(note, { ...run.row, promise }) + (second ? `<span class=b>${second[0]}<br>${format_text(value, second[1].row)}</span>` : "")
      ])
    );
  }
  function why(settings, { runs: all }, facts, words) {
    const lines = Object.entries(all).map(([algorithm, run]) => {
      const eta = algorithm === facts.own_step ? settings.eta : 1;
      return `<p><b>${algorithm}</b>: ${escaped(words.say("last_step", { ...run.row, eta }))}</p>`;
    });
    return `<div class='wb-note'><p>${escaped(words.say("residual"))}</p>${lines.join("")}</div>`;
  }
  function status({ tolerance }, { runs: all }, facts, words) {
    const listed = Object.entries(all);
    const ended = listed.map(([, run]) => run.status);
    const sentences = listed.map(([algorithm, run]) => {
      const reached = words.say("reached", { algorithm, elapsed: words.elapsed(run.row) });
      return words.say(run.status ?? "paused", { reached, tolerance, reason: run.reason });
    });
    const name = ended.includes(null) ? "paused" : facts.statuses.find((each) => ended.includes(each));
    return { name, text: sentences.join(" ") };
  }
  function code(settings, facts) {
    const [data, load] = facts.sources[settings.source];
    const { loss, regularizer } = termTexts(settings, facts);
    const words = new LiveFigures(() => null, {}, facts.texts);
    const solvers = facts.shown[settings.algorithms].map((algorithm) => {
      const usual = facts.solvers[algorithm];
      const given = Object.entries(solver(algorithm, settings, facts)).filter(([name]) => typeof usual[name] !== "object" && !["name", "advice"].includes(name)).filter(([name, value]) => ["mu", "eta"].includes(name) || value !== usual[name]).map(([name, value]) => `${name}=${python(name, value)}`);
      return words.say("code_solver", { solver: facts.classes[algorithm], given: given.join(", ") });
    });
    return words.say("code", {
      data: pythonText(data),
      load: Object.entries(load).map(([name, value]) => `, ${name}=${python(name, value)}`).join(""),
      loss: pythonText(loss),
      regularizer: pythonText(regularizer),
      lam: pythonNumber(settings.lam),
      extra: facts.extras[settings.constraint],
      seed: settings.seed,
      tolerance: settings.tolerance,
      epochs: facts.epochs,
      solvers: solvers.join("\n")
    });
  }
  function python(name, value) {
    if (typeof value === "string") return pythonText(value);
    return name === "passes" ? String(value) : pythonNumber(value);
  }

  // page.js
  var page = frame_exports;
  return __toCommonJS(page_exports);
})();
