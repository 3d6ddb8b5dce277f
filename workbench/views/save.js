// The data of a figure as CSV, its picture as PNG or SVG; for served pages and for files.

function figures(name) {
  for (const document of Bokeh.documents) {
    const plot = document.get_model_by_name(name);
    if (plot) return plot;
  }
}

function table(plot) {
  const sources = new Set(plot.renderers.map((renderer) => renderer.data_source).filter((s) => s && s.data));
  const quote = (value) => /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return [...sources].map((source) => {
    const names = Object.keys(source.data);
    const rows = Array.from({length: source.data[names[0]]?.length ?? 0}, (_, row) =>
      names.map((name) => quote(String(source.data[name][row]))).join(","));
    return [names.join(","), ...rows].join("\n") + "\n";
  }).join("\n");
}

async function save(name, kind) {
  const plot = figures(name);
  if (!plot) return;
  const blob = kind === "csv"
    ? new Blob([table(plot)], {type: "text/csv"})
    : await Bokeh.index.find_one(plot).export(kind).to_blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The markup of a served page may hold no script, so a button names what it is for in `data-do`.
function obey(actions) {
  const listener = (event) => {
    const button = event.composedPath().find((element) => element.dataset?.do);
    actions[button?.dataset.do]?.(button);
  };
  document.addEventListener("click", listener);
  return () => document.removeEventListener("click", listener);
}

function saveAsked({dataset}) {
  save(dataset.figure, dataset.kind);
}
