// Files of a drawing, made where it is drawn: its columns as CSV, its figures as PNG or SVG.

function hand_over(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function table(source) {
  const names = Object.keys(source.data).filter((name) => source.data[name].every?.((x) => typeof x === "number"));
  const length = Math.max(0, ...names.map((name) => source.data[name].length));
  const rows = Array.from({ length }, (_, k) => names.map((name) => source.data[name][k]).join(","));
  return names.length ? [names.join(","), ...rows].join("\n") : "";
}

export default async function save(args, _origin, _data, context) {
  for (const [name, figure] of Object.entries(args.figures)) {
    if (args.kind === "csv") {
      const parts = figure.renderers.filter((r) => r.name && r.data_source).map((r) => [r.name, table(r.data_source)]);
      const text = parts.filter(([, rows]) => rows).map(([title, rows]) => `# ${title}\n${rows}`).join("\n\n");
      hand_over(`${name}.csv`, new Blob([text + "\n"], { type: "text/csv" }));
    } else {
      const layer = context.index.find_one(figure).export(args.kind);
      hand_over(`${name}.${args.kind}`, await layer.to_blob());
    }
  }
}
