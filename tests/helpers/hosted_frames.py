"""Golden frames of a page that a host carries: the moments of `golden_frames`, asked of its module."""

from urllib.parse import parse_qsl

from tests.corpora.golden_frames import LEAPS, SETTINGS, _words, read_frame

WITHOUT = "delete window.WebAssembly;"


def ranges(figures):
    """The ranges of a page's figures as they are made, by name."""
    return {name: (bounds.start, bounds.end) for name, bounds in figures.models["ranges"].items()}


BEGIN = """async (given) => {
    const page = await workbenchPages[0];
    await page.settled();
    page.onSettings = () => {};
    page.host.model.set("settings", { ...page.facts.defaults, ...given.settings });
    page.host.model.save_changes();
    await page.restart(false);
    page.figures.hold(false);
    for (const [name, [start, end]] of Object.entries(given.ranges)) {
        page.figures.of("ranges", name).setv({ start, end });
    }
    page.figures.leaveGhost({});
    page.before = null;
    await page.soon();
    await page.settled();
}"""
STEP = "async () => { const page = await workbenchPages[0]; page.press('step'); await page.settled(); }"
# Nothing is drawn before the last of them is answered.
LEAP = """async (count) => {
    const page = await workbenchPages[0];
    page.paint = () => {};
    for (let k = 0; k < count; k++) {
        page.press("epoch");
        await page.settled();
    }
    delete page.paint;
    await page.soon();
    await page.settled();
}"""
END = """async () => {
    const page = await workbenchPages[0];
    page.paint = () => {};
    page.press("run");
    await page.settled();
    delete page.paint;
    await page.soon();
    await page.settled();
}"""
BACK = """async () => {
    const page = await workbenchPages[0];
    for (const each of page.tracks.shown) {
        each.ask("seek", { step: each.rows[Math.floor(each.rows.length / 2)].step });
    }
    await page.settled();
}"""
OTHER = """async (changed) => {
    const page = await workbenchPages[0];
    page.host.model.set("settings", { ...page.settings, ...changed });
    page.host.model.save_changes();
    await page.restart(false);
    await page.settled();
}"""
# The page follows its settings again.
LEAVE = """async () => {
    const page = await workbenchPages[0];
    delete page.onSettings;
    page.chosen = "";
    await page.onSettings();
}"""
READ = """async () => {
    const page = await workbenchPages[0], { figures, view, facts } = page, { ids, of } = figures, found = {};
    // Of an image a list for each row.
    const value = (each) => {
        const [rows, width] = each?.shape?.length === 2 ? each.shape : [0];
        const row = (_, k) => Array.from({ length: width }, (__, l) => each[k * width + l]);
        return rows ? Array.from({ length: rows }, row) : ArrayBuffer.isView(each) ? Array.from(each) : each;
    };
    const entries = ({ data }) => Object.entries(data).map(([name, each]) => [name, Array.from(each, value)]);
    const columns = (source) => Object.fromEntries(entries(source));
    for (const name of Object.keys(ids.figures)) {
        const plot = of("figures", name), drawn = new Set(plot.renderers.map((each) => each.data_source));
        for (const each of plot.center) if (each.type === "Arrow") drawn.add(each.source);
        const named = [
            ...Object.keys(ids.sources).map((each) => [each, of("sources", each)]),
            ...Object.keys(ids.ghosts).map((each) => [`before in ${each}`, of("ghosts", each)]),
        ];
        const line = ids.here[name] && of("here", name), range = ({ start, end }) => [start, end];
        const mappers = plot.renderers.map(({ glyph }) => glyph?.color_mapper).filter(Boolean);
        const held = named.filter(([, each]) => drawn.has(each)).map(([own, each]) => [own, columns(each)]);
        found[name] = {
            sources: Object.fromEntries(held),
            x: plot.x_range.type === "Range1d" ? range(plot.x_range) : null,
            y: plot.x_range.type === "Range1d" ? range(plot.y_range) : null,
            axes: [plot.below[0].axis_label, plot.left[0].axis_label],
            colours: mappers.map(({ low, high }) => [low, high]),
            head: view.heads[name].innerHTML, sentence: view.lines[name].innerHTML,
            here: line?.visible ? line.location : null,
        };
    }
    const { rows } = page.tracks, step = Number(view.box.dataset.step);
    const at = rows.findIndex((row) => row.step === step);
    const unit = rows.at(-1).epoch < 1 ? "step" : "epoch", { numbers, why, code, status } = view.parts;
    return {
        figures: found, numbers: numbers.innerHTML, status: status.innerHTML,
        texts: { steps: why?.innerHTML ?? "", code: code.innerHTML },
        bar: { at, places: rows.length, unit, now: rows[at][unit], last: rows.at(-1)[unit] },
    };
}"""


def settings_of(page, name, setting):
    """Return the settings of a recorded address as a page has them."""
    texts = dict(parse_qsl(SETTINGS[name][setting]))
    read = {str: str, bool: "on".__eq__, float: float, int: int}
    return {name: read[type(getattr(page, name))](text) for name, text in texts.items()}


def frames(view, page, name, setting, weight, ranges):
    """Yield the moments of a page's setting with their frames; the setting `weight` is halved at the last."""
    settings = settings_of(page, name, setting)
    changed = {weight: 0.5 * settings.get(weight, page.param[weight].default)}
    moments = (
        ("zero", BEGIN, {"settings": settings, "ranges": ranges}),
        ("one step", STEP, None),
        ("three epochs", LEAP, LEAPS),
        ("end", END, None),
        ("sought back", BACK, None),
        ("another weight", OTHER, changed),
    )
    for moment, script, argument in moments:
        view.evaluate(script, argument)
        yield moment, _frame(view.evaluate(READ))
    view.evaluate(LEAVE)


def _frame(raw):
    texts = {name: _words(text) for name, text in raw["texts"].items()}
    return read_frame(raw, raw["numbers"].replace('"', "'"), raw["status"], texts)
