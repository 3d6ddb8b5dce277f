// The data of a figure as CSV, its picture as PNG or SVG; for served pages and for files.

import { viewOf } from "./own_bokeh.js";

// Columns that say how a point looks, and nothing about it.
const LOOKS = /^(colou?rs?|fill|edge|marker|hatch|width|dash|alpha|size|image|d[wh])$/;

/**
 * The column of a source that a property of a glyph is read from.
 * @param {any} glyph @param {string[]} names @param {any} data
 */
export function column(glyph, names, data) {
  const fields = names.map((name) => glyph[name]?.field ?? glyph[name]);
  return fields.find((field) => typeof field === "string" && field in data);
}

/**
 * The points of one glyph: its name, where they are, and what else is known of each.
 * @param {any} fields @param {string} name @returns {any[]}
 */
function points({ glyph, data_source: { data } }, name) {
  const x = column(glyph, ["x", "xs", "x0"], data);
  const y = column(glyph, ["y", "ys", "y0", "top", "y1"], data);
  const curve = name ?? y;
  if (glyph.type === "Image" || data.image) return imagePoints(curve, data);
  if (!x || !y) return [];
  const ends = { x: column(glyph, ["x1"], data), y: column(glyph, ["y1"], data) };
  const used = new Set([x, y, ends.x, ends.y]);
  const more = Object.keys(data).filter((key) => !used.has(key) && !LOOKS.test(key) && !isList(data[key][0]));
  return Array.from(data[x], (_, row) => {
    const rest = Object.fromEntries(more.map((key) => [key, data[key][row]]));
    /** @param {any} a @param {any} b @param {any} [part] */
    const at = (a, b, part = row) => ({ curve, part, x: a, y: b, ...rest });
    if (isList(data[x][row]))
      return Array.from(/** @type {any[]} */ (data[x][row]), (value, k) => at(value, data[y][row][k]));
    const end = ends.x && ends.y ? [at(data[ends.x][row], data[ends.y][row])] : [];
    return [at(data[x][row], data[y][row]), ...end];
  })
    .flat()
    .map(({ part, ...row }) => (isList(data[x][0]) || ends.x ? { ...row, part } : row));
}

/** @param {number} value */
const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);

/**
 * The values of a picture of numbers at the middles of its cells.
 * @param {any} curve @param {any} fields
 */
function imagePoints(curve, { image, x, y, dw, dh }) {
  const values = Array.from(image[0] ?? []);
  const rows = isList(values[0]) ? values.map((row) => Array.from(row)) : inRows(values, image[0]);
  return rows.flatMap((row, j) =>
    row.map((value, i) => ({
      curve: curve ?? "value",
      x: x[0] + (dw[0] * (i + 0.5)) / row.length,
      y: y[0] + (dh[0] * (j + 0.5)) / rows.length,
      value,
    })),
  );
}

/** @param {number[]} values @param {{ shape: any }} fields */
function inRows(values, { shape }) {
  const wide = shape?.[1] ?? Math.round(Math.sqrt(values.length));
  return Array.from({ length: values.length / wide }, (_, j) => values.slice(j * wide, (j + 1) * wide));
}

/**
 * A row for each point: the curve that it is on, its place, and what else is known of it.
 * @param {any[]} renderers @param {any} [named]
 */
export function figureRows(renderers, named = (/** @type {{ name: string }} */ { name }) => name) {
  const seen = new Set();
  return renderers
    .filter(({ visible, data_source }) => visible !== false && data_source?.data)
    .flatMap((renderer) => {
      const found = points(renderer, named(renderer));
      const key = JSON.stringify(found.map(({ curve, ...row }) => row));
      if (seen.has(key)) return []; // a line and its markers show the same points
      seen.add(key);
      return found;
    });
}

/**
 * One tidy table of them.
 * @param {any[]} renderers
 */
export function table(renderers) {
  const rows = figureRows(renderers);
  const names = [...new Set(["curve", "x", "y", ...rows.flatMap(Object.keys)])];
  /** @param {number} value */
  const cell = (value) =>
    /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? "");
  return `${[names, ...rows.map((row) => names.map((name) => row[name]))].map((row) => row.map(cell).join(",")).join("\n")}\n`;
}

/** @param {string} text */
export const xml = (text) =>
  String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const HEAD = 52;
const FOOT = 26;
/** @type {Record<string, any>} */
const DASHES = { solid: "", dashed: "7 4", dotted: "2 3" };

/**
 * The picture of a figure with its title and key above and the address of the page below.
 * @param {any} inside @param {{ width: number, height: number }} fields @param {Record<string, any>} others
 */
export function framed(inside, { width, height }, { title, key, address, ink, paper }) {
  let left = 12;
  const entries = key.map((/** @type {{ text: string, dash: any, colour: any }} */ { text, dash, colour }) => {
    const entry =
      `<path d="M${left} 38h22" stroke="${xml(colour)}" stroke-width="3" stroke-dasharray="${DASHES[dash] ?? ""}"/>` +
      `<text x="${left + 27}" y="42" font-size="12">${xml(text)}</text>`;
    left += 45 + 7 * text.length;
    return entry;
  });
  const [wide, tall] = [Math.max(width, left), height + HEAD + FOOT];
  const picture = inside.replace(/^<\?xml[^>]*>/, "").replace("<svg", `<svg y="${HEAD}"`);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}" viewBox="0 0 ${wide} ${tall}" ` +
    `font-family="Inter, system-ui, sans-serif" fill="${xml(ink)}"><rect width="100%" height="100%" fill="${xml(paper)}"/>` +
    `<text x="12" y="21" font-size="15" font-weight="600">${xml(title)}</text>${entries.join("")}${picture}` +
    `<text x="12" y="${tall - 9}" font-size="10">${xml(address)}</text></svg>`
  );
}

/**
 * The entries of the key above a figure.
 * @param {any} head
 */
export function keyOf(head) {
  return [...head.querySelectorAll(".wb-key > span")].map((entry) => {
    const { borderTopStyle, borderTopColor } = getComputedStyle(entry.querySelector("i") ?? entry);
    return { text: entry.textContent, dash: borderTopStyle, colour: borderTopColor };
  });
}

/** @param {any} plot @param {HTMLButtonElement} button @param {string} address */
async function picture(plot, button, address) {
  const view = viewOf(plot);
  const inside = await (await view.export("svg").to_blob()).text();
  const size = { width: view.bbox.width, height: view.bbox.height };
  /** @type {any} */
  const head = button.closest(".wb-head");
  const colours = { paper: plot.background_fill_color ?? "white", ink: getComputedStyle(head).color };
  const told = {
    title: /** @type {any} */ (head.querySelector("h2")).textContent,
    key: keyOf(head),
    address,
  };
  const text = framed(inside, size, { ...told, ...colours });
  return new Blob([text], { type: "image/svg+xml" });
}

// Twice as many pixels as on the screen, so that a slide or a page can print it.
const SCALE = 2;

/** @param {any} svg */
async function raster(svg) {
  const image = new Image();
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [SCALE * image.naturalWidth, SCALE * image.naturalHeight];
  /** @type {any} */ (canvas.getContext("2d")).drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => {
    canvas.toBlob(done, "image/png");
  });
}

/**
 * Saves a figure as the kind of a button, which stands above it.
 * @param {any} plot @param {HTMLButtonElement} button @param {string} [address] - of the page
 */
export async function savePlot(plot, button, address = location.href) {
  const { figure: name, kind } = button.dataset;
  let blob;
  if (kind === "csv") blob = new Blob([table(plot.renderers)], { type: "text/csv" });
  else {
    const svg = await picture(plot, button, address);
    blob = kind === "png" ? await raster(svg) : svg;
  }
  download(blob, `${name}.${kind}`);
}

/** @param {any} blob @param {string} name */
export function download(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Downloads some Python as a notebook.
 * @param {string} source @param {string} title @param {string} address - of the page in this state
 */
export function downloadNotebook(source, title, address) {
  const text = notebookText(source, title, address);
  download(new Blob([text], { type: "application/x-ipynb+json" }), `${title.toLowerCase().replace(/\W+/g, "-")}.ipynb`);
}

/**
 * Returns a notebook with some Python.
 * @param {string} source @param {string} title @param {string} address
 */
export function notebookText(source, title, address) {
  const from = address && `\n\nThe state of ${address}`;
  const cells = [
    { id: "state", cell_type: "markdown", metadata: {}, source: `# ${title}${from}` },
    { id: "code", cell_type: "code", metadata: {}, source, execution_count: null, outputs: [] },
  ];
  const kernelspec = { name: "python3", display_name: "Python 3", language: "python" };
  return JSON.stringify({ cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 }, null, 1);
}

/** @param {HTMLButtonElement} button @param {any} [code] */
export async function copy(button, code = /** @type {any} */ (button.parentElement).querySelector("pre").textContent) {
  await navigator.clipboard.writeText(code).catch(() => copyByHand(code));
  const text = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = text;
  }, 1600);
}

/**
 * Returns the markup of a frame with a page, without the links to other pages.
 * @param {string} page - its address
 * @param {string} title
 */
export function frameText(page, title) {
  const address = new URL(page);
  const hidden = address.searchParams.get("hide");
  address.searchParams.set("hide", [...new Set([...(hidden?.split(",") ?? []), "nav"])].join(","));
  return `<iframe src="${xml(address.href)}" title="${xml(title)}" width="100%" height="720" style="border: 0" loading="lazy" allow="clipboard-write; fullscreen"></iframe>`;
}

/**
 * Outside a secure context there is no clipboard to write to, but a selection can be copied.
 * @param {string} text
 */
function copyByHand(text) {
  const box = document.createElement("textarea");
  box.value = text;
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
}
