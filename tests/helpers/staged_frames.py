"""Golden frames of a page that is drawn in the browser: the same moments, asked of its script, read off it.

Readings of a clock are left out, and ranges begin as Python makes them.
"""

import html
from urllib.parse import quote

from tests.corpora.golden_frames import LEAPS, SETTINGS, _words, read_frame
from tests.helpers.page_browser import PATIENCE_MS

# Before the page: who computes, and where its scrub bar stands.
WATCH = "document.addEventListener('wb-stands', (event) => { window.wb_stands = event.detail; });"
WITHOUT = "delete window.WebAssembly;"
# The figures as they were made, so that what was drawn before is forgotten.
BEGIN = """async (ranges) => {
    await wb_page.settled();
    if (wb_page.certainty) wb_page.certainty.fold.open = true;
    const { of } = wb_page.figures;
    for (const [name, [start, end]] of Object.entries(ranges)) of("ranges", name).setv({ start, end });
    wb_page.chosen = () => {};
    await wb_page.restart(false);
    await wb_page.settled();
}"""
STEP = "async () => { wb_page.press('step'); await wb_page.settled(); }"
# Nothing is drawn before the last of them is answered.
LEAP = """async (count) => {
    wb_page.paint = () => {};
    for (let k = 0; k < count; k++) {
        wb_page.press("epoch");
        await wb_page.settled();
    }
    delete wb_page.paint;
    await wb_page.soon();
    await wb_page.settled();
}"""
END = """async () => {
    wb_page.paint = () => {};
    wb_page.press("run");
    await wb_page.settled();
    delete wb_page.paint;
    await wb_page.soon();
    await wb_page.settled();
}"""
# Half of the run, or of each of several.
BACK = """async () => {
    if (!wb_page.runs) wb_page.seek(Math.floor(wb_page.rows.length / 2));
    for (const each of wb_page.runs?.shown ?? []) {
        const place = Math.floor(each.rows.length / 2);
        if (each.ask) each.ask("seek", { step: each.rows[place].step });
        else each.seek(place);
    }
    await wb_page.settled();
}"""
OTHER = """async (changed) => {
    const { model } = wb_page.host;
    model.setv({ sliders: {} }, { sync: false });
    model.setv({ settings: { ...model.settings, ...changed } }, { sync: false });
    await wb_page.restart(false);
    await wb_page.settled();
}"""
READ = """() => {
    const { figures: { ids, of }, page: { plane } } = wb_page, found = {};
    const models = Bokeh.documents.flatMap((each) => [...each._all_models.values()]);
    const by_id = (id) => models.find((model) => model.id === id);
    const value = (each) => {
        if (!ArrayBuffer.isView(each)) return each;
        const [rows, width] = each.shape?.length === 2 ? each.shape : [0];
        const row = (_, k) => Array.from({ length: width }, (__, l) => each[k * width + l]);
        return rows ? Array.from({ length: rows }, row) : Array.from(each);
    };
    const plain = (column) => Array.from(column, value);
    const named_plain = (columns) => Object.fromEntries(columns.map(([name, each]) => [name, plain(each)]));
    const columns = ({ data }) => named_plain(Object.entries(data));
    const text = (name) => by_id(wb_page.host.model.panes[name]).text;
    for (const name of Object.keys(ids.figures)) {
        const plot = of("figures", name), glyphs = plot.renderers.filter((each) => each.data_source);
        const arrows = plot.center.filter((each) => each.type === "Arrow").map(({ source }) => source);
        const drawn = new Set([...glyphs.map((each) => each.data_source), ...arrows]);
        const named = [
            ...Object.keys(ids.sources).map((each) => [each, of("sources", each)]),
            ...Object.keys(ids.ghosts).map((each) => [`before in ${each}`, of("ghosts", each)]),
            ...Object.entries(plane?.ids.sources ?? {}).map(([each, id]) => [each, by_id(id)]),
        ];
        const card = deep(`.wb-save [data-figure="${name}"]`)[0]?.closest(".wb-head");
        // Of a card that is not shown.
        if (!card) continue;
        const head = card.innerHTML;
        const line = ids.here[name] && of("here", name);
        const ranged = !drawn.has(of("sources", "terms")) && plot.x_range.type === "Range1d";
        const range = ({ start, end }) => (ranged ? [start, end] : null);
        const mappers = glyphs.map(({ glyph }) => glyph.color_mapper).filter(Boolean);
        found[name] = {
            sources: Object.fromEntries(
                named.filter(([, each]) => drawn.has(each)).map(([each, held]) => [each, columns(held)])
            ),
            x: range(plot.x_range), y: range(plot.y_range),
            axes: [plot.below[0].axis_label, plot.left[0].axis_label],
            colours: mappers.map(({ low, high }) => [low, high]),
            head, sentence: text(`line-${name}`), here: line?.visible ? line.location : null,
        };
    }
    const { panes: shown } = wb_page.host.model;
    const panes = Object.keys(shown).map((name) => [name, text(name)]);
    const more = { gauge: wb_page.gauge, terms: wb_page.certainty?.written };
    return { figures: found, texts: { ...Object.fromEntries(panes), ...more }, bar: window.wb_stands };
}"""
DEEP = """window.deep = (selector, root = document, found = []) => {
    found.push(...root.querySelectorAll(selector));
    for (const { shadowRoot } of root.querySelectorAll("*")) {
        if (shadowRoot) deep(selector, shadowRoot, found);
    }
    return found;
};"""


def ranges(figures):
    """The ranges of a page's figures as they are made, by name."""
    return {name: (bounds.start, bounds.end) for name, bounds in figures.models["ranges"].items()}


def frames(browser, address, name, setting, weight, ranges, texts, without=""):
    """Yield the moments of a page's setting with their frames.

    Parameters
    ----------
    browser : Browser
    address : str
        Of the served page.
    name, setting, weight : str
        The parameter `weight` is halved at the last moment.
    ranges : dict of str to (float, float)
        As Python makes them.
    texts : dict of str to str or callable
        Of a recorded text to the pane that says it, or to what takes it from the HTML of all panes.
    without : str
        What a browser has not.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(WATCH + DEEP + without)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{address}?{quote(SETTINGS[name][setting], safe='=&')}")
    page.wait_for_function("window.wb_page?.asked > 0")
    changed = page.evaluate("(name) => ({ [name]: 0.5 * wb_page.settings[name] })", weight)
    moments = (
        ("zero", BEGIN, ranges),
        ("one step", STEP, None),
        ("three epochs", LEAP, LEAPS),
        ("end", END, None),
        ("sought back", BACK, None),
        ("another weight", OTHER, changed),
    )
    for moment, script, argument in moments:
        page.evaluate(script, argument)
        yield moment, _frame(page.evaluate(READ), texts)
    context.close()


def _frame(raw, texts):
    said = {name: _unescaped(text) for name, text in raw["texts"].items()}
    texts = {name: _told(pane, said) for name, pane in texts.items()}
    return read_frame(raw, said.get("numbers", ""), said["status"], texts)


def _unescaped(text):
    return html.unescape(text) if isinstance(text, str) else text


def _told(pane, said):
    """The words of a pane, or what a function takes from all of them."""
    return pane(said) if callable(pane) else _words(said[pane])
